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

/** Maximum number of orders listed because of an unreadable value. */
const maxNamed = 20;

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

/**
 * Counts and exact sums: one per currency, with what is paid, and one for every combination of currency and the three
 * states; with periods, also one per period and currency.
 */
export const describeSums = ({ groups, unreadable }: Sums): object => {
  const hasPeriods = groups.some(({ period }) => period !== undefined);
  const unsummed = unreadable.filter(({ field }) => field !== 'created_at');
  return {
    by_currency: combineGroups(groups).map(({ waehrung, count, sum }) => {
      const ofCurrency = groups.filter((group) => group.waehrung === waehrung);
      const payments = combineGroups(ofCurrency, ['zahlungsstatus']);
      const paid = Object.fromEntries(payments.map(({ zahlungsstatus, sum }) => [nameOf(zahlungsstatus), sum]));
      return { waehrung, count, sum, sum_by_zahlungsstatus: paid };
    }),
    ...(hasPeriods && { periods: compactRows(combineGroups(groups, ['period']).map(withoutUnreadable)) }),
    groups: compactRows(combineGroups(groups, ['status', 'zahlungsstatus', 'lieferstatus']).map(withoutUnreadable)),
    ...(unsummed.length > 0 && {
      not_in_sums: { count: unsummed.length, orders: unsummed.slice(0, maxNamed) },
    }),
  };
};

/** A service may send anything instead of a text. */
const nameOf = (state: unknown): string =>
  typeof state === 'string' ? state : state === null ? '' : JSON.stringify(state);

/** `not_in_sums` has them. */
const withoutUnreadable = ({ unreadable, ...group }: { unreadable: number }): object => group;
