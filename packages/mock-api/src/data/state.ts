import { isObject, rejectUnknownFields, text, whole } from '../check.ts';
import {
  type Account,
  fixtureAccounts,
  fixtureKeys,
  named,
  newKey,
  type PlainKeys,
  type StoredKey,
  sha256,
} from './accounts.ts';
import { createFieldNames } from './field-names.ts';
import type { KeySource } from './license-code.ts';
import type { Order, Status } from './order.ts';
import type { OrderInput } from './order-input.ts';
import type { OrderStore, Orders } from './orders.ts';
import { type OwnOrder, type OwnOrders, orderFields, readOrder, readOrders } from './read-orders.ts';
import { orderNumber } from './seed.ts';
import { addKey, type Contents, contentsOf, dumpOf, makeRoom, type StateDump } from './snapshot.ts';

/** Initial data of a state. */
export interface StateOptions {
  seed: number;
  /** Number of orders of the business account (the others have fewer), or the orders themselves. */
  orders: number | OwnOrders;
  licenseKeyPrefix: string;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. */
  newestAt: number | undefined;
  keys: PlainKeys;
  /** ms since 1970, for orders inserted without a date. */
  now: () => number;
  /** Called with a sentence about undocumented fields. */
  warn: (text: string) => void;
}

export interface InsertedOrder {
  id: number;
  bestellnummer: string;
}

/** Accounts, keys and orders of a mock. Only these calls change them, never an API request. */
export interface State {
  /** Returns an account, before settings are applied. @throws Error if the account doesn't exist */
  orders(account: string): Orders;
  /** Returns the order with this ID, of any account. @throws Error if it doesn't exist */
  order(id: number): Order;
  /** Returns the names, hashes and states of all keys. */
  keys(): StoredKey[];
  /** Creates a key; only this call returns it. @throws Error if the account already has five (§5.3) */
  createKey(account: string, name?: string): { name: string; key: string };
  /** Revokes a key permanently (§5.3). */
  revokeKey(name: string): void;
  /** Sets or removes company and VAT ID (§5.5) from the next request on. @throws Error unless they are strings */
  setBusiness(account: string, registered: { company?: string; vat_id?: string }): void;
  /** @throws Error that names the invalid field */
  insertOrder(account: string, input?: OrderInput): InsertedOrder;
  /**
   * Inserts orders, or responses of the API such as GET /orders or GET /orders/{id}: all or none.
   * @throws Error that lists every problem with its path
   */
  insertOrders(account: string, orders: OrderInput[] | object): InsertedOrder[];
  /** Replaces all orders of an account, all or none. @throws Error like `insertOrders` */
  replaceOrders(account: string, orders: OrderInput[] | object): InsertedOrder[];
  removeOrder(id: number): void;
  /** Removes all orders of an account. */
  removeOrders(account: string): void;
  /**
   * Changes any fields of an order, all or none; `deliver` is the number of additional codes.
   * @throws Error that names the invalid field
   */
  changeOrder(orderId: number, change: OrderInput & { deliver?: number }): void;
  /** Shorthand for `changeOrder`. */
  setStatus(orderId: number, status: Status): void;
  /** Delivers up to `count` more codes of an order. */
  deliverCodes(orderId: number, count?: number): void;
  dump(): StateDump;
  /** Loads a dump, all or nothing. @throws Error that names the invalid field */
  load(dump: StateDump): void;
  reset(): void;
}

/** The internal view of the state. */
export interface StateStore extends State {
  keySource: KeySource;
  findKey(hash: string): StoredKey | undefined;
  account(name: string): Account;
  orders(account: string): OrderStore;
  isOrder(id: number): boolean;
}

export const createState = (options: StateOptions): StateStore => {
  const { seed, licenseKeyPrefix, newestAt, now, warn } = options;
  const initialKeys = Object.entries(fixtureKeys).map(([name, { account, state }]) => {
    return { name, account, state, sha256: sha256(options.keys[name as keyof PlainKeys]) };
  });
  const own = typeof options.orders === 'number' ? undefined : options.orders;
  // Own orders replace those of the account `business`; the others keep theirs.
  const seeded = typeof options.orders === 'number' ? options.orders : 120;
  const initialCounts = [own ? 0 : seeded, Math.ceil(seeded / 4), Math.min(seeded, 3), Math.min(seeded, 7)];
  const keySource = { seed, licenseKeyPrefix };
  const freeKeyName = (): string => {
    const taken = new Set(Array.from(contents.keys.values(), ({ name }) => name));
    let number = taken.size + 1;
    while (taken.has(`key${number}`)) number++;
    return `key${number}`;
  };
  let contents: Contents;

  const load = (dump: StateDump): void => {
    contents = contentsOf(dump);
    keySource.seed = contents.seed;
    keySource.licenseKeyPrefix = dump.licenseKeyPrefix ?? licenseKeyPrefix;
  };
  const initial: StateDump = {
    seed,
    newestAt,
    accounts: fixtureAccounts.map((account, n) => ({
      ...account,
      ...(n === 0 && own?.user),
      seededOrders: initialCounts[n] ?? 0,
      removed: [],
      orders: [],
    })),
    keys: initialKeys,
  };
  // Orders without a date use the start time, even after a reset.
  const startedAt = now();
  const reset = (): void => {
    load(initial);
    if (own) insertAll('business', own.orders, startedAt, true);
  };
  const storeOf = (orderId: number): [OrderStore, Order] => {
    whole()('the order id', orderId);
    for (const store of contents.stores.values()) {
      const order = store.find(orderId);
      if (order) return [store, order];
    }
    throw new Error(`there is no order with the id ${orderId}`);
  };

  const isTaken = (id: number): boolean => [...contents.stores.values()].some((store) => store.has(id));
  /** @param mayReplace whether seeded orders of other accounts give up their ID */
  const insertAll = (account: string, orders: readonly OwnOrder[], at: number, mayReplace = false): InsertedOrder[] => {
    const store = named(contents.stores, account);
    const created = Math.floor(at / 1000) * 1000;
    const given = orders.flatMap(({ id }) => id ?? []);
    for (const id of given) {
      if (mayReplace) makeRoom(contents, id);
      else if (isTaken(id)) throw new Error(`the id ${id} belongs to another order`);
    }
    const insert = (own: OwnOrder): number => {
      const id = own.id ?? store.freeId(isTaken);
      const { createdAt = created, delivered, detail } = own;
      const status = (detail.status === undefined ? 'abgeschlossen' : detail.status) as Status;
      store.insert({ id, status, createdAt, delivered, given: own });
      return id;
    };
    // The given IDs first, so that no free one is among them.
    const withId = new Map(orders.filter(({ id }) => id !== undefined).map((own) => [own, insert(own)]));
    return orders.map((own) => {
      const id = withId.get(own) ?? insert(own);
      return { id, bestellnummer: orderNumber(store.find(id) as Order) };
    });
  };
  const readAll = (answers: object): OwnOrder[] => {
    const { orders, user, unknown } = readOrders([{ at: '', value: answers }]);
    if (user) throw new Error('an answer of GET /me is not an order');
    warnOf(unknown, warn);
    return orders;
  };

  const changeOrder: State['changeOrder'] = (orderId, change) => {
    const [store, { plannedCodes, delivered }] = storeOf(orderId);
    if (!isObject(change)) throw new Error('an order change must be an object in the fields of the API');
    const { deliver, ...fields } = change;
    const names = createFieldNames();
    names.check('', change, ['deliver', ...orderFields]);
    if ('id' in fields) throw new Error('the id of an order cannot be changed; insert a new one');
    const own = readOrder(fields, 'hand', names);
    if (deliver !== undefined) {
      const sum = (own.delivered ?? delivered) + whole()('deliver', deliver);
      own.delivered = Math.min(Math.max(delivered, plannedCodes), sum);
    }
    warnOf(names.unknown(), warn);
    const { status: _, ...list } = own.list;
    const { status: setStatus, ...detail } = own.detail;
    store.change(orderId, { ...own, list, detail, setStatus });
  };

  reset();
  return {
    keySource,
    findKey: (hash) => contents.keys.get(hash),
    account: (name) => named(contents.accounts, name),
    orders: (account) => named(contents.stores, account),
    order: (id) => storeOf(id)[1],
    isOrder: isTaken,
    keys: () => Array.from(contents.keys.values(), (key) => ({ ...key })),
    createKey(account, name = freeKeyName()) {
      const key = newKey();
      addKey(contents, { name, account, state: 'active', sha256: sha256(key) });
      return { name, key };
    },
    revokeKey(name) {
      const key = [...contents.keys.values()].find((candidate) => candidate.name === name);
      if (!key) throw new Error(`there is no key named "${name}"`);
      key.state = 'revoked';
    },
    setBusiness(account, registered) {
      const held = named(contents.accounts, account);
      rejectUnknownFields('an account change', registered, ['company', 'vat_id']);
      const { company = held.company, vat_id = held.vat_id } = registered;
      Object.assign(held, { company: text('company', company), vat_id: text('vat_id', vat_id) });
    },
    insertOrder(account, input = {}) {
      named(contents.stores, text('account', account));
      const names = createFieldNames();
      const own = readOrder(input, 'hand', names);
      const [inserted] = insertAll(account, [own], now());
      warnOf(names.unknown(), warn);
      return inserted as InsertedOrder;
    },
    insertOrders(account, answers) {
      named(contents.stores, text('account', account));
      return insertAll(account, readAll(answers), now());
    },
    replaceOrders(account, answers) {
      const store = named(contents.stores, text('account', account));
      const orders = readAll(answers);
      const ids = new Set(orders.map(({ id }) => id));
      const others = [...contents.stores.values()].filter((other) => other !== store);
      const taken = others.flatMap((other) => other.inserted()).find(({ id }) => ids.has(id));
      if (taken) throw new Error(`the id ${taken.id} belongs to another order`);
      for (const { id } of [...store.entries()]) store.remove(id);
      return insertAll(account, orders, now(), true);
    },
    removeOrder: (id) => storeOf(id)[0].remove(id),
    removeOrders(account) {
      const store = named(contents.stores, text('account', account));
      for (const { id } of [...store.entries()]) store.remove(id);
    },
    changeOrder,
    setStatus: (orderId, status) => changeOrder(orderId, { status }),
    deliverCodes(orderId, count) {
      const [, { plannedCodes }] = storeOf(orderId);
      changeOrder(orderId, { deliver: whole()('count', count ?? plannedCodes) });
    },
    dump: () => ({ licenseKeyPrefix: keySource.licenseKeyPrefix, ...dumpOf(contents) }),
    load,
    reset,
  };
};

/** Warns about fields that the API docs do not name, which may be misspelt. */
export const warnOf = (unknown: readonly string[], warn: (text: string) => void): void => {
  if (unknown.length > 0) warn(`fields that the API docs do not name, served as they are: ${unknown.join(', ')}`);
};
