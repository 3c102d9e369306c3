import { isObject, nameText, oneOf, rejectUnknownFields, text, whole } from '../check.ts';
import { latestTime } from '../clock.ts';
import { copyOfJson } from '../json.ts';
import { type Account, keyStates, keysPerAccount, type StoredKey } from './accounts.ts';
import { createOrderStore, type Entry, type OrderStore } from './orders.ts';
import { readOrder } from './read-orders.ts';
import { maxSeed, maxSeededOrders, seedSummary } from './seed.ts';

/** A serialized state. Contains key hashes but no keys, and only the license keys given with inserted orders. */
export interface StateDump {
  seed: number;
  /** Prefix of every license key. Default: that of the loading mock. */
  licenseKeyPrefix?: string;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. Default: 2026-06-30 18:00. */
  newestAt?: number | undefined;
  accounts: (Account & {
    seededOrders: number;
    /** Seeded orders that differ from the seed. */
    changed: Entry[];
    /** IDs of seeded orders that were removed. */
    removed: number[];
    inserted: Entry[];
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

const dumpFields = ['seed', 'licenseKeyPrefix', 'newestAt', 'accounts', 'keys'];
const accountTexts = ['email', 'name', 'company', 'vat_id'] as const;
const accountFields = ['account', 'user_id', ...accountTexts, 'seededOrders', 'changed', 'removed', 'inserted'];
const entryFields = ['id', 'status', 'createdAt', 'index', 'delivered', 'given'];
const keyFields = ['name', 'account', 'sha256', 'state'];

const maxAccounts = 4;

/**
 * Parses a dump.
 * @throws Error that names the invalid field
 */
export const contentsOf = (dump: StateDump): Contents => {
  rejectUnknownFields('a state', dump, dumpFields);
  if (!Array.isArray(dump.accounts) || !Array.isArray(dump.keys)) {
    throw new Error('a state needs seed, accounts and keys, as GET /__mock/state returns them');
  }
  if (dump.accounts.length > maxAccounts) throw new Error(`a state can have at most ${maxAccounts} accounts`);
  const seed = whole(0, maxSeed)('seed', dump.seed);
  if (dump.licenseKeyPrefix !== undefined) text('licenseKeyPrefix', dump.licenseKeyPrefix);
  const { newestAt } = dump;
  if (newestAt !== undefined && whole(0, latestTime)('newestAt', newestAt) % 1000 !== 0)
    throw new Error('newestAt must be in whole seconds: ms since 1970, divisible by 1000');
  const [accounts, stores, keys] = [new Map(), new Map(), new Map()];
  const contents: Contents = { seed, newestAt, accounts, stores, keys };
  each('accounts', dump.accounts, (account) => addAccount(contents, account));
  each('keys', dump.keys, (key) => addKey(contents, key));
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
  const entries = store.entries();
  const seeded = entries.filter(({ index }) => index !== undefined);
  const places = new Set(seeded.map(({ index }) => index));
  const removed = seeded.length === source.count ? [] : [...Array(source.count).keys()].filter((n) => !places.has(n));
  return {
    seededOrders: source.count,
    changed: copyOfJson(seeded.filter(isChanged(store))),
    removed: removed.map((index) => seedSummary(source, index).id),
    inserted: copyOfJson(entries.filter(({ index }) => index === undefined)),
  };
};

const isChanged =
  ({ source }: OrderStore) =>
  ({ index = 0, status, delivered, given }: Entry): boolean =>
    given !== undefined || delivered !== undefined || status !== seedSummary(source, index).status;

/** Returns the value for an account name. @throws Error if the account doesn't exist */
export const named = <Value>(map: Map<string, Value>, account: string): Value => {
  const value = map.get(account);
  if (value !== undefined) return value;
  throw new Error(`there is no account "${account}"; the accounts are ${[...map.keys()].join(', ')}`);
};

/** @throws Error if the key breaks a rule of the API docs (§5.2, §5.3) */
export const addKey = ({ accounts, keys }: Contents, key: StoredKey): void => {
  rejectUnknownFields('a key', key, keyFields);
  const { name, account, sha256, state } = key;
  nameText('name', name);
  named(accounts, text('account', account));
  if (!/^[0-9a-f]{64}$/.test(text('sha256', sha256))) throw new Error('sha256 must be 64 hex digits in lower case');
  oneOf(keyStates)('state', state);
  if (keys.has(sha256)) throw new Error('a key belongs to exactly one account (§5.2)');
  const held = [...keys.values()];
  if (held.some((other) => other.name === name)) throw new Error(`there is a key named "${name}" already`);
  const counting = held.filter((other) => other.account === account && other.state !== 'revoked');
  if (state !== 'revoked' && counting.length === keysPerAccount) {
    throw new Error(`the account "${account}" has ${keysPerAccount} keys already (§5.3); revoke one first`);
  }
  keys.set(sha256, { ...key });
};

const addAccount = (contents: Contents, given: StateDump['accounts'][number]): void => {
  const { seed, newestAt, accounts, stores } = contents;
  rejectUnknownFields('an account', given, accountFields);
  const { account, user_id, email, name, company, vat_id, seededOrders, changed, removed, inserted } = given;
  nameText('account', account);
  if (accounts.has(account)) throw new Error(`there is an account named "${account}" already`);
  whole()('user_id', user_id);
  for (const field of accountTexts) text(field, given[field]);
  whole(0, maxSeededOrders)('seededOrders', seededOrders);
  const store = createOrderStore({ seed, account: accounts.size, count: seededOrders, newestAt });
  const take = (id: unknown): void => {
    if (!store.has(whole()('id', id))) throw new Error(`the account has no seeded order with the id ${id}`);
    store.remove(id as number);
  };
  each('removed', removed, take);
  each('changed', changed, (entry) => {
    checkEntry(entry);
    const { index } = store.entries().find(({ id }) => id === entry.id) ?? {};
    take(entry.id);
    store.insert(copyOfJson({ ...entry, index: index as number }));
  });
  accounts.set(account, { account, user_id, email, name, company, vat_id });
  each('inserted', inserted, (entry) => {
    checkEntry(entry);
    if (store.has(entry.id)) throw new Error(`the id ${entry.id} belongs to another order`);
    makeRoom(contents, entry.id);
    store.insert(copyOfJson(entry));
  });
  stores.set(account, store);
  for (const { id } of [...stores.values()].filter((other) => other !== store).flatMap((other) => other.inserted())) {
    if (store.has(id)) store.remove(id);
  }
};

/** Removes the seeded order of another account that has this ID. @throws Error if it is an own order */
export const makeRoom = ({ stores }: Contents, id: number): void => {
  for (const store of stores.values()) {
    if (!store.has(id)) continue;
    if (store.inserted().some((own) => own.id === id)) throw new Error(`the id ${id} belongs to another order`);
    store.remove(id);
  }
};

const checkEntry = (entry: Entry): void => {
  rejectUnknownFields('an order of a state', entry, entryFields);
  const { id, createdAt, delivered, given } = entry;
  whole(1)('id', id);
  whole(0, latestTime)('createdAt', createdAt);
  if (delivered !== undefined) whole()('delivered', delivered);
  if (given === undefined) return;
  rejectUnknownFields('given', given, ['id', 'createdAt', 'delivered', 'list', 'detail', 'status']);
  if (!isObject(given.list) || !isObject(given.detail)) throw new Error('given must be an object with list and detail');
  readOrder(given.list, 'list');
  readOrder(given.detail, 'detail');
};

/** Parses an array; errors contain the index. */
const each = <Item>(name: string, list: readonly Item[], read: (item: Item) => void): void => {
  if (!Array.isArray(list)) throw new Error(`${name} must be an array`);
  for (const [n, item] of list.entries()) {
    try {
      read(item);
    } catch (error) {
      throw new Error(`${name}[${n}]: ${(error as Error).message}`);
    }
  }
};
