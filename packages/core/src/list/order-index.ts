import type { OrderList, OrderSummary } from '../model/order.ts';
import { orderNumberText } from '../model/order-number.ts';
import { fullPage } from './window.ts';

/** The orders in all answers to one finder. */
export interface OrderIndex {
  /** The first order read with this number, in upper or lower case. */
  get(orderNumber: string): OrderSummary | undefined;
  /** @returns true if one of the orders was already known */
  add(list: OrderList): boolean;
  /** Orders read. */
  readonly size: number;
  /** Orders in the list, by the latest answer. */
  readonly total: number | undefined;
  /** Whether the orders read can be all: as many as `total`, which agrees with `pages`. */
  readonly isWhole: boolean;
  /** `created_at` of the oldest order read. */
  readonly oldest: string | undefined;
}

export const createOrderIndex = (): OrderIndex => {
  const byNumber = new Map<string, OrderSummary>();
  const ids = new Set<unknown>();
  let total: number | undefined;
  let pages = 0;
  let oldest: string | undefined;
  return {
    get: (orderNumber) => byNumber.get(orderNumber.toLowerCase()),
    add({ orders, pagination }) {
      total = typeof pagination.total === 'number' ? pagination.total : undefined;
      if (orders.length > 0) pages = pagination.pages;
      const isKnown = orders.some(({ id }) => ids.has(id));
      for (const order of orders) {
        const number = orderNumberText(order.bestellnummer).toLowerCase();
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
    get isWhole() {
      return total !== undefined && ids.size >= total && pages === Math.ceil(total / fullPage);
    },
    get oldest() {
      return oldest;
    },
  };
};
