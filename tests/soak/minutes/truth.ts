import { toMinorUnits } from '@order-license/core/portable';

/** The IDs and gross totals (in cents) of all the mock's orders, newest first. */
export type Truth = [id: number, cents: string][];

/** Compares a result for one order with the truth. @returns what is wrong; undefined if nothing is */
export const wrongOrder = (
  truth: Truth,
  wanted: number,
  order: { id?: unknown; gesamtpreis_brutto?: unknown },
): string | undefined => {
  const [, cents] = truth.find(([id]) => id === wanted) ?? [];
  const isRight = order.id === wanted && String(toMinorUnits(String(order.gesamtpreis_brutto))) === cents;
  return isRight ? undefined : `order ${wanted} came as ${order.id} of ${order.gesamtpreis_brutto}`;
};

/** Compares the IDs in part of the list with the truth. @param from the index of the first order, from 0 */
export const wrongList = (truth: Truth, from: number, count: number, ids: unknown[]): string | undefined => {
  const expected = truth.slice(from, from + count).map(([id]) => id);
  return ids.join() === expected.join() ? undefined : `${ids.length} of ${expected.length} orders from ${from} on came`;
};
