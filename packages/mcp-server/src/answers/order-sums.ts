import { isMasked } from '@order-license/core/masking';
import { combineGroups, type OrderSummary, sumOrders, type Totals } from '@order-license/core/portable';
import { maxNamed, type Table, tableOf, unlessEmpty } from './list-answer.ts';

/** Counts and sums by group, and the orders that are left out because their amount or currency is unreadable. */
export type Sums = Pick<Totals, 'groups' | 'unreadable'>;

/**
 * Returns counts and exact sums of orders as a model may see them. Amounts in masked currencies are not added up,
 * because the currencies could differ.
 */
export const sumShown = (orders: readonly OrderSummary[], periodOf?: (order: OrderSummary) => string | null): Sums =>
  sumOrders(
    orders.map((order) => (isMasked(order.waehrung) ? { ...order, waehrung: '' } : order)),
    periodOf,
  );

type Field = 'period' | 'status' | 'zahlungsstatus' | 'lieferstatus';

/** Maximum number of sums in a table. A payment or delivery status could be different for every order. */
const maxSums = 100;

/**
 * Returns a table of the sums for each combination of currency and these fields; if there are too many combinations,
 * only of currency and the first field.
 */
export const sumTable = (groups: Sums['groups'], by: Field[]): Table => {
  const sums = combine(groups, by);
  return tableOf(sums.length <= maxSums ? sums : combine(groups, by.slice(0, 1)));
};

/**
 * Describes counts and exact sums: one per currency, with the part of cancelled orders, and with the sums by payment
 * status unless there are too many; and one for every combination of currency and the three status fields. With periods,
 * also one per period and currency.
 */
export const describeSums = ({ groups, unreadable }: Sums): object => {
  const hasPeriods = groups.some(({ period }) => period !== undefined);
  const byStatus = new Map<string, number>();
  for (const { status, count } of groups) {
    byStatus.set(status ?? 'null', (byStatus.get(status ?? 'null') ?? 0) + count);
  }
  return {
    by_status: Object.fromEntries(byStatus),
    by_currency: combine(groups, []).map(({ waehrung, count, sum }) => {
      const own = groups.filter((group) => group.waehrung === waehrung);
      const payments = combine(own, ['zahlungsstatus']);
      const paid = Object.fromEntries(payments.map(({ zahlungsstatus, sum }) => [zahlungsstatus ?? 'null', sum]));
      const cancelled = combine(own, ['status']).find(({ status }) => status === 'storniert');
      return {
        ...{ waehrung, count, sum },
        of_which_storniert: cancelled && { count: cancelled.count, sum: cancelled.sum },
        sum_by_zahlungsstatus: payments.length <= maxSums ? paid : undefined,
      };
    }),
    periods: hasPeriods ? tableOf(combine(groups, ['period'])) : undefined,
    groups: sumTable(groups, ['status', 'zahlungsstatus', 'lieferstatus']),
    not_in_sums: unlessEmpty(unreadable) && { count: unreadable.length, orders: unreadable.slice(0, maxNamed) },
  };
};

/** Combines groups. Leaves out their unreadable orders, which `not_in_sums` lists. */
const combine = (groups: Sums['groups'], by: Field[]) =>
  combineGroups(groups, by).map(({ unreadable, ...group }) => group);
