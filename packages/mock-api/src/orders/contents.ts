import { hash } from 'node:crypto';
import type { Account, StoredKey } from './accounts.ts';
import type { KeySource } from './license-codes.ts';
import { type Given, type Listed, makeEntry, makeOrder, type Order, type OrderEntry } from './make-order.ts';
import { idOf, type OrderSeed, seededGiven, seededOrders } from './seed.ts';
import type { Status } from './statuses.ts';

/** A stored order: only what lists sort and filter by, and what the rest is made of. */
export interface Stored extends Listed {
  /** The order's position among the seeded orders of its account, 0 for the newest; absent for a given order. */
  index?: number | undefined;
  /** Absent for a seeded order that has not been changed: then the seed says it. */
  given?: Given | undefined;
}

export type Contents = ReturnType<typeof createContents>;

/** Sorts the newest order first, and orders with equal dates by descending ID. */
const compare = (a: Stored, b: Stored): number => b.createdAt - a.createdAt || b.id - a.id;

const listedOf = ({ account, id, status, createdAt }: Stored): Listed => ({ account, id, status, createdAt });

/**
 * Creates the contents of a mock. The seeded orders are computed when somebody reads an order.
 * @param accounts by name
 * @param keys by hash
 */
export const createContents = (
  accounts: ReadonlyMap<string, Account>,
  keys: Map<string, StoredKey>,
  seeds: readonly OrderSeed[],
  source: KeySource,
) => {
  const { seed } = source;
  let all: Map<number, Stored> | undefined;
  const orders = (): Map<number, Stored> => {
    all ??= new Map(seeds.flatMap(seededOrders).map((order) => [order.id, order]));
    return all;
  };
  /** The sorted lists by account and status, cached until the next change. */
  const lists = new Map<string, readonly Stored[]>();
  /** A cache, since lists contain the same orders again. */
  const entries = new WeakMap<Stored, OrderEntry>();
  /** The sequence number of each account's next free ID. */
  const running = new Map(seeds.map(({ account, count }) => [account, count]));

  /** @throws Error if the account doesn't exist */
  const account = (name: string): Account => {
    const found = accounts.get(name);
    if (found) return found;
    throw new Error(`there is no account "${name}"; the accounts are ${[...accounts.keys()].join(', ')}`);
  };
  /** Returns what an order is made of. */
  const givenOf = ({ given, id, index = 0 }: Stored): Given => given ?? seededGiven(seed, id, index);
  return {
    keys,
    account,
    findKey: (key: string): StoredKey | undefined => keys.get(hash('sha256', key)),
    /** @throws Error if no key has this name */
    keyNamed(name: string): StoredKey {
      const held = [...keys.values()];
      const found = held.find((key) => key.name === name);
      if (found) return found;
      throw new Error(`there is no key named "${name}"; the keys are ${held.map((key) => key.name).join(', ')}`);
    },
    find: (id: number): Stored | undefined => orders().get(id),
    /** Returns the orders of an account, newest first, optionally with one status. */
    list(account: string, status?: Status): readonly Stored[] {
      const name = JSON.stringify([account, status]);
      let list = lists.get(name);
      if (!list) {
        const isListed = (order: Stored) =>
          order.account === account && (status === undefined || order.status === status);
        list = Array.from(orders().values()).filter(isListed).sort(compare);
        lists.set(name, list);
      }
      return list;
    },
    givenOf,
    entryOf(order: Stored): OrderEntry {
      const known = entries.get(order);
      if (known) return known;
      const made = makeEntry(listedOf(order), givenOf(order), account(order.account));
      entries.set(order, made);
      return made;
    },
    orderOf: (order: Stored): Order => makeOrder(listedOf(order), givenOf(order), account(order.account), source),
    /** Adds an order, or replaces the order that has the same ID. */
    set(order: Stored): void {
      orders().set(order.id, order);
      lists.clear();
    },
    remove(removed: readonly Stored[]): void {
      for (const { id } of removed) orders().delete(id);
      lists.clear();
    },
    /** Returns an ID that no order has, and that was not returned before. */
    freeId(account: string): number {
      const number = seeds.findIndex((one) => one.account === account);
      let next = running.get(account) ?? 0;
      while (orders().has(idOf({ seed, number }, next))) next++;
      running.set(account, next + 1);
      return idOf({ seed, number }, next);
    },
  };
};
