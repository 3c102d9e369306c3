import type { OrderSummary } from '../model/order.ts';
import type { SeenOrder } from './seen-orders.ts';

/** A scale that decreases from the top of the list to its end, and the target on it. */
export interface Scale {
  of(order: OrderSummary): number | undefined;
  at: number;
  /** For at most this distance, the list is assumed to be as dense as a page that was read. */
  steady: number;
}

/**
 * A burst that fills a page says little about the day: the list is assumed to match that page for this many times its
 * span.
 */
const pagesAlike = 24;

/** The rank of the target between two orders; undefined if they are not on the scale, or at the same point. */
export const estimateRank = (scale: Scale, above: SeenOrder, below: SeenOrder): number | undefined => {
  const [to, from] = [scale.of(above.order), scale.of(below.order)];
  if (to === undefined || from === undefined || !(to > from)) return undefined;
  const orders = above.rank - below.rank;
  const [nearAbove, nearBelow] = [likePage(scale, above), likePage(scale, below)];
  const known = nearAbove.span + nearBelow.span;
  const fit = Math.min(1, (to - from) / known);
  // If both ends meet, they explain all orders; otherwise at most all.
  const explained = fit * (nearAbove.orders + nearBelow.orders);
  const share = fit < 1 ? orders / explained : Math.min(1, orders / explained);
  const [x, y] = [scale.at - from, to - scale.at];
  const [spanAbove, spanBelow] = [fit * nearAbove.span, fit * nearBelow.span];
  const [countAbove, countBelow] = [share * fit * nearAbove.orders, share * fit * nearBelow.orders];
  if (x < spanBelow) return below.rank + (countBelow * x) / spanBelow;
  if (y < spanAbove) return above.rank - (countAbove * y) / spanAbove;
  const between = to - from - spanAbove - spanBelow;
  const part = between > 0 ? (x - spanBelow) / between : 0;
  return below.rank + countBelow + (orders - countAbove - countBelow) * part;
};

/** The rank of the target below two orders, at the density between them; undefined as above. */
export const extrapolateRank = (scale: Scale, top: SeenOrder, above: SeenOrder): number | undefined => {
  const [to, from] = [scale.of(top.order), scale.of(above.order)];
  if (to === undefined || from === undefined || !(to > from)) return undefined;
  return above.rank - ((from - scale.at) * (top.rank - above.rank)) / (to - from);
};

/** The distance and number of orders for which the list is assumed to match an order's page. */
const likePage = (scale: Scale, { page }: SeenOrder): { span: number; orders: number } => {
  const [first, last] = [page.orders.at(0), page.orders.at(-1)];
  const span = Number(first && scale.of(first.order)) - Number(last && scale.of(last.order));
  const alike = Math.min(scale.steady, pagesAlike * span);
  return { span: alike, orders: span > 0 ? (page.orders.length * alike) / span : 0 };
};
