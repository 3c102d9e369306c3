import type { OrderList, OrderSummary } from '../model/order.ts';

/** A page of a given size. */
export interface Window {
  page: number;
  perPage: number;
}

/** An order at its rank, which is counted from the end of the list: new orders at its top do not change it. */
export interface SeenOrder {
  order: OrderSummary;
  rank: number;
  page: SeenPage;
}

/** Where an order is: 1 above the target, -1 below it, 0 at it; undefined if not comparable. */
export type Side = (order: OrderSummary) => 1 | 0 | -1 | undefined;

/** False if two adjacent orders in an answer show that the list is not sorted. */
export type IsInOrder = (above: OrderSummary, below: OrderSummary) => boolean;

/** The orders of one answer, from the top down. */
export interface SeenPage {
  readonly orders: readonly SeenOrder[];
  /** False if the orders are not sorted. */
  isSorted: boolean;
  /** True for the top of the list. */
  isTop: boolean;
}

/** The orders read so far, by rank, of a list that grows at its top. */
export interface SeenOrders {
  /** In the order of arrival. */
  readonly pages: readonly SeenPage[];
  /** Orders in the list, by the latest answer. */
  readonly total: number | undefined;
  /** Orders that arrived between the last two answers. */
  readonly growth: number;
  /** The highest order read. */
  readonly top: SeenOrder | undefined;
  /** @returns false for an answer without a certain position in the list; it is dropped */
  add(list: OrderList, asked: Window): boolean;
  /**
   * The closest orders above and below a target, in a list sorted as `side` compares.
   * @returns undefined if an order on the way cannot be compared, or came in an unsorted answer
   */
  around(side: Side): { above: SeenOrder | undefined; below: SeenOrder | undefined } | undefined;
}

export const createSeenOrders = (isInOrder: IsInOrder): SeenOrders => {
  const pages: SeenPage[] = [];
  /** Highest rank first. */
  const byRank: SeenOrder[] = [];
  let total: number | undefined;
  let growth = 0;

  /** The first place in `byRank` for which `isPast` is true. */
  const firstPast = (isPast: (seen: SeenOrder) => boolean): number => {
    let [from, to] = [0, byRank.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isPast(byRank[middle] as SeenOrder)) to = middle;
      else from = middle + 1;
    }
    return from;
  };

  return {
    pages,
    get total() {
      return total;
    },
    get growth() {
      return growth;
    },
    get top() {
      return byRank[0];
    },
    add({ pagination, orders }, { page, perPage }) {
      const count = pagination.total;
      const before = (page - 1) * perPage;
      const isWhole = orders.length === Math.max(0, Math.min(perPage, count - before));
      if (!Number.isSafeInteger(count) || pagination.page !== page || !isWhole) return false;
      growth = total === undefined ? 0 : Math.max(0, count - total);
      total = count;
      const rankOfFirst = count - before;
      const isSorted = orders.every((order, index) => index === 0 || isInOrder(orders[index - 1] ?? order, order));
      const seenOrders: SeenOrder[] = [];
      const seenPage: SeenPage = { orders: seenOrders, isSorted, isTop: page === 1 };
      for (const [index, order] of orders.entries()) {
        seenOrders.push({ order, rank: rankOfFirst - index, page: seenPage });
      }
      pages.push(seenPage);
      const start = firstPast(({ rank }) => rank <= rankOfFirst);
      const end = firstPast(({ rank }) => rank <= rankOfFirst - orders.length);
      byRank.splice(start, end - start, ...seenOrders);
      return true;
    },
    around(side) {
      let canCompare = true;
      const index = firstPast(({ order, page }) => {
        const where = side(order);
        if (where === undefined || !page.isSorted) canCompare = false;
        return where !== 1;
      });
      return canCompare ? { above: byRank[index - 1], below: byRank[index] } : undefined;
    },
  };
};
