import { readDate } from '../limit/utc-time.ts';
import { isObject, oneOf, shown, text, whole } from '../settings/check.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { copyOfJson, type Json, numberText } from '../settings/json.ts';
import type { Account } from './accounts.ts';
import type { Given } from './order.ts';
import { downloadKinds, itemHelpers } from './order-input.ts';

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
  unknown: ReadonlySet<string>;
}

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

const listFields: readonly string[] = documentedFields['orders[]'];
const detailFields: readonly string[] = documentedFields.order;
const itemFields = [...documentedFields['items[]'], ...itemHelpers];

/** Every field of an order that a caller can set. */
export const orderFields: readonly string[] = [...listFields, ...detailFields, 'delivered'];

/** Where an order comes from: a response shows whether a field belongs to list or detail; a hand-written order doesn't. */
type Source = 'hand' | 'list' | 'detail';

/** Collects the problems of parts, so that one error names all of them. */
const collect = (problems: string[], at = '') => {
  return <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      problems.push(at + (error as Error).message);
      return undefined;
    }
  };
};

/**
 * Reads orders in the fields of the API: details and lists, with or without envelope, responses of GET /me, hand-written
 * orders, or arrays of these. Merges the list entry and the detail of an ID; later values override earlier ones.
 * @throws Error that lists every problem with its path
 */
export const readOrders = (values: readonly Placed[]): OwnOrders => {
  const orders: OwnOrder[] = [];
  const places = new Map<number, number>();
  const problems: string[] = [];
  const unknown = new Set<string>();
  let user: User | undefined;

  const add = (order: OwnOrder): void => {
    const place = (order.id === undefined ? undefined : places.get(order.id)) ?? orders.length;
    const known = orders[place] ?? order;
    // The last status counts, wherever it was given.
    const status = order.list.status ?? order.detail.status;
    const last = status === undefined ? {} : { status };
    const later = { ...order, list: { ...order.list, ...last }, detail: { ...order.detail, ...last } };
    orders[place] = {
      id: order.id,
      createdAt: order.createdAt ?? known.createdAt,
      delivered: order.delivered ?? known.delivered,
      ...merged(known, later),
    };
    if (order.id !== undefined) places.set(order.id, place);
  };
  const read = (at: string, value: unknown, source: Source): void => {
    if (Array.isArray(value)) {
      for (const [n, one] of value.entries()) read(`${at}[${n}]`, one, source);
      return;
    }
    const isStart = at === '' || at.endsWith(' ');
    const below = (name: string): string => `${at}${isStart ? '' : '.'}${name}`;
    collect(
      problems,
      isStart ? at : `${at}: `,
    )(() => {
      if (!isObject(value)) throw new Error('an order or an answer of the API must be an object or an array');
      const json = value as Json;
      const has = (name: string): boolean => Object.hasOwn(json, name);
      if (has('error') && (typeof json.error === 'string' || !has('data')))
        throw new Error('this is an error answer, without orders');
      if (has('data')) read(below('data'), json.data, 'detail');
      else if (Array.isArray(json.orders)) {
        read(below('orders'), json.orders, 'list');
        if (has('user')) read(below('user'), json.user, 'hand');
      } else if (has('user_id')) user = readUser(json);
      else if (isOrder(json, source)) add(readOrder(json, source, unknown));
      else {
        checkNames('', json, orderFields, unknown);
        throw new Error('this is not an order: it has no id, bestellnummer, status and so on');
      }
    });
  };
  for (const { at, value } of values) read(at, value, 'hand');
  if (problems.length === 1) throw new Error(problems[0]);
  if (problems.length > 1) throw new Error(`${problems.length} problems: ${problems.join('; ')}`);
  return { orders: orders.map(completed), ...(user && { user }), unknown };
};

/**
 * Reads the fields of one order or of a change to it.
 * @param unknown receives the fields that the API docs do not name
 * @throws Error with every problem
 */
export const readOrder = (given: object, source: Source, unknown = new Set<string>()): OwnOrder => {
  if (!isObject(given)) throw new Error('an order must be an object in the fields of the API');
  const problems: string[] = [];
  const check = collect(problems);
  const { delivered, ...fields } = copyOfJson(given as Json);
  check(() => checkNames('', fields, orderFields, unknown));
  const id = fields.id === undefined ? undefined : check(() => readId(fields.id));
  const createdAt =
    fields.created_at === undefined ? undefined : check(() => readDate('created_at', fields.created_at));
  if (delivered !== undefined) check(() => whole()('delivered', delivered));
  if (Array.isArray(fields.items))
    for (const [n, item] of fields.items.entries()) check(() => checkItem(`items[${n}]`, item, unknown));
  if (problems.length > 0) throw new Error(problems.join(', '));
  return { id, createdAt, delivered: delivered as number | undefined, ...divided(fields, source) };
};

/** Sorts the fields into those of the list and those of the detail; with the items, unknown ones belong to the detail. */
const divided = (fields: Json, source: Source): Given => {
  if (source === 'list') return { list: fields, detail: {} };
  const hasItems = fields.items !== undefined;
  const status = hasItems ? { status: fields.status } : {};
  if (source === 'detail') return { list: {}, detail: fields, ...status };
  const isOf = (own: readonly string[], other: readonly string[], isRest: boolean) => (name: string) =>
    own.includes(name) || (isRest && !other.includes(name));
  return {
    list: only(fields, isOf(listFields, detailFields, !hasItems)),
    detail: only(fields, isOf(detailFields, listFields, hasItems)),
    ...status,
  };
};

/** A field that only the list or only the detail gave has the same value in the other. */
const completed = ({ list, detail, ...own }: OwnOrder): OwnOrder => ({
  ...own,
  list: { ...only(detail, (name) => listFields.includes(name)), ...list },
  detail: { ...only(list, (name) => detailFields.includes(name)), ...detail },
});

const only = (fields: Json, isWanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));

/** Later fields replace earlier ones. A field that is in both list and detail gets the value of each. */
export const merged = (known: Given, later: Given): Given => ({
  list: { ...known.list, ...later.list },
  detail: { ...known.detail, ...later.detail },
  status: later.detail.items === undefined ? known.status : later.status,
});

const readId = (id: unknown): number => {
  const digits = typeof id === 'string' ? id : (numberText(id) ?? '');
  if (/^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  throw new Error(`id must be a whole number from 1 to 2^53 - 1, or such a number as a string, not ${shown(id)}`);
};

const checkItem = (at: string, item: unknown, unknown: Set<string>): void => {
  if (!isObject(item)) throw new Error(`${at} must be an object`);
  const { license_codes: codes, downloads, aktivierungen_bestellung: activations } = item as Json;
  checkNames(at, item, itemFields, unknown);
  if (typeof codes === 'number') whole(0, 10_000)(`${at}.license_codes`, codes);
  if (downloads !== undefined) oneOf(downloadKinds)(`${at}.downloads`, downloads);
  if (activations !== undefined) whole()(`${at}.aktivierungen_bestellung`, activations);
  if (!Array.isArray(codes)) return;
  for (const [n, code] of codes.entries()) {
    if (!isObject(code)) throw new Error(`${at}.license_codes[${n}] must be an object`);
    checkNames(`${at}.license_codes[${n}]`, code, documentedFields['license_codes[]'], unknown);
  }
};

/** Outside a list, an `id` among the fields of a user is not an order's. */
const isOrder = (json: Json, source: Source): boolean =>
  orderFields.some((name) => name !== 'id' && Object.hasOwn(json, name)) ||
  (Object.hasOwn(json, 'id') && (source === 'list' || !userFields.some((name) => Object.hasOwn(json, name))));

const userFields = ['user_id', 'email', 'name', 'company', 'vat_id'] as const;

const readUser = (user: Json): User => {
  whole()('user_id', user.user_id);
  const given = userFields.filter((name) => Object.hasOwn(user, name));
  for (const name of given) if (name !== 'user_id') text(name, user[name] ?? '');
  return Object.fromEntries(given.map((name) => [name, user[name] ?? '']));
};

/**
 * Checks the names of given fields: unknown ones are served as they are, but misspelt ones are rejected.
 * @param at path of the object, for errors
 * @param unknown receives the fields that the API docs do not name
 * @throws Error that names every misspelt field
 */
export const checkNames = (at: string, given: object, documented: readonly string[], unknown: Set<string>): void => {
  const misspelt = Object.keys(given).flatMap((name) => {
    if (documented.includes(name)) return [];
    const meant = documented.find((known) => isOneLetterAway(name, known));
    if (meant !== undefined) return `"${at === '' ? '' : `${at}.`}${name}" is one letter away from "${meant}"`;
    unknown.add(name);
    return [];
  });
  if (misspelt.length > 0) throw new Error(`${misspelt.join(', ')}; correct the spelling`);
};

/** Whether one letter added, left out or replaced makes the name. Short names such as `id` have too many neighbours. */
const isOneLetterAway = (name: string, known: string): boolean => {
  if (known.length < 4 || Math.abs(name.length - known.length) > 1) return false;
  let same = 0;
  while (same < known.length && name[same] === known[same]) same++;
  const [rest, wanted] = [name.slice(same), known.slice(same)];
  return rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1);
};
