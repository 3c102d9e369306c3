import { toMinorUnits } from '@order-license/core/portable';

/** The IDs and gross totals (in cents) of all the mock's orders, newest first. */
export type Truth = [id: number, cents: string][];

/**
 * Compares a result for one order with the truth.
 * @returns what is wrong; undefined if the result is correct
 */
export const wrongOrder = (
  truth: Truth,
  wanted: number,
  order: { id?: unknown; gesamtpreis_brutto?: unknown },
): string | undefined => {
  const [, cents] = truth.find(([id]) => id === wanted) ?? [];
  const isRight = order.id === wanted && String(toMinorUnits(String(order.gesamtpreis_brutto))) === cents;
  return isRight
    ? undefined
    : `order ${wanted} was requested, but order ${order.id} with the total ${order.gesamtpreis_brutto} was returned`;
};

/**
 * Compares the IDs in a part of the list with the truth.
 * @param from the index of the part's first order in the list, from 0
 * @returns what is wrong; undefined if the IDs are correct
 */
export const wrongList = (truth: Truth, from: number, count: number, ids: unknown[]): string | undefined => {
  const expected = truth.slice(from, from + count).map(([id]) => id);
  return ids.join() === expected.join()
    ? undefined
    : `the list returned wrong orders from index ${from}: ${ids.length} instead of ${expected.length}, or with different IDs`;
};
