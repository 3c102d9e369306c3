import type { Order, Status } from './order.ts';

/** All orders of a mock: one array, newest first; equal dates by descending ID. */
export interface Orders {
  all(): readonly Order[];
  /** The orders of an account, optionally with one status. */
  of(account: string, status?: Status): readonly Order[];
  find(id: number): Order | undefined;
  insert(order: Order): void;
  remove(order: Order): void;
}

const compare = (a: Order, b: Order): number => b.createdAt - a.createdAt || b.id - a.id;

export const createOrders = (initial: Order[]): Orders => {
  const all = initial.sort(compare);
  const byId = new Map(all.map((order) => [order.id, order]));
  /** By account and status, until the next change. */
  const lists = new Map<string, readonly Order[]>();

  const place = (order: Order): number => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(all[middle] as Order, order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    all: () => all,
    of(account, status) {
      const name = JSON.stringify([account, status]);
      let list = lists.get(name);
      if (!list) {
        list = all.filter((order) => order.account === account && (status === undefined || order.status === status));
        lists.set(name, list);
      }
      return list;
    },
    find: (id) => byId.get(id),
    insert(order) {
      all.splice(place(order), 0, order);
      byId.set(order.id, order);
      lists.clear();
    },
    remove(order) {
      all.splice(place(order), 1);
      byId.delete(order.id);
      lists.clear();
    },
  };
};
