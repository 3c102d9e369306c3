import { type OrderSummary, sumOrders, type TotalsGroup } from '@order-license/core/portable';
import { compactRows } from './compact-rows.ts';

/** Most orders that are named because a value of theirs cannot be read. */
export const maxNamed = 20;

/** Groups by currency and these fields. */
const groupBy = (orders: readonly OrderSummary[], fields: readonly (keyof OrderSummary)[]): TotalsGroup[] => {
  const kept = ['id', 'waehrung', 'gesamtpreis_brutto', ...fields];
  const pick = (order: OrderSummary) =>
    Object.fromEntries(Object.entries(order).filter(([name]) => kept.includes(name)));
  return sumOrders(orders.map(pick) as unknown as OrderSummary[]).groups;
};

/** Counts and exact sums: by currency, by status, and by currency and all three states. */
export const describeSums = (orders: readonly OrderSummary[]): object => {
  const { groups, unreadable } = sumOrders(orders);
  const groupsOf = { status: groupBy(orders, ['status']), zahlungsstatus: groupBy(orders, ['zahlungsstatus']) };
  const sumsOf = (currency: string | null, field: keyof typeof groupsOf) =>
    Object.fromEntries(
      groupsOf[field].filter(({ waehrung }) => waehrung === currency).map((group) => [group[field] ?? '', group.sum]),
    );
  const counts: Record<string, number> = {};
  for (const { status, count } of groups) counts[status ?? ''] = (counts[status ?? ''] ?? 0) + count;
  return {
    by_currency: groupBy(orders, []).map(({ waehrung, count, sum }) => ({
      waehrung,
      count,
      sum,
      sum_by_status: sumsOf(waehrung, 'status'),
      sum_by_zahlungsstatus: sumsOf(waehrung, 'zahlungsstatus'),
    })),
    by_status: counts,
    groups: compactRows(groups.map(({ unreadable, ...group }) => group)),
    ...(unreadable.length > 0 && {
      not_in_sums: { count: unreadable.length, orders: unreadable.slice(0, maxNamed) },
    }),
  };
};
