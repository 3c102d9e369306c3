import {
  amountShape,
  currencyShape,
  integerShape,
  listOf,
  orderSummaryShape,
  ownShape,
  type Shape,
  textShape,
} from '@order-license/core/masking';
import { combineGroups, type Totals } from '@order-license/core/portable';
import { compactRows } from './compact-rows.ts';
import { maxNamed } from './describe-part.ts';

/** What a summary is built of. */
export type Sums = Pick<Totals, 'groups' | 'unreadable'>;

const nullable = <Form extends object>(form: Form) => ({ ...form, nullable: true }) as const;

/** The documented fields of {@link Sums}; the value of an unreadable field may be anything. */
export const sumsShape: Shape = {
  groups: listOf({
    period: nullable(textShape),
    waehrung: nullable(currencyShape),
    status: nullable(orderSummaryShape.status),
    zahlungsstatus: nullable(textShape),
    lieferstatus: nullable(textShape),
    count: integerShape,
    sum: amountShape,
    unreadable: integerShape,
  }),
  unreadable: listOf({ id: orderSummaryShape.id, field: ownShape }),
};

/** More combinations of states are left out: a delivery status may be different for each order. */
const maxGroups = 100;

/**
 * Counts and exact sums: one per currency, with what is paid, and one for every combination of currency and the three
 * states; with periods, also one per period and currency.
 */
export const describeSums = ({ groups, unreadable }: Sums): object => {
  const hasPeriods = groups.some(({ period }) => period !== undefined);
  const unsummed = unreadable.filter(({ field }) => field !== 'created_at');
  const byDelivery = combine(groups, ['status', 'zahlungsstatus', 'lieferstatus']);
  const isLong = byDelivery.length > maxGroups;
  return {
    by_currency: combine(groups, []).map(({ waehrung, count, sum }) => {
      const payments = combine(groups, ['zahlungsstatus']).filter((group) => group.waehrung === waehrung);
      const paid = Object.fromEntries(payments.map(({ zahlungsstatus, sum }) => [nameOf(zahlungsstatus), sum]));
      return { waehrung, count, sum, sum_by_zahlungsstatus: paid };
    }),
    ...(hasPeriods && { periods: compactRows(combine(groups, ['period'])) }),
    groups: compactRows(isLong ? combine(groups, ['status', 'zahlungsstatus']) : byDelivery),
    ...(isLong && { groups_left_out: { by: 'lieferstatus', count: byDelivery.length } }),
    ...(unsummed.length > 0 && { not_in_sums: { count: unsummed.length, orders: unsummed.slice(0, maxNamed) } }),
  };
};

/** `not_in_sums` has what is unreadable. */
const combine = (groups: Sums['groups'], by: ('period' | 'status' | 'zahlungsstatus' | 'lieferstatus')[]) =>
  combineGroups(groups, by).map(({ unreadable, ...group }) => group);

/** An API may send anything instead of a text. */
const nameOf = (state: unknown): string =>
  typeof state === 'string' ? state : state === null ? '' : JSON.stringify(state);
