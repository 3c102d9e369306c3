import type { Mock, Status } from '@order-license/mock-api';
import type { Shop } from '../shop.ts';

/** An order of the shop, as the mock stores it. */
export type StoredOrder = ReturnType<ReturnType<Mock['state']['orders']>['page']>[number];

/**
 * Says what was true of the shop's orders at any time since the watch started. A result that was read since then is
 * correct if it was true at one of these times.
 */
export interface OrderWatch {
  /** Returns the orders created in this range (ms, `before` is exclusive), newest first. */
  between(from: number, before: number): StoredOrder[];
  /** Whether the order existed when the watch started. */
  isOld(id: number): boolean;
  /** Returns each status that the order has had since the watch started. */
  statusesOf(id: number): ReadonlySet<Status>;
  /** Whether a correct result can show the order with this many license codes. */
  couldHave(id: number, codes: number): boolean;
}

const isEligible = (status: Status): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/** Starts to watch orders. Reads them from the mock's state instead of its responses. */
export const watchOrders = ({ state }: Mock, { history }: Shop): OrderWatch => {
  const orders = state.orders('business');
  const all = (): StoredOrder[] => orders.page(0, orders.count());
  const atStart = new Map(all().map(({ id, status, delivered }) => [id, { status, delivered }]));
  const from = history.length;

  const statusesOf = (id: number): Set<Status> => {
    const first = atStart.get(id);
    const statuses = new Set(first && [first.status]);
    for (let n = from; n < history.length; n++) {
      const event = history[n];
      if (event?.id === id && event.kind !== 'codes') statuses.add(event.status);
    }
    return statuses;
  };
  return {
    between: (from, before) => all().filter(({ createdAt }) => createdAt >= from && createdAt < before),
    isOld: (id) => atStart.has(id),
    statusesOf,
    couldHave(id, codes) {
      const statuses = [...statusesOf(id)];
      if (codes === 0 && !statuses.every(isEligible)) return true;
      const atLeast = atStart.get(id)?.delivered ?? 0;
      return statuses.some(isEligible) && codes >= atLeast && codes <= state.order(id).delivered;
    },
  };
};
