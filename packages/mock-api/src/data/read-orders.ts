import { isObject, text, whole } from '../settings/check.ts';
import type { Json } from '../settings/json.ts';
import type { Account } from './accounts.ts';
import { isEligible } from './order.ts';
import { detailFields, listFields, type OwnOrder, only, orderFields, readOrder, type Source } from './read-order.ts';

export type User = Partial<Omit<Account, 'account'>>;

export interface OwnOrders {
  orders: OwnOrder[];
  /** The user from a response to GET /me. */
  user?: User | undefined;
}

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

/**
 * Reads orders with the API's field names. Accepts details and lists, with or without the envelope, responses to GET
 * /me, hand-written orders, and arrays of all of them. Merges a list entry and a detail with the same ID; later values
 * override earlier ones.
 * @param unknown receives the fields and statuses that the API docs do not name; they are served as given
 * @throws Error that lists every problem with its path
 */
export const readOrders = (values: readonly Placed[], unknown: Set<string>): OwnOrders => {
  const orders = new Map<unknown, OwnOrder>();
  const problems: string[] = [];
  let user: User | undefined;

  const read = (at: string, value: unknown, source: Source): void => {
    if (Array.isArray(value)) {
      for (const [n, one] of value.entries()) read(`${at}[${n}]`, one, source);
      return;
    }
    const isStart = at === '' || at.endsWith(' ');
    const below = (name: string): string => `${at}${isStart ? '' : '.'}${name}`;
    try {
      if (!isObject(value)) throw new Error('an order or API response must be an object or an array');
      const json = value as Json;
      const has = (name: string): boolean => Object.hasOwn(json, name);
      if (has('error') && (typeof json.error === 'string' || !has('data')))
        throw new Error('this is an error response, without orders');
      if (has('data')) read(below('data'), json.data, 'detail');
      else if (Array.isArray(json.orders)) read(below('orders'), json.orders, 'list');
      else if (source !== 'list' && isUser(json)) user = readUser(json);
      else {
        const order = readOrder(json, source, unknown);
        // An object whose only order field is `id` is a user if it has an e-mail address.
        if (!orderFields.some((name) => has(name) && (name !== 'id' || !has('email'))))
          throw new Error(
            "this is not an order: it has none of an order's fields, such as id, bestellnummer or status",
          );
        const { id = Symbol() } = order;
        orders.set(id, merged(orders.get(id) ?? { id: order.id }, order));
      }
    } catch (error) {
      problems.push(`${at}${isStart ? '' : ': '}${(error as Error).message}`);
    }
  };
  for (const { at, value } of values) read(at, value, 'hand');
  if (problems.length === 1) throw new Error(problems[0]);
  if (problems.length > 1) throw new Error(`${problems.length} problems: ${problems.join('; ')}`);
  return { orders: Array.from(orders.values(), completed), user };
};

/** Merges two descriptions of an order. Later values replace earlier ones; list and detail keep separate values. */
export const merged = <Known extends { [Name in keyof OwnOrder]?: OwnOrder[Name] | undefined }>(
  known: Known,
  later: OwnOrder,
): Known & OwnOrder => {
  const { status = known.status, createdAt = known.createdAt, delivered = known.delivered } = later;
  const list = { ...known.given?.list, ...later.given.list };
  const detail = { ...known.given?.detail, ...later.given.detail };
  // An order shows no codes until it is paid or completed, so empty `license_codes` don't mean that it will never have
  // any.
  const isNewlyPaid = isEligible(status) && !isEligible(known.status);
  if (isNewlyPaid && later.given.detail.items === undefined && Array.isArray(detail.items))
    detail.items = detail.items.map((item: Json) =>
      only(item, (name) => name !== 'license_codes' || !isEmpty(item[name])),
    );
  return { ...known, status, createdAt, delivered, given: { list, detail } };
};

const isEmpty = (codes: unknown): boolean => codes === null || (Array.isArray(codes) && codes.length === 0);

/** Copies a field that is given only in the list or only in the detail to the other one. */
const completed = ({ given: { list, detail }, ...own }: OwnOrder): OwnOrder => ({
  ...own,
  given: {
    list: { ...only(detail, (name) => listFields.includes(name)), ...list },
    detail: { ...only(list, (name) => detailFields.includes(name)), ...detail },
  },
});

/** Whether this is a user. An order can also have an undocumented `user_id` or `email`, and a user a `status`. */
const isUser = (json: Json): boolean => {
  const has = (name: string): boolean => Object.hasOwn(json, name);
  const ofOrders = has('email') ? ['bestellnummer', 'gesamtpreis_brutto', 'items'] : orderFields;
  return has('user_id') && !ofOrders.some(has);
};

const userFields = ['user_id', 'email', 'name', 'company', 'vat_id'] as const;

const readUser = (user: Json): User => {
  const given = userFields.filter((name) => Object.hasOwn(user, name));
  const read = (name: string): unknown =>
    name === 'user_id' ? whole()(name, user[name]) : text(name, user[name] ?? '');
  return Object.fromEntries(given.map((name) => [name, read(name)]));
};
