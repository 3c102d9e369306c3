import { hash } from 'node:crypto';
import { text } from '../settings/check.ts';
import type { Json } from '../settings/json.ts';
import { type Account, fixtureAccounts, fixtureKeys, type PlainKeys, type StoredKey } from './accounts.ts';
import type { KeySource } from './license-codes.ts';
import { type Listed, makeOrder, type Order } from './make-order.ts';
import { idOf, seededGiven, seededOrders } from './seed.ts';
import { detailOf, entryOf, type OrderEntry } from './shown-order.ts';
import type { Status } from './statuses.ts';

export type Contents = ReturnType<typeof createContents>;

/** Sorts the newest order first, and orders with equal dates by descending ID. */
const compare = (a: Listed, b: Listed): number => b.createdAt - a.createdAt || b.id - a.id;

/** The initial data of a mock. */
export interface Initial extends KeySource {
  keys: PlainKeys;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. */
  newestAt: number | undefined;
}

/**
 * Creates the contents of a mock. The seeded orders are computed when an order is first read.
 * @param counts the number of seeded orders of each account
 */
export const createContents = (initial: Initial, counts: readonly number[]) => {
  const { seed, newestAt } = initial;
  const accounts = new Map(fixtureAccounts.map((one) => [one.account, { ...one }]));
  /** What the seeded orders of each account are computed from, and the sequence number of its next ID. */
  const seeds = fixtureAccounts.map(({ account }, number) => {
    const count = counts[number] ?? 0;
    return { seed, account, number, count, newestAt, next: count };
  });
  /** By hash. */
  const keys = new Map<string, StoredKey>();
  for (const [name, held] of Object.entries(fixtureKeys)) {
    const sha256 = hash('sha256', initial.keys[name as keyof PlainKeys]);
    keys.set(sha256, { name, ...held, sha256 });
  }
  let all: Map<number, Listed> | undefined;
  const orders = (): Map<number, Listed> => {
    all ??= new Map(seeds.flatMap(seededOrders).map((order) => [order.id, order]));
    return all;
  };
  /** The sorted lists by account and status, cached until the next change. */
  const lists = new Map<string, readonly Listed[]>();
  /** A cache, since the same orders appear in many lists. */
  const entries = new WeakMap<Listed, OrderEntry>();

  /** @throws Error if the account doesn't exist */
  const account = (name: string): Account => {
    const found = accounts.get(name);
    if (found) return found;
    const known = [...accounts.keys()].join(', ');
    throw new Error(`there is no account "${text('account', name)}"; the accounts are ${known}`);
  };
  /** Returns a complete order. */
  const orderOf = (listed: Listed): Order => {
    if ('detail' in listed) return listed as Order;
    // Seeded orders contain the account as it was at the start, whenever they are read.
    const owner = fixtureAccounts.find((one) => one.account === listed.account) as Account;
    return makeOrder(listed, seededGiven(seed, listed), owner);
  };
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
    find: (id: number): Listed | undefined => orders().get(id),
    /**
     * Returns the orders of an account, newest first, optionally with one status.
     * @throws Error if the account doesn't exist
     */
    list(owner: string, status?: Status): readonly Listed[] {
      const name = JSON.stringify([account(owner).account, status]);
      const known = lists.get(name);
      if (known) return known;
      const isListed = (order: Listed) => order.account === owner && (status === undefined || order.status === status);
      const list = Array.from(orders().values()).filter(isListed).sort(compare);
      lists.set(name, list);
      return list;
    },
    orderOf,
    entryOf(listed: Listed): OrderEntry {
      const known = entries.get(listed);
      if (known) return known;
      const entry = entryOf(orderOf(listed));
      entries.set(listed, entry);
      return entry;
    },
    /** Returns the detail that responses show, as a copy that the caller can change. */
    detailOf: (listed: Listed): Json => detailOf(orderOf(listed), initial),
    /** Adds an order, or replaces the order that has the same ID. */
    set(order: Order): void {
      orders().set(order.id, order);
      lists.clear();
    },
    remove(removed: readonly Listed[]): void {
      for (const { id } of removed) orders().delete(id);
      lists.clear();
    },
    /** Returns an ID that no order has, and that was not returned before. */
    freeId(account: string): number {
      const source = seeds.find((one) => one.account === account) as (typeof seeds)[number];
      while (orders().has(idOf(source, source.next))) source.next++;
      return idOf(source, source.next++);
    },
  };
};
