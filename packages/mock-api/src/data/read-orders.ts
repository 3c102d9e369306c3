import { isObject, text, whole } from '../settings/check.ts';
import type { Json } from '../settings/json.ts';
import type { Account } from './accounts.ts';
import { isEligible } from './order.ts';
import { detailFields, listFields, type OwnOrder, only, orderFields, readOrder, type Source } from './read-order.ts';

export type User = Partial<Omit<Account, 'account'>>;

export interface OwnOrders {
  orders: OwnOrder[];
  /** From a response of GET /me. */
  user?: User | undefined;
}

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

/**
 * Reads orders with the API's field names: details and lists, with or without envelope, responses of GET /me,
 * hand-written orders, or arrays of these. Merges the list entry and the detail of an ID; later values override earlier
 * ones.
 * @param unknown receives what the API docs do not name: fields, served as they are, and statuses
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
      else if (has('user_id')) user = readUser(json);
      else {
        const order = readOrder(json, source, unknown);
        // An ID with an e-mail address is a user's.
        if (!orderFields.some((name) => has(name) && (name !== 'id' || !has('email'))))
          throw new Error('this is not an order: it has no id, bestellnummer, status and so on');
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

/** Later values replace earlier ones. A field that is in both list and detail gets the value of each. */
export const merged = <Known extends { [Name in keyof OwnOrder]?: OwnOrder[Name] | undefined }>(
  known: Known,
  later: OwnOrder,
): Known & OwnOrder => {
  const { status = known.status, createdAt = known.createdAt, delivered = known.delivered } = later;
  const list = { ...known.given?.list, ...later.given.list };
  const detail = { ...known.given?.detail, ...later.given.detail };
  // An order without a right to codes shows none; whether it has any, the codes of a paid one say.
  const isNewlyPaid = isEligible(status) && !isEligible(known.status);
  if (isNewlyPaid && later.given.detail.items === undefined && Array.isArray(detail.items))
    detail.items = detail.items.map((item: Json) =>
      only(item, (name) => name !== 'license_codes' || !isEmpty(item[name])),
    );
  return { ...known, status, createdAt, delivered, given: { list, detail } };
};

const isEmpty = (codes: unknown): boolean => codes === null || (Array.isArray(codes) && codes.length === 0);

/** A field that only the list or only the detail gave has the same value in the other. */
const completed = ({ given: { list, detail }, ...own }: OwnOrder): OwnOrder => ({
  ...own,
  given: {
    list: { ...only(detail, (name) => listFields.includes(name)), ...list },
    detail: { ...only(list, (name) => detailFields.includes(name)), ...detail },
  },
});

const userFields = ['user_id', 'email', 'name', 'company', 'vat_id'] as const;

const readUser = (user: Json): User => {
  const given = userFields.filter((name) => Object.hasOwn(user, name));
  const read = (name: string): unknown =>
    name === 'user_id' ? whole()(name, user[name]) : text(name, user[name] ?? '');
  return Object.fromEntries(given.map((name) => [name, read(name)]));
};
