import { combineGroups, type OrderSummary, sumOrders } from '@order-license/core/portable';
import { compactRows } from './compact-rows.ts';

/** Maximum number of orders listed because of an unreadable value. */
const maxNamed = 20;

/** Counts and exact sums: by currency, by status, and by currency and all three states. */
export const describeSums = (orders: readonly OrderSummary[]): object => {
  const { groups, unreadable } = sumOrders(orders);
  const sumsOf = (currency: string | null, field: 'status' | 'zahlungsstatus') => {
    const ofCurrency = groups.filter(({ waehrung }) => waehrung === currency);
    return Object.fromEntries(combineGroups(ofCurrency, [field]).map((group) => [group[field] ?? '', group.sum]));
  };
  const counts = new Map<string, number>();
  for (const { status, count } of groups) counts.set(status ?? '', (counts.get(status ?? '') ?? 0) + count);
  return {
    by_currency: combineGroups(groups).map(({ waehrung, count, sum }) => ({
      waehrung,
      count,
      sum,
      sum_by_status: sumsOf(waehrung, 'status'),
      sum_by_zahlungsstatus: sumsOf(waehrung, 'zahlungsstatus'),
    })),
    by_status: Object.fromEntries(counts),
    groups: compactRows(groups.map(({ unreadable, ...group }) => group)),
    ...(unreadable.length > 0 && {
      not_in_sums: { count: unreadable.length, orders: unreadable.slice(0, maxNamed) },
    }),
  };
};
