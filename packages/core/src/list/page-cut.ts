import type { OrderSummary } from '../model/order.ts';

/** Where an order is: 1 above the target, -1 below it, 0 at it; undefined if it cannot be compared. */
export type Side = (order: OrderSummary) => 1 | 0 | -1 | undefined;

/** What is searched for: a place in a list that is sorted, newest first. */
export interface Target {
  side: Side;
  /** Whether two orders are in the order that `side` relies on. */
  isInOrder(above: OrderSummary, below: OrderSummary): boolean;
}

/**
 * How many orders of a page are above the target, by the longest run that is in order: single orders out of sequence
 * don't count.
 * @returns undefined if most orders cannot be compared, or if the page is not sorted
 */
export const cutPage = (orders: readonly OrderSummary[], { side, isInOrder }: Target): number | undefined => {
  const sides = orders.map(side);
  const comparable = orders.filter((_, index) => sides[index] !== undefined);
  if (2 * comparable.length < orders.length) return undefined;
  const pairs = comparable.length - 1;
  const inOrder = comparable.filter((order, index) => index > 0 && isInOrder(comparable[index - 1] ?? order, order));
  if (4 * inOrder.length < 3 * pairs) return undefined;
  return bestCut(sides);
};

/** The cut with the most orders on their own side. */
const bestCut = (sides: readonly (number | undefined)[]): number => {
  const below = sides.filter((side) => Number(side) < 0).length;
  let fits = below;
  let best = { cut: 0, fits };
  for (const [index, side = 0] of sides.entries()) {
    fits += side;
    if (fits > best.fits) best = { cut: index + 1, fits };
  }
  // What cannot be compared at the end of a page does not end the run.
  return sides.slice(best.cut).some((side) => Number(side) < 0) ? best.cut : sides.length;
};
