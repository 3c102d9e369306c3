import { latestTime } from '../limit/clock.ts';
import { isObject, nameText, optional, type Reader, readFields, text, whole } from '../settings/check.ts';
import { copyOfJson, textOf } from '../settings/json.ts';
import { type Account, addKey, type Registry, type StoredKey } from './accounts.ts';
import type { KeySource } from './license-codes.ts';
import type { Given, Order } from './order.ts';
import { createOrders, type Orders } from './orders.ts';
import { readOrder } from './read-order.ts';
import { maxSeed } from './seed.ts';

/**
 * A serialized state. Contains hashes of API keys but no API keys, and only those license keys that were given with
 * orders.
 */
export interface StateDump {
  seed: number;
  /** Prefix of every license key. Default: the prefix of the mock that loads the dump. */
  licenseKeyPrefix?: string;
  accounts: (Account & {
    /** The orders, newest first. Seeded orders have an `index`, from which their fields are computed again. */
    orders: Omit<Order, 'account'>[];
  })[];
  keys: StoredKey[];
}

/** The contents of a state. */
export interface Contents extends Registry, KeySource {
  orders: Orders;
}

/** Reads an array; errors contain the index. */
const each =
  <Item>(read: (item: unknown) => Item): Reader<Item[]> =>
  (name, list) => {
    if (!Array.isArray(list)) throw new Error(`${name} must be an array`);
    return Array.from(list, (item, n) => {
      try {
        return read(item);
      } catch (error) {
        throw new Error(`${name}[${n}]: ${(error as Error).message}`);
      }
    });
  };

const readGiven: Reader<Given> = (name, value) => {
  const { list, detail } = (isObject(value) ? value : {}) as Partial<Given>;
  if (!isObject(list) || !isObject(detail)) throw new Error(`${name} must be an object with list and detail`);
  readOrder(list, 'list');
  readOrder(detail, 'detail');
  return copyOfJson(value as Given);
};

const orderReaders = {
  id: whole(1),
  status: optional((_: string, status: unknown) => status as Order['status']),
  createdAt: whole(0, latestTime),
  index: optional(whole()),
  delivered: optional(whole()),
  given: optional(readGiven),
};

const accountReaders = { account: nameText, user_id: whole(), email: text, name: text, company: text, vat_id: text };

/**
 * Parses a dump.
 * @param licenseKeyPrefix the prefix for a dump without one
 * @throws Error that names the invalid field
 */
export const contentsOf = (dump: StateDump, licenseKeyPrefix: string): Contents => {
  const accounts = new Map<string, Account>();
  const orders = new Map<number, Order>();
  const keys = new Map<string, StoredKey>();
  const addAccount = (given: unknown): void => {
    const read = each((order) =>
      readFields<Omit<Order, 'account'>>('an order in a state', order, orderReaders as never),
    );
    const readers = { ...accountReaders, orders: read };
    const { orders: own, ...account } = readFields<StateDump['accounts'][number]>('an account', given, readers);
    const { account: name } = account;
    if (accounts.has(name)) throw new Error(`there is already an account named "${name}"; choose a different name`);
    accounts.set(name, account);
    for (const order of own) {
      if (orders.has(order.id)) throw new Error(`the id ${order.id} belongs to another order; choose a different id`);
      const { list, detail } = order.given ?? {};
      for (const { id = order.id } of [list ?? {}, detail ?? {}]) {
        if (textOf(id) !== String(order.id))
          throw new Error(
            `the order with the id ${order.id} is given with the id ${textOf(id)}; use the same id in both`,
          );
      }
      orders.set(order.id, { account: name, ...order });
    }
  };
  const read = readFields<StateDump>('a state', dump, {
    seed: whole(0, maxSeed),
    licenseKeyPrefix: optional(text) as Reader<string>,
    accounts: each(addAccount) as Reader<never>,
    keys: each((key) => addKey({ accounts, keys }, key)) as Reader<never>,
  });
  return { licenseKeyPrefix, ...read, accounts, keys, orders: createOrders([...orders.values()]) };
};

/** Serializes the contents. */
export const dumpOf = ({ seed, licenseKeyPrefix, accounts, keys, orders }: Contents): StateDump => ({
  seed,
  licenseKeyPrefix,
  accounts: Array.from(accounts.values(), (account) => ({
    ...account,
    orders: copyOfJson(orders.of(account.account).map(({ account: _, ...order }) => order)),
  })),
  keys: Array.from(keys.values(), (key) => ({ ...key })),
});
