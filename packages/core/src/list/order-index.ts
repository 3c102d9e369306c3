import type { OrderList, OrderSummary } from '../model/order.ts';
import { orderNumberText } from '../model/order-number.ts';

/** The orders in all answers to one finder. */
export interface OrderIndex {
  /** The first order read with this number. */
  get(orderNumber: string): OrderSummary | undefined;
  /** @returns true if one of the orders was already known */
  add(list: OrderList): boolean;
  /** Orders read. */
  readonly size: number;
  /** Orders in the list, by the latest answer. */
  readonly total: number | undefined;
  /** `created_at` of the oldest order read. */
  readonly oldest: string | undefined;
}

export const createOrderIndex = (): OrderIndex => {
  const byNumber = new Map<string, OrderSummary>();
  const ids = new Set<unknown>();
  let total: number | undefined;
  let oldest: string | undefined;
  return {
    get: (orderNumber) => byNumber.get(orderNumber),
    add({ orders, pagination }) {
      total = typeof pagination.total === 'number' ? pagination.total : undefined;
      const isKnown = orders.some(({ id }) => ids.has(id));
      for (const order of orders) {
        const number = orderNumberText(order.bestellnummer);
        if (!byNumber.has(number)) byNumber.set(number, order);
        ids.add(order.id);
        if (oldest === undefined || order.created_at < oldest) oldest = order.created_at;
      }
      return isKnown;
    },
    get size() {
      return ids.size;
    },
    get total() {
      return total;
    },
    get oldest() {
      return oldest;
    },
  };
};
