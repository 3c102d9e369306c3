import type { Order, Status } from './order.ts';

export type Orders = ReturnType<typeof createOrders>;

/** Sorts the newest order first, and orders with equal dates by descending ID. */
const compare = (a: Order, b: Order): number => b.createdAt - a.createdAt || b.id - a.id;

/** Creates a collection of all orders of a mock, by ID. */
export const createOrders = (initial: readonly Order[]) => {
  const all = new Map(initial.map((order) => [order.id, order]));
  /** The sorted lists by account and status, cached until the next change. */
  const lists = new Map<string, readonly Order[]>();
  /** The sequence number of each account's next free ID. */
  const running = new Map<string, number>();
  for (const { account, index = -1 } of initial) running.set(account, Math.max(running.get(account) ?? 0, index + 1));

  /** Returns the orders of an account, newest first, optionally with one status. */
  const of = (account: string, status?: Status): readonly Order[] => {
    const name = JSON.stringify([account, status]);
    let list = lists.get(name);
    if (!list) {
      const isListed = (order: Order) => order.account === account && (status === undefined || order.status === status);
      list = Array.from(all.values()).filter(isListed).sort(compare);
      lists.set(name, list);
    }
    return list;
  };
  const remove = (orders: readonly Order[]): void => {
    for (const { id } of orders) all.delete(id);
    lists.clear();
  };
  return {
    of,
    find: (id: number): Order | undefined => all.get(id),
    /** Adds an order, or replaces the order that has the same ID. */
    set(order: Order): void {
      all.set(order.id, order);
      lists.clear();
    },
    remove,
    /** Returns an ID that no order has or had. @param idOf returns the ID for a sequence number */
    freeId(account: string, idOf: (running: number) => number): number {
      let next = running.get(account) ?? 0;
      while (all.has(idOf(next))) next++;
      running.set(account, next + 1);
      return idOf(next);
    },
  };
};
