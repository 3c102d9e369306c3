import type { Order, Status } from './order.ts';

/** All orders of a mock: one array, newest first; equal dates by descending ID. */
export interface Orders {
  /** The orders of an account, optionally with one status. */
  of(account: string, status?: Status): readonly Order[];
  find(id: number): Order | undefined;
  insert(order: Order): void;
  remove(order: Order): void;
  removeAll(account: string): void;
  /** Returns an ID that no order has, nor a removed one. @param idOf returns the ID of a sequence number */
  freeId(account: string, idOf: (running: number) => number): number;
}

const compare = (a: Order, b: Order): number => b.createdAt - a.createdAt || b.id - a.id;

export const createOrders = (initial: readonly Order[]): Orders => {
  let all = initial.toSorted(compare);
  const byId = new Map(all.map((order) => [order.id, order]));
  /** By account and status, until the next change. */
  const lists = new Map<string, readonly Order[]>();
  /** The sequence number of each account's next free ID. */
  const running = new Map<string, number>();
  for (const { account, index = -1 } of all) running.set(account, Math.max(running.get(account) ?? 0, index + 1));

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
    removeAll(account) {
      for (const { id } of this.of(account)) byId.delete(id);
      all = all.filter((order) => order.account !== account);
      lists.clear();
    },
    freeId(account, idOf) {
      let next = running.get(account) ?? 0;
      while (byId.has(idOf(next))) next++;
      running.set(account, next);
      return idOf(next);
    },
  };
};
