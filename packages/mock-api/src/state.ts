import {
  type Account,
  type FixtureKey,
  fixtureAccounts,
  fixtureKeys,
  keysPerAccount,
  newKey,
  type PlainKeys,
  type StoredKey,
  sha256,
} from './accounts.ts';
import type { KeySource } from './license-code.ts';
import { type Order, type Status, statuses } from './order.ts';
import { createOrderBook, type OrderBook, type OrderChange } from './order-book.ts';
import { draftOf, draftOrder, type OrderDraft } from './order-draft.ts';
import { orderNumber } from './seed.ts';

/** Where a state starts. */
export interface StateOptions {
  seed: number;
  /** Orders of the business account; the others have fewer. */
  orders: number;
  licenseKeyPrefix: string;
  keys: PlainKeys;
  /** ms since 1970, for orders inserted without a date. */
  now: () => number;
}

/** A state as data: key hashes, never keys; no license key either, since those are computed. */
export interface StateDump {
  seed: number;
  accounts: (Account & {
    seededOrders: number;
    changed: { id: number; change: OrderChange }[];
    inserted: OrderDraft[];
  })[];
  keys: StoredKey[];
}

/** Accounts, keys and orders of one mock. No request changes them; only these calls do. */
export interface State {
  keySource: KeySource;
  findKey(hash: string): StoredKey | undefined;
  account(name: string): Account;
  orders(account: string): OrderBook;
  /** The order of an id, whose ever it is. @throws Error where there is none */
  order(id: number): Order;
  /** Names, hashes and states of all keys. */
  keys(): StoredKey[];
  /** Makes a key and shows it, this one time. @throws Error when the account has five already (§5.3) */
  createKey(account: string, name?: string): { name: string; key: string };
  /** Revokes a key for good (§5.3). */
  revokeKey(name: string): void;
  /** Registers or removes company and VAT ID (§5.5); from the next request on. */
  setBusiness(account: string, registered: { company?: string; vatId?: string }): void;
  insertOrder(account: string, draft?: OrderDraft): { id: number; bestellnummer: string };
  setStatus(orderId: number, status: Status): void;
  /** Delivers `count` more codes of an order, or all that are left. */
  deliverCodes(orderId: number, count?: number): void;
  dump(): StateDump;
  /** Takes over a dump. @throws Error when it breaks a rule of the text */
  load(dump: StateDump): void;
  reset(): void;
}

export function createState(options: StateOptions): State {
  const { seed, licenseKeyPrefix, now } = options;
  const initialKeys = Object.entries(fixtureKeys).map(([name, { account, state }]) => {
    return { name, account, state, sha256: sha256(options.keys[name as FixtureKey]) };
  });
  const initialCounts = [
    options.orders,
    Math.ceil(options.orders / 4),
    Math.min(options.orders, 3),
    Math.min(options.orders, 7),
  ];
  const keySource = { seed, licenseKeyPrefix };
  const accounts = new Map<string, Account>();
  const books = new Map<string, OrderBook>();
  const keys = new Map<string, StoredKey>();

  const load = (dump: StateDump): void => {
    refuseBrokenDump(dump);
    accounts.clear();
    books.clear();
    keys.clear();
    keySource.seed = dump.seed;
    dump.accounts.forEach(({ seededOrders, changed, inserted, ...account }, number) => {
      accounts.set(account.name, account);
      const book = createOrderBook({ seed: dump.seed, account: number, count: seededOrders });
      for (const draft of inserted) book.insert((id) => draftOrder(draft, id, now()));
      for (const { id, change } of changed) book.change(id, change);
      books.set(account.name, book);
    });
    for (const key of dump.keys) keys.set(key.sha256, { ...key });
  };
  const reset = (): void =>
    load({
      seed,
      accounts: fixtureAccounts.map((account, n) => {
        return { ...account, seededOrders: initialCounts[n] ?? 0, changed: [], inserted: [] };
      }),
      keys: initialKeys,
    });
  const known = <Value>(map: Map<string, Value>, name: string): Value => {
    const value = map.get(name);
    if (value === undefined)
      throw new Error(`there is no account "${name}"; the accounts are ${[...map.keys()].join(', ')}`);
    return value;
  };
  const bookOf = (orderId: number): [OrderBook, Order] => {
    for (const book of books.values()) {
      const order = book.find(orderId);
      if (order) return [book, order];
    }
    throw new Error(`there is no order with the id ${orderId}`);
  };

  reset();
  return {
    keySource,
    findKey: (hash) => keys.get(hash),
    account: (name) => known(accounts, name),
    orders: (account) => known(books, account),
    order: (id) => bookOf(id)[1],
    keys: () => Array.from(keys.values(), (key) => ({ ...key })),
    createKey(account, name = `key${keys.size + 1}`) {
      known(accounts, account);
      const held = [...keys.values()];
      if (held.some((key) => key.name === name)) throw new Error(`there is a key named "${name}" already`);
      refuseSixthKey(account, held.filter((key) => key.account === account && key.state !== 'revoked').length + 1);
      const key = newKey();
      keys.set(sha256(key), { name, account, state: 'active', sha256: sha256(key) });
      return { name, key };
    },
    revokeKey(name) {
      const key = [...keys.values()].find((candidate) => candidate.name === name);
      if (!key) throw new Error(`there is no key named "${name}"`);
      key.state = 'revoked';
    },
    setBusiness(account, registered) {
      const { company, vatId } = registered;
      Object.assign(
        known(accounts, account),
        company === undefined ? {} : { company },
        vatId === undefined ? {} : { vatId },
      );
    },
    insertOrder(account, draft = {}) {
      const order = known(books, account).insert((id) => draftOrder(draft, id, now()));
      return { id: order.id, bestellnummer: orderNumber(order) };
    },
    setStatus(orderId, status) {
      if (!statuses.includes(status)) throw new Error(`status is one of ${statuses.join(', ')}, not "${status}"`);
      bookOf(orderId)[0].change(orderId, { status });
    },
    deliverCodes(orderId, count = 1024) {
      if (!Number.isSafeInteger(count) || count < 0)
        throw new Error(`count is a whole number from 0 up, not "${count}"`);
      const [book, order] = bookOf(orderId);
      book.change(orderId, { delivered: Math.min(1024, order.delivered + count) });
    },
    dump: () => ({
      seed: keySource.seed,
      accounts: Array.from(accounts.values(), (account) => {
        const book = known(books, account.name);
        return {
          ...account,
          seededOrders: book.source.count,
          changed: book.changes(),
          inserted: book.inserted().map(draftOf),
        };
      }),
      keys: Array.from(keys.values(), (key) => ({ ...key })),
    }),
    load,
    reset,
  };
}

function refuseSixthKey(account: string, count: number): void {
  if (count > keysPerAccount) {
    throw new Error(`the account "${account}" has ${keysPerAccount} keys already (§5.3); revoke one first`);
  }
}

function refuseBrokenDump(dump: StateDump): void {
  if (!Number.isSafeInteger(dump?.seed) || !Array.isArray(dump.accounts) || !Array.isArray(dump.keys)) {
    throw new Error('a state has seed, accounts and keys, as GET /__mock/state gives them');
  }
  if (dump.accounts.length > 4) throw new Error('a state holds at most four accounts');
  const hashes = new Set<string>();
  for (const key of dump.keys) {
    if (!/^[0-9a-f]{64}$/.test(key.sha256)) throw new Error(`keys: "${key.name}" needs sha256, 64 hex digits`);
    if (hashes.has(key.sha256)) throw new Error('keys: a key belongs to exactly one account (§5.2)');
    hashes.add(key.sha256);
    if (!dump.accounts.some((account) => account.name === key.account)) {
      throw new Error(`keys: "${key.name}" belongs to no account of the state`);
    }
  }
  for (const { name } of dump.accounts) {
    refuseSixthKey(name, dump.keys.filter((key) => key.account === name && key.state !== 'revoked').length);
  }
}
