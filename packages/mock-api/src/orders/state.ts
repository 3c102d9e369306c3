import { rejectUnknownFields, text, whole } from '../settings/check.ts';
import { type Json, textOf } from '../settings/json.ts';
import { addKey, newKey, type StoredKey } from './accounts.ts';
import { changeOrder, insertAll } from './change-orders.ts';
import { type Contents, createContents, type Initial } from './contents.ts';
import type { GivenOrder, Listed, Order } from './make-order.ts';
import type { OrderInput } from './order-fields.ts';
import { type Notes, newNotes, readOrder } from './read-order.ts';
import { type Placed, readOrders } from './read-orders.ts';
import type { OrderEntry } from './shown-order.ts';
import type { Status } from './statuses.ts';

/** The initial data of a state. */
export interface StateOptions extends Initial {
  /** Number of orders of the business account (the others have at most as many), or the orders themselves. */
  orders: number | readonly Placed[];
  /** Returns the current time, ms since 1970, for orders inserted without a date. */
  now: () => number;
  /** Called with each created API key. */
  created: (key: string) => void;
  /** Called with a warning about unusual fields and values of given orders. */
  warn: (text: string) => void;
}

/** The orders of an account, before settings are applied. */
export interface OrderList {
  /** Number of orders, optionally with one status. */
  count(status?: Status): number;
  /** Orders `from` to `from + size`, newest first, optionally with one status. */
  page(from: number, size: number, status?: Status): OrderEntry[];
}

export interface InsertedOrder {
  id: number;
  bestellnummer: string;
}

/** The accounts, keys and orders of a mock. Only these calls and the steps of scenarios change them. */
export interface State {
  /** Returns the orders of an account, before settings are applied. @throws Error if the account doesn't exist */
  orders(account: string): OrderList;
  /** Returns the order with this ID, of any account, before settings are applied. @throws Error if it doesn't exist */
  order(id: number): OrderEntry & { detail: Json };
  /** Returns the names, hashes and states of all keys. */
  keys(): StoredKey[];
  /**
   * Creates a key; only this call returns it. Default name: `key` and a number.
   * @throws Error if the account doesn't exist or already has five unrevoked keys (§5.3), or if the name is taken
   */
  createKey(account: string, name?: string): { name: string; key: string };
  /** Revokes a key permanently (§5.3). @throws Error if no key has this name */
  revokeKey(name: string): void;
  /**
   * Sets company and VAT ID (§5.5) from the next request on. An omitted field stays; an empty string removes it.
   * @throws Error if the account doesn't exist, or if a value is not a string
   */
  setBusiness(account: string, registered: { company?: string | undefined; vat_id?: string | undefined }): void;
  /**
   * Inserts an order, which is generated if `input` is omitted. Default date: the mock's current time.
   * @throws Error that names the invalid field, or says that the account doesn't exist or the ID is taken
   */
  insertOrder(account: string, input?: OrderInput): InsertedOrder;
  /**
   * Inserts orders, which can be given as API responses, such as those to GET /orders or GET /orders/{id}. Inserts all
   * or none.
   * @throws Error that lists every problem with its path
   */
  insertOrders(account: string, orders: OrderInput[] | object): InsertedOrder[];
  /** Replaces all orders of an account. If an order is invalid, changes nothing. @throws Error like `insertOrders` */
  replaceOrders(account: string, orders: OrderInput[] | object): InsertedOrder[];
  /** @throws Error if the order doesn't exist */
  removeOrder(id: number): void;
  /** Removes all orders of an account. @throws Error if the account doesn't exist */
  removeOrders(account: string): void;
  /**
   * Changes any fields of an order except its ID, all or none; `deliver` is the number of additional codes. A given
   * `zahlungsstatus` or `lieferstatus` stays until a change names that field; a generated one follows.
   * @throws Error that names the invalid field, or says that the order doesn't exist
   */
  changeOrder(orderId: number, change: OrderInput & { deliver?: number | undefined }): void;
  /** Shorthand for `changeOrder` with only a status (§3). */
  setStatus(orderId: number, status: Status): void;
  /** Delivers up to `count` more codes of an order. Default: all. @throws Error if the order never has any */
  deliverCodes(orderId: number, count?: number): void;
  /** Restores the initial accounts, keys and orders. */
  reset(): void;
}

/** The internal view of the state. */
export interface StateStore extends State {
  /** What responses are made of. A reset replaces the properties of this object, so read them at each use. */
  contents: Contents;
  /**
   * Returns the seeded order at an index, or the newest one if no index is given; `undefined` if the order was removed.
   */
  seeded(account: string, index?: number): InsertedOrder | undefined;
}

export const createState = (options: StateOptions): StateStore => {
  const { now, created, warn } = options;
  /** Runs a change, and warns about unusual fields and values. */
  const noting = <Result>(run: (notes: Notes) => Result): Result => {
    const notes = newNotes();
    const result = run(notes);
    const unusual = [...notes.unusual.values()];
    if (unusual.length > 0)
      warn(`these fields and values are not in the API docs, and are served as given: ${unusual.join(', ')}`);
    if (notes.codes.length > 0) warn(notes.codes.join('; '));
    return result;
  };
  const given = options.orders;
  const own = typeof given === 'number' ? undefined : noting((notes) => readOrders(given, notes));
  // Your own orders replace those of the account `business`; the other accounts keep theirs.
  const seeded = typeof given === 'number' ? given : 120;
  const counts = [own ? 0 : seeded, Math.ceil(seeded / 4), Math.min(seeded, 3), Math.min(seeded, 7)];
  // Orders without a date use the start time, even after a reset.
  const startedAt = now();
  const initial = (): Contents => {
    const made = createContents(options, counts);
    if (own) insertAll(made, 'business', own, startedAt, true);
    return made;
  };
  const contents = initial();
  const orderOf = (id: number): Listed => {
    const order = contents.find(whole()('the order ID', id));
    if (order) return order;
    throw new Error(`there is no order with the id ${id}`);
  };
  const insert = (account: string, read: (notes: Notes) => GivenOrder[], replaces?: boolean): InsertedOrder[] =>
    noting((notes) => {
      contents.account(account);
      return insertAll(contents, account, read(notes), now(), replaces).map(insertedOf);
    });
  const reading = (answers: object) => (notes: Notes) => readOrders([{ at: '', value: answers }], notes);
  const change: State['changeOrder'] = (orderId, fields) =>
    noting((notes) => changeOrder(contents, orderOf(orderId), fields, notes));
  const freeKeyName = (): string => {
    const taken = Array.from(contents.keys.values(), ({ name }) => name);
    let number = taken.length + 1;
    while (taken.includes(`key${number}`)) number++;
    return `key${number}`;
  };
  return {
    contents,
    seeded(account, index) {
      const isWanted = (order: Listed) => order.index !== undefined && order.index === (index ?? order.index);
      const order = contents.list(account).find(isWanted);
      return order && insertedOf(contents.orderOf(order));
    },
    orders(account) {
      contents.account(account);
      const list = (status?: Status) => contents.list(account, status);
      return {
        count: (status) => list(status).length,
        page: (from, size, status) =>
          list(status)
            .slice(from, from + size)
            .map(contents.entryOf),
      };
    },
    order(id) {
      const order = orderOf(id);
      return { ...contents.entryOf(order), detail: contents.detailOf(order) };
    },
    keys: () => Array.from(contents.keys.values(), (key) => ({ ...key })),
    createKey(account, name = freeKeyName()) {
      const key = newKey();
      addKey(contents, account, name, key);
      created(key);
      return { name, key };
    },
    revokeKey(name) {
      contents.keyNamed(name).state = 'revoked';
    },
    setBusiness(account, registered) {
      const held = contents.account(account);
      rejectUnknownFields('an account change', registered, ['company', 'vat_id']);
      const { company = held.company, vat_id = held.vat_id } = registered;
      Object.assign(held, { company: text('company', company), vat_id: text('vat_id', vat_id) });
    },
    insertOrder: (account, input = {}) =>
      insert(account, (notes) => [readOrder(input, 'hand', notes)])[0] as InsertedOrder,
    insertOrders: (account, answers) => insert(account, reading(answers)),
    replaceOrders: (account, answers) => insert(account, reading(answers), true),
    removeOrder: (id) => contents.remove([orderOf(id)]),
    removeOrders: (account) => contents.remove(contents.list(account)),
    changeOrder: change,
    setStatus: (orderId, status) => change(orderId, { status }),
    deliverCodes(orderId, count) {
      change(orderId, { deliver: whole()('count', count ?? Number.MAX_SAFE_INTEGER) });
    },
    reset: () => void Object.assign(contents, initial()),
  };
};

/** Returns the order number as text, even if the order was given with another value. */
const insertedOf = ({ id, list }: Order): InsertedOrder => ({ id, bestellnummer: textOf(list.bestellnummer) });
