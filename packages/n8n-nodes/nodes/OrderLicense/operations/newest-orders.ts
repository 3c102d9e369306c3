import {
  type Client,
  type OrderPage,
  type OrderSummary,
  type OrderWalk,
  orderNumberText,
} from '@order-license/core/portable';

export interface Found {
  order: OrderSummary | undefined;
  /** Orders looked at, newest first. */
  searched: number;
  /** Orders in all, as the service counts them. */
  total: number | undefined;
}

/** The newest orders by order number. Pages are read when they are first needed and kept for the run. */
export interface NewestOrders {
  /** Of several orders with this number, the newest. One request per 50 orders that this run has not read yet. */
  find(orderNumber: string, signal: AbortSignal | undefined): Promise<Found>;
}

/** @param maxPages how many pages of 50 orders a run may spend */
export const createNewestOrders = (client: Client, maxPages: number): NewestOrders => {
  const byNumber = new Map<string, OrderSummary>();
  let walk: OrderWalk<OrderPage> | undefined;
  let searched = 0;
  let total: number | undefined;
  let pages = 0;
  let ended = false;

  return {
    async find(orderNumber, signal) {
      walk ??= client.orderPages({ signal, priority: 'interactive' });
      while (!byNumber.has(orderNumber) && pages < maxPages && !ended) {
        const { value: page, done } = await walk.next();
        if (done) {
          ended = true;
          break;
        }
        pages += 1;
        searched += page.orders.length;
        total = page.total;
        for (const order of page.orders) {
          const number = orderNumberText(order.bestellnummer);
          if (!byNumber.has(number)) byNumber.set(number, order);
        }
      }
      return { order: byNumber.get(orderNumber), searched, total };
    },
  };
};
