import { isObject } from '../../validate/fields.ts';
import { text, wholeNumber } from '../../validate/values.ts';
import type { Account } from '../accounts.ts';
import { isFormOnly, readForms } from './given-form.ts';
import { codeFields, itemFields } from './item-input.ts';
import { type OrderInput, orderFields, orderFromInput } from './order-input.ts';

type Json = Readonly<Record<string, unknown>>;
export type User = Partial<Omit<Account, 'account'>>;

/** The data that replaces the seeded orders. */
export interface OwnOrders {
  orders: OrderInput[];
  /** From a GET /me answer. */
  user?: User;
}

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

/**
 * Parses orders in the API format: details and lists, with or without envelope, GET /me answers, or arrays of these.
 * Merges the list entry and detail of an ID; later values override earlier ones. Keeps unknown fields.
 * @throws Error with the path and the problem
 */
export const readOwnOrders = (values: readonly Placed[]): OwnOrders => {
  const orders: OrderInput[] = [];
  const places = new Map<number, number>();
  let user: User | undefined;
  const readOrder = (at: string, order: Json, source: Source): void => {
    const input = inputFrom(order, source);
    within(at, () => orderFromInput(input, 1, 0));
    const place = input.id === undefined ? undefined : places.get(input.id);
    if (place !== undefined) {
      const known = orders[place] as OrderInput;
      const extraFields = { ...known.extraFields, ...input.extraFields };
      orders[place] = { ...known, ...input, ...(Object.keys(extraFields).length > 0 && { extraFields }) };
      return;
    }
    if (input.id !== undefined) places.set(input.id, orders.length);
    orders.push(input);
  };
  const read = (at: string, value: unknown, source: Source): void => {
    if (Array.isArray(value)) {
      for (const [n, one] of value.entries()) read(`${at}[${n}]`, one, source);
      return;
    }
    if (!isObject(value))
      throw new Error(`${placed(at)}an order or an answer of the API must be an object or an array`);
    const json = value as Json;
    if (typeof json.error === 'string' || (!('data' in json) && 'error' in json)) {
      throw new Error(`${placed(at)}this is an error answer, without orders`);
    }
    if ('data' in json) read(below(at, 'data'), json.data, 'detail');
    else if (Array.isArray(json.orders)) {
      read(below(at, 'orders'), json.orders, 'list');
      if ('user' in json) read(below(at, 'user'), json.user, 'hand');
    } else if ('user_id' in json) user = within(at, () => readUser(json));
    else if (isOrder(json, source)) readOrder(at, json, source);
    else
      throw new Error(`${placed(at)}this is not an order: it has no ${orderFields.slice(0, 3).join(', ')} and so on`);
  };
  for (const { at, value } of values) read(at, value, 'hand');
  return { orders, ...(user && { user }) };
};

/** Returns the names of undocumented fields in orders, items and codes. */
export const extraFieldNames = (orders: readonly OrderInput[]): string[] => {
  const names = orders.flatMap(({ extraFields = {}, items = [] }) => [
    ...Object.keys(extraFields.list ?? {}),
    ...Object.keys(extraFields.detail ?? {}),
    ...items.flatMap(({ extraFields: ofItem = {}, license_codes: codes }) => [
      ...Object.keys(ofItem),
      ...(Array.isArray(codes) ? codes.flatMap((code) => Object.keys(code.extraFields ?? {})) : []),
    ]),
  ]);
  return [...new Set(names)].filter((name) => !isFormOnly(name) && !listOnly.includes(name));
};

/** Outside a list, an `id` among unknown fields may also belong to a user. */
const isOrder = (json: Json, source: Source): boolean =>
  orderFields.some((name) => name !== 'id' && name in json) ||
  ('id' in json && (source === 'list' || Object.keys(json).length === 1));

/** The origin of an order: an answer shows whether a field belongs to list or detail; a hand-written order doesn't. */
type Source = 'hand' | 'list' | 'detail';

const userFields = ['user_id', 'email', 'name', 'company', 'vat_id'] as const;

const readUser = (user: Json): User => {
  wholeNumber('user_id', user.user_id);
  const given = userFields.filter((name) => name in user);
  for (const name of given) if (name !== 'user_id') text(name, user[name] ?? '');
  return Object.fromEntries(given.map((name) => [name, user[name] ?? '']));
};

/** List fields that a detail can also have, which the API docs leave open. */
const listOnly: readonly string[] = ['zahlungsstatus', 'lieferstatus', 'created_at'];

const inputFrom = (order: Json, source: Source): OrderInput => {
  const { known, extra } = divided(order, orderFields);
  const isDetail = source === 'detail' || (source === 'hand' && 'items' in order);
  const more: Record<string, unknown> = {
    ...extra,
    ...(source === 'detail' && Object.fromEntries(Object.entries(known).filter(([name]) => listOnly.includes(name)))),
  };
  const { plain, forms } = readForms(known);
  Object.assign(more, forms);
  const { items } = plain;
  return {
    ...plain,
    ...(Array.isArray(items) && { items: items.map(itemFrom) }),
    ...(Object.keys(more).length > 0 && { extraFields: { [isDetail ? 'detail' : 'list']: more } }),
  } as OrderInput;
};

const itemFrom = (item: unknown): unknown => {
  if (!isObject(item)) return item;
  const { known, extra } = divided(item as Json, itemFields);
  const { plain, forms } = readForms(known);
  // In the API format, a missing license_codes means no codes, so none are generated.
  const { license_codes: codes = [] } = plain;
  return {
    ...withExtra(plain, { ...extra, ...forms }),
    license_codes: Array.isArray(codes) ? codes.map(codeFrom) : codes,
  };
};

const codeFrom = (code: unknown): unknown => {
  if (!isObject(code)) return code;
  const { known, extra } = divided(code as Json, codeFields);
  const { plain, forms } = readForms(known);
  return withExtra(plain, { ...extra, ...forms });
};

const withExtra = (known: Json, extra: Json): Json =>
  Object.keys(extra).length > 0 ? { ...known, extraFields: extra } : known;

const divided = (given: Json, names: readonly string[]): { known: Json; extra: Json } => {
  const entries = Object.entries(given);
  return {
    known: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    extra: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
};

const within = <Value>(at: string, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw new Error(`${placed(at)}${(error as Error).message}`);
  }
};

const placed = (at: string): string => (at === '' || at.endsWith(' ') ? at : `${at}: `);
const below = (at: string, name: string): string => (at === '' || at.endsWith(' ') ? `${at}${name}` : `${at}.${name}`);
