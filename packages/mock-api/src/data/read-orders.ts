import { isObject, oneOf, rejectUnknownFields, shown, text, whole } from '../check.ts';
import { copyOfJson, type Json, numberText } from '../json.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { readDate } from '../utc-time.ts';
import type { Account } from './accounts.ts';
import { createFieldNames, type FieldNames } from './field-names.ts';
import type { Given } from './order.ts';
import { itemHelpers } from './order-input.ts';

export type User = Partial<Omit<Account, 'account'>>;

/** An order as given, with what was read from it. */
export interface OwnOrder extends Given {
  id?: number | undefined;
  /** ms since 1970, in whole seconds; `undefined` for an order without a date. */
  createdAt?: number | undefined;
  delivered?: number | undefined;
}

export interface OwnOrders {
  orders: OwnOrder[];
  /** From a response of GET /me. */
  user?: User;
  /** Fields that the API docs do not name. */
  unknown: string[];
}

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

const fieldsOf = (object: keyof typeof documentedFields): readonly string[] => documentedFields[object];
const [listFields, detailFields] = [fieldsOf('orders[]'), fieldsOf('order')];
const [itemFields, codeFields] = [fieldsOf('items[]'), fieldsOf('license_codes[]')];

/** Every field of an order that a caller can set. */
export const orderFields: readonly string[] = [...listFields, ...detailFields, 'delivered'];

/** Where an order comes from: a response shows whether a field belongs to list or detail; a hand-written order doesn't. */
type Source = 'hand' | 'list' | 'detail';

/**
 * Reads orders in the fields of the API: details and lists, with or without envelope, responses of GET /me, hand-written
 * orders, or arrays of these. Merges the list entry and the detail of an ID; later values override earlier ones.
 * @throws Error that lists every problem with its path
 */
export const readOrders = (values: readonly Placed[]): OwnOrders => {
  const orders: OwnOrder[] = [];
  /** The status that each order was given last. */
  const statuses: unknown[] = [];
  const places = new Map<number, number>();
  const problems: string[] = [];
  const names = createFieldNames();
  let user: User | undefined;

  /** Collects the problem of a part, so that one error names all of them. */
  const attempt = (at: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      problems.push(`${placed(at)}${(error as Error).message}`);
    }
  };
  const add = (order: OwnOrder): void => {
    const place = (order.id === undefined ? undefined : places.get(order.id)) ?? orders.length;
    const known = orders[place];
    orders[place] = known ? merged(known, order) : order;
    statuses[place] = order.list.status ?? order.detail.status ?? statuses[place];
    if (order.id !== undefined) places.set(order.id, place);
  };
  const read = (at: string, value: unknown, source: Source): void => {
    if (Array.isArray(value)) {
      for (const [n, one] of value.entries()) read(`${at}[${n}]`, one, source);
      return;
    }
    attempt(at, () => {
      if (!isObject(value)) throw new Error('an order or an answer of the API must be an object or an array');
      const json = value as Json;
      const has = (name: string): boolean => Object.hasOwn(json, name);
      if (has('error') && (typeof json.error === 'string' || !has('data')))
        throw new Error('this is an error answer, without orders');
      if (has('data')) read(below(at, 'data'), json.data, 'detail');
      else if (Array.isArray(json.orders)) {
        read(below(at, 'orders'), json.orders, 'list');
        if (has('user')) read(below(at, 'user'), json.user, 'hand');
      } else if (has('user_id')) user = readUser(json);
      else if (isOrder(json, source)) add(readOrder(json, source, names));
      else {
        names.check('', json, orderFields);
        throw new Error('this is not an order: it has no id, bestellnummer, status and so on');
      }
    });
  };
  for (const { at, value } of values) read(at, value, 'hand');
  if (problems.length === 1) throw new Error(problems[0]);
  if (problems.length > 1) throw new Error(`${problems.length} problems: ${problems.join('; ')}`);
  const whole = orders.map((order, n) => completed(order, statuses[n]));
  return { orders: whole, ...(user && { user }), unknown: names.unknown() };
};

/** Reads the fields of one order or of a change to it. @throws Error with every problem */
export const readOrder = (given: object, source: Source, names: FieldNames = createFieldNames()): OwnOrder => {
  const problems: string[] = [];
  const check = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      problems.push((error as Error).message);
      return undefined;
    }
  };
  if (!isObject(given)) throw new Error('an order must be an object in the fields of the API');
  const order = copyOfJson(given as Json);
  check(() => names.check('', order, orderFields));
  const id = order.id === undefined ? undefined : check(() => readId(order.id));
  const createdAt = order.created_at === undefined ? undefined : check(() => readDate('created_at', order.created_at));
  const { delivered, ...fields } = order;
  if (delivered !== undefined) check(() => whole()('delivered', delivered));
  if (Array.isArray(fields.items))
    for (const [n, item] of fields.items.entries()) check(() => checkItem(`items[${n}]`, item, names));
  if (problems.length > 0) throw new Error(problems.join(', '));
  return { id, createdAt, delivered: delivered as number | undefined, ...divided(fields, source) };
};

/** Sorts the fields into those of the list and those of the detail. */
const divided = (fields: Json, source: Source): Given => {
  if (source === 'list') return { list: fields, detail: {} };
  const status = fields.items === undefined ? {} : { status: fields.status };
  if (source === 'detail') return { list: {}, detail: fields, ...status };
  const has = (names: readonly string[], name: string): boolean => names.includes(name);
  const hasItems = fields.items !== undefined;
  return {
    list: only(fields, (name) => has(listFields, name) || (!hasItems && !has(detailFields, name))),
    detail: only(fields, (name) => has(detailFields, name) || (hasItems && !has(listFields, name))),
    ...status,
  };
};

/** A field that only the list or only the detail gave has the same value in the other. */
const completed = ({ list, detail, ...own }: OwnOrder, status: unknown): OwnOrder => ({
  ...own,
  list: {
    ...only(detail, (name) => listFields.includes(name)),
    ...list,
    ...(status !== undefined && { status }),
  },
  detail: {
    ...only(list, (name) => detailFields.includes(name)),
    ...detail,
    ...(status !== undefined && { status }),
  },
});

const only = (fields: Json, isWanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));

/** Later fields replace earlier ones. A field that is in both list and detail gets the value of each. */
export const merged = (known: OwnOrder, later: OwnOrder): OwnOrder => ({
  id: later.id ?? known.id,
  createdAt: later.createdAt ?? known.createdAt,
  delivered: later.delivered ?? known.delivered,
  list: { ...known.list, ...later.list },
  detail: { ...known.detail, ...later.detail },
  status: later.detail.items === undefined ? known.status : later.status,
});

const readId = (id: unknown): number => {
  const text = typeof id === 'string' ? id : (numberText(id) ?? '');
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error(`id must be a whole number from 1 to 2^53 - 1, or such a number as a string, not ${shown(id)}`);
};

const downloadKinds = ['both', 'only64', 'only32', 'none', 'all'] as const;

const checkItem = (at: string, item: unknown, names: FieldNames): void => {
  if (!isObject(item)) throw new Error(`${at} must be an object`);
  const { license_codes: codes, downloads, aktivierungen_bestellung: activations } = item as Json;
  names.check(at, item, [...itemFields, ...itemHelpers]);
  if (typeof codes === 'number') whole(0, 10_000)(`${at}.license_codes`, codes);
  if (downloads !== undefined) oneOf(downloadKinds)(`${at}.downloads`, downloads);
  if (activations !== undefined) whole()(`${at}.aktivierungen_bestellung`, activations);
  if (!Array.isArray(codes)) return;
  for (const [n, code] of codes.entries()) {
    if (!isObject(code)) throw new Error(`${at}.license_codes[${n}] must be an object`);
    names.check(`${at}.license_codes[${n}]`, code, codeFields);
  }
};

/** Outside a list, an `id` among unknown fields may also belong to a user. */
const isOrder = (json: Json, source: Source): boolean => {
  return (
    orderFields.some((name) => name !== 'id' && Object.hasOwn(json, name)) ||
    (Object.hasOwn(json, 'id') && (source === 'list' || Object.keys(json).length === 1))
  );
};

const userFields = ['user_id', 'email', 'name', 'company', 'vat_id'] as const;

const readUser = (user: Json): User => {
  rejectUnknownFields('a user', user, [...userFields, ...Object.keys(user)]);
  whole()('user_id', user.user_id);
  const given = userFields.filter((name) => Object.hasOwn(user, name));
  for (const name of given) if (name !== 'user_id') text(name, user[name] ?? '');
  return Object.fromEntries(given.map((name) => [name, user[name] ?? '']));
};

const placed = (at: string): string => (at === '' || at.endsWith(' ') ? at : `${at}: `);
const below = (at: string, name: string): string => (at === '' || at.endsWith(' ') ? `${at}${name}` : `${at}.${name}`);
