import type { Given, Listed } from './make-order.ts';
import { idOf, type OrderSeed, seededGiven, seededOrders } from './seed.ts';
import type { Status } from './statuses.ts';

/** A stored order: only what lists sort and filter by, and what the rest is made of. */
export interface Stored extends Listed {
  /** The order's position among the seeded orders of its account, 0 for the newest; absent for a given order. */
  index?: number | undefined;
  /** Absent for a seeded order that has not been changed: then the seed says it. */
  given?: Given | undefined;
}

export type Orders = ReturnType<typeof createOrders>;

/** Sorts the newest order first, and orders with equal dates by descending ID. */
const compare = (a: Stored, b: Stored): number => b.createdAt - a.createdAt || b.id - a.id;

/** Creates a collection of all orders of a mock. The seeded ones are computed when somebody reads an order. */
export const createOrders = (seeds: readonly OrderSeed[]) => {
  const { seed = 0 } = seeds[0] ?? {};
  let all: Map<number, Stored> | undefined;
  const orders = (): Map<number, Stored> => {
    all ??= new Map(seeds.flatMap(seededOrders).map((order) => [order.id, order]));
    return all;
  };
  /** The sorted lists by account and status, cached until the next change. */
  const lists = new Map<string, readonly Stored[]>();
  /** The sequence number of each account's next free ID. */
  const running = new Map(seeds.map(({ account, count }) => [account, count]));

  /** Returns the orders of an account, newest first, optionally with one status. */
  const of = (account: string, status?: Status): readonly Stored[] => {
    const name = JSON.stringify([account, status]);
    let list = lists.get(name);
    if (!list) {
      const isListed = (order: Stored) =>
        order.account === account && (status === undefined || order.status === status);
      list = Array.from(orders().values()).filter(isListed).sort(compare);
      lists.set(name, list);
    }
    return list;
  };
  return {
    of,
    find: (id: number): Stored | undefined => orders().get(id),
    /** Returns what an order is made of. */
    givenOf: ({ given, id, index = 0 }: Stored): Given => given ?? seededGiven(seed, id, index),
    /** Adds an order, or replaces the order that has the same ID. */
    set(order: Stored): void {
      orders().set(order.id, order);
      lists.clear();
    },
    remove(removed: readonly Stored[]): void {
      for (const { id } of removed) orders().delete(id);
      lists.clear();
    },
    /** Returns an ID that no order has or had. */
    freeId(account: string): number {
      const number = seeds.findIndex((one) => one.account === account);
      let next = running.get(account) ?? 0;
      while (orders().has(idOf({ seed, number }, next))) next++;
      running.set(account, next + 1);
      return idOf({ seed, number }, next);
    },
  };
};
