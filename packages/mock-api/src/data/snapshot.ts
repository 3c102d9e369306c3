import { isObject, nameText, oneOf, optional, type Reader, readFields, text, whole } from '../check.ts';
import { latestTime } from '../clock.ts';
import { copyOfJson } from '../json.ts';
import { type Account, keyStates, keysPerAccount, named, type StoredKey } from './accounts.ts';
import { createOrderStore, type Entry, type OrderStore } from './orders.ts';
import { type OwnOrder, readOrder } from './read-orders.ts';
import { idOf, maxSeed, maxSeededOrders, statusOf } from './seed.ts';

/** A serialized state. Contains key hashes but no keys, and only the license keys given with own orders. */
export interface StateDump {
  seed: number;
  /** Prefix of every license key. Default: that of the loading mock. */
  licenseKeyPrefix?: string;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. Default: 2026-06-30 18:00. */
  newestAt?: number | undefined;
  accounts: (Account & {
    seededOrders: number;
    /** IDs of seeded orders that were removed. */
    removed: number[];
    /** Own orders, and seeded ones (with `index`) that differ from the seed. */
    orders: Entry[];
  })[];
  keys: StoredKey[];
}

/** The contents of a state: accounts and their orders by name, keys by hash. */
export interface Contents {
  seed: number;
  newestAt: number | undefined;
  accounts: Map<string, Account>;
  stores: Map<string, OrderStore>;
  keys: Map<string, StoredKey>;
}

const maxAccounts = 4;

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

const readGiven: Reader<OwnOrder> = (name, value) => {
  const { list, detail } = (isObject(value) ? value : {}) as Partial<OwnOrder>;
  if (!isObject(list) || !isObject(detail)) throw new Error(`${name} must be an object with list and detail`);
  readOrder(list, 'list');
  readOrder(detail, 'detail');
  return copyOfJson(value as OwnOrder);
};

const entryReaders = {
  id: whole(1),
  status: optional((_: string, status: unknown) => status as Entry['status']),
  createdAt: whole(0, latestTime),
  index: optional(whole()),
  delivered: optional(whole()),
  given: optional(readGiven),
};

const accountReaders = {
  account: nameText,
  user_id: whole(),
  email: text,
  name: text,
  company: text,
  vat_id: text,
  seededOrders: whole(0, maxSeededOrders),
  removed: each((id) => whole()('id', id)),
  orders: each((entry) => readFields<Entry>('an order of a state', entry, entryReaders as never)),
};

const readAccount = (given: unknown) => readFields<StateDump['accounts'][number]>('an account', given, accountReaders);

/** Parses a dump. @throws Error that names the invalid field */
export const contentsOf = (dump: StateDump): Contents => {
  const contents: Contents = {
    seed: 0,
    newestAt: undefined,
    accounts: new Map(),
    stores: new Map(),
    keys: new Map(),
  };
  const wholeSeconds: Reader<number> = (name, value) => {
    if (whole(0, latestTime)(name, value) % 1000 === 0) return value as number;
    throw new Error(`${name} must be in whole seconds: ms since 1970, divisible by 1000`);
  };
  readFields<Record<keyof StateDump, unknown>>('a state', dump, {
    seed: (name, seed) => (contents.seed = whole(0, maxSeed)(name, seed)),
    licenseKeyPrefix: optional(text),
    newestAt: optional((name, at) => (contents.newestAt = wholeSeconds(name, at))),
    accounts(name, accounts) {
      if (Array.isArray(accounts) && accounts.length > maxAccounts)
        throw new Error(`a state can have at most ${maxAccounts} accounts`);
      return each((account) => addAccount(contents, readAccount(account)))(name, accounts);
    },
    keys: each((key) => addKey(contents, key as StoredKey)),
  });
  return contents;
};

/** Serializes the contents. */
export const dumpOf = ({ seed, newestAt, accounts, stores, keys }: Contents): StateDump => ({
  seed,
  newestAt,
  accounts: Array.from(accounts.values(), (account) => ({ ...account, ...ordersOf(named(stores, account.account)) })),
  keys: Array.from(keys.values(), (key) => ({ ...key })),
});

const ordersOf = (store: OrderStore) => {
  const { source } = store;
  const places = new Set(store.entries().map(({ index }) => index));
  const removed = [...Array(source.count).keys()].filter((index) => !places.has(index));
  const isChanged = ({ index, status, delivered, given }: Entry): boolean =>
    index === undefined || given !== undefined || delivered !== undefined || status !== statusOf(source, index);
  return {
    seededOrders: source.count,
    removed: removed.map((index) => idOf(source, source.count - 1 - index)),
    orders: copyOfJson(store.entries().filter(isChanged)),
  };
};

const keyReaders = { name: nameText, account: text, sha256: text, state: oneOf(keyStates) };

/** @throws Error if the key breaks a rule of the API docs (§5.2, §5.3) */
export const addKey = ({ accounts, keys }: Contents, given: StoredKey): void => {
  const key = readFields<StoredKey>('a key', given, keyReaders);
  const { name, account, sha256, state } = key;
  named(accounts, account);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('sha256 must be 64 hex digits in lower case');
  if (keys.has(sha256)) throw new Error('a key belongs to exactly one account (§5.2)');
  const held = [...keys.values()];
  if (held.some((other) => other.name === name)) throw new Error(`there is a key named "${name}" already`);
  const counting = held.filter((other) => other.account === account && other.state !== 'revoked');
  if (state !== 'revoked' && counting.length === keysPerAccount) {
    throw new Error(`the account "${account}" has ${keysPerAccount} keys already (§5.3); revoke one first`);
  }
  keys.set(sha256, key);
};

const addAccount = (contents: Contents, given: StateDump['accounts'][number]): void => {
  const { seed, newestAt, accounts, stores } = contents;
  const { seededOrders, removed, orders, ...account } = given;
  if (accounts.has(account.account)) throw new Error(`there is an account named "${account.account}" already`);
  const store = createOrderStore({ seed, account: accounts.size, count: seededOrders, newestAt });
  for (const id of removed) {
    if (!store.has(id)) throw new Error(`the account has no seeded order with the id ${id}`);
    store.remove(id);
  }
  for (const entry of orders) {
    const isSeeded = entry.index !== undefined;
    if (isSeeded && store.entry(entry.id)?.index !== entry.index)
      throw new Error(`the account has no seeded order with the id ${entry.id} and the index ${entry.index}`);
    if (!isSeeded && store.has(entry.id)) throw new Error(`the id ${entry.id} belongs to another order`);
    if (isSeeded) store.remove(entry.id);
    else makeRoom(contents, entry.id);
    store.insert(entry);
  }
  accounts.set(account.account, account);
  stores.set(account.account, store);
  for (const { id } of [...stores.values()].filter((other) => other !== store).flatMap((other) => other.inserted())) {
    if (store.has(id)) store.remove(id);
  }
};

/** Removes the seeded order of another account that has this ID. @throws Error if it is an own order */
export const makeRoom = ({ stores }: Contents, id: number): void => {
  for (const store of stores.values()) {
    const entry = store.entry(id);
    if (entry && entry.index === undefined) throw new Error(`the id ${id} belongs to another order`);
    if (entry) store.remove(id);
  }
};
