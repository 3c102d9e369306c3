import { refuseUnknownFields } from '../validate/fields.ts';
import { text, wholeNumber } from '../validate/values.ts';
import {
  type Account,
  fixtureAccounts,
  fixtureKeys,
  newKey,
  type PlainKeys,
  type StoredKey,
  sha256,
} from './accounts.ts';
import { type OrderChangeInput, orderChangeFields, readOrderChange } from './input/order-change.ts';
import { type OrderInput, orderFromInput } from './input/order-input.ts';
import { type OwnOrders, readOwnOrders } from './input/own-orders.ts';
import type { KeySource } from './license-code.ts';
import type { Order, Status } from './order.ts';
import type { OrderStore, Orders } from './order-store.ts';
import { orderNumber } from './seed.ts';
import { addKey, type Contents, contentsOf, dumpOf, named, type StateDump } from './snapshot.ts';
import { utcText } from './utc-time.ts';

/** Initial data of a state. */
export interface StateOptions {
  seed: number;
  /** Number of orders of the business account (the others have fewer), or the orders themselves. */
  orders: number | OwnOrders;
  /** A saved state; overrides all of these. */
  initial?: StateDump | undefined;
  licenseKeyPrefix: string;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. */
  newestAt: number | undefined;
  keys: PlainKeys;
  /** ms since 1970, for orders inserted without a date. */
  now: () => number;
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
  insertOrder(account: string, input?: OrderInput): { id: number; bestellnummer: string };
  /**
   * Inserts orders in the API format, such as a GET /orders or GET /orders/{id} answer: all or none.
   * @throws Error with the path and the problem
   */
  insertOrders(account: string, answers: object): { id: number; bestellnummer: string }[];
  /**
   * Applies all of a change or nothing; `deliver` is the number of additional codes.
   * @throws Error that names the invalid field
   */
  changeOrder(orderId: number, change: OrderChangeInput & { deliver?: number }): void;
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
  const { seed, licenseKeyPrefix, newestAt, now } = options;
  const initialKeys = Object.entries(fixtureKeys).map(([name, { account, state }]) => {
    return { name, account, state, sha256: sha256(options.keys[name as keyof PlainKeys]) };
  });
  const { seeded, own } =
    typeof options.orders === 'number' ? { seeded: options.orders } : { seeded: 0, own: options.orders };
  const initialCounts = [seeded, Math.ceil(seeded / 4), Math.min(seeded, 3), Math.min(seeded, 7)];
  // Orders without a date use the start time, even after a reset.
  const created_at = utcText(now());
  const ownOrders = own?.orders.map((order) => ({ created_at, ...order })) ?? [];
  const keySource = { seed, licenseKeyPrefix };
  const freeKeyName = (): string => {
    const taken = new Set(Array.from(contents.keys.values(), ({ name }) => name));
    let number = taken.size + 1;
    while (taken.has(`key${number}`)) number++;
    return `key${number}`;
  };
  let contents: Contents;

  const load = (dump: StateDump): void => {
    contents = contentsOf(dump, now());
    keySource.seed = contents.seed;
    keySource.licenseKeyPrefix = dump.licenseKeyPrefix ?? licenseKeyPrefix;
  };
  const initial: StateDump = options.initial ?? {
    seed,
    newestAt,
    accounts: fixtureAccounts.map((account, n) => ({
      ...account,
      ...(n === 0 && own?.user),
      seededOrders: initialCounts[n] ?? 0,
      changed: [],
      inserted: n === 0 ? ownOrders : [],
    })),
    keys: initialKeys,
  };
  const reset = (): void => load(initial);
  const storeOf = (orderId: number): [OrderStore, Order] => {
    wholeNumber('the order id', orderId);
    for (const store of contents.stores.values()) {
      const order = store.find(orderId);
      if (order) return [store, order];
    }
    throw new Error(`there is no order with the id ${orderId}`);
  };

  const changeOrder: State['changeOrder'] = (orderId, change) => {
    refuseUnknownFields('an order change', change, [...orderChangeFields, 'deliver']);
    const { deliver, ...rest } = change;
    const [store, { plannedCodes, delivered }] = storeOf(orderId);
    const checked = readOrderChange(rest);
    if (deliver !== undefined) {
      const sum = (checked.delivered ?? delivered) + wholeNumber('deliver', deliver);
      checked.delivered = Math.min(Math.max(delivered, plannedCodes), sum);
    }
    store.change(orderId, checked);
  };

  reset();
  return {
    keySource,
    findKey: (hash) => contents.keys.get(hash),
    account: (name) => named(contents.accounts, name),
    orders: (account) => named(contents.stores, account),
    order: (id) => storeOf(id)[1],
    isOrder: (id) => contents.ids.isTaken(id),
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
      refuseUnknownFields('an account change', registered, ['company', 'vat_id']);
      const { company = held.company, vat_id = held.vat_id } = registered;
      Object.assign(held, { company: text('company', company), vat_id: text('vat_id', vat_id) });
    },
    insertOrder(account, input = {}) {
      const order = named(contents.stores, text('account', account)).insert((id) => orderFromInput(input, id, now()));
      return { id: order.id, bestellnummer: orderNumber(order) };
    },
    insertOrders(account, answers) {
      const store = named(contents.stores, text('account', account));
      const { orders, user } = readOwnOrders([{ at: '', value: answers }]);
      if (user) throw new Error('an answer of GET /me is not an order');
      const taken = orders.find(({ id }) => id !== undefined && contents.ids.isTaken(id));
      if (taken) throw new Error(`the id ${taken.id} belongs to another order`);
      return orders.map((input) => {
        const order = store.insert((id) => orderFromInput(input, id, now()));
        return { id: order.id, bestellnummer: orderNumber(order) };
      });
    },
    changeOrder,
    setStatus: (orderId, status) => changeOrder(orderId, { status }),
    deliverCodes(orderId, count) {
      const [, { plannedCodes }] = storeOf(orderId);
      changeOrder(orderId, { deliver: wholeNumber('count', count ?? plannedCodes) });
    },
    dump: () => ({ licenseKeyPrefix: keySource.licenseKeyPrefix, ...dumpOf(contents) }),
    load,
    reset,
  };
};
