import { isObject } from '../settings/check.ts';
import type { Json } from '../settings/json.ts';
import { completed, type GivenOrder } from './make-order.ts';
import { orderFields } from './order-fields.ts';
import { type Notes, readOrder, type Source } from './read-order.ts';
import { maxSeededOrders } from './seed.ts';

/** A value and its path, for errors. */
export interface Placed {
  at: string;
  value: unknown;
}

/** An order, and its documents with the places where they were read. */
interface Found {
  order: GivenOrder;
  documents: readonly { at: string; source: Source; text: string }[];
}

const orderNames = Object.keys(orderFields);

/**
 * Reads orders with the API's field names. Accepts responses to GET /orders and GET /orders/{id}, hand-written orders,
 * and arrays of all of them. A list entry and a detail with one ID are the two documents of one order.
 * @param notes receives the unusual fields and values
 * @throws Error that lists every problem with its path
 */
export const readOrders = (values: readonly Placed[], notes: Notes): GivenOrder[] => {
  const orders = new Map<unknown, Found>();
  const problems: string[] = [];

  const add = (at: string, json: Json, source: Source): void => {
    const order = readOrder(json, source, notes);
    // An object whose only order field is `id` is a user if it has an e-mail address.
    if (!orderNames.some((name) => Object.hasOwn(json, name) && (name !== 'id' || !Object.hasOwn(json, 'email'))))
      throw new Error(
        "this is not an order: it has none of an order's fields, such as id, bestellnummer or status. Leave out responses to GET /me",
      );
    const { id = Symbol() } = order;
    const known = orders.get(id);
    const documents = known?.documents ?? [];
    const text = JSON.stringify(json);
    // A hand-written order has both documents.
    const twin = documents.find((one) => one.source === source || source === 'hand' || one.source === 'hand');
    if (twin && (source === 'hand' || twin.text !== text))
      throw new Error(
        `the id ${order.id} belongs to another order, at ${twin.at}; give each order an id of its own or, if the order changed between two responses, remove one of them. The two documents of one order need their envelopes: {"data": {"orders": [...]}} and {"data": {...}}`,
      );
    if (twin) return;
    orders.set(id, {
      order: known ? bothOf(known.order, order) : order,
      documents: [...documents, { at: at.trim() || 'the start', source, text }],
    });
  };
  const read = (at: string, value: unknown, source: Source): void => {
    const isStart = at === '' || at.endsWith(' ');
    const below = (name: string): string => `${at}${isStart ? '' : '.'}${name}`;
    try {
      if (Array.isArray(value)) {
        if (value.length > maxSeededOrders)
          throw new Error(`there are ${value.length} orders; the maximum is ${maxSeededOrders}`);
        for (const [n, one] of value.entries()) read(`${at}[${n}]`, one, source);
        return;
      }
      if (!isObject(value)) throw new Error('an order or API response must be an object or an array');
      const json = value as Json;
      const has = (name: string): boolean => Object.hasOwn(json, name);
      if (has('error') && (typeof json.error === 'string' || !has('data')))
        throw new Error('this is an error response, without orders');
      if (has('data')) read(below('data'), json.data, 'detail');
      else if (Array.isArray(json.orders))
        read(below('orders'), json.orders, source === 'detail' || has('pagination') ? 'list' : 'hand');
      else add(at, json, source);
    } catch (error) {
      problems.push(`${at}${isStart ? '' : ': '}${(error as Error).message}`);
    }
  };
  for (const { at, value } of values) read(at, value, 'hand');
  if (problems.length === 1) throw new Error(problems[0]);
  if (problems.length > 1) throw new Error(`${problems.length} problems: ${problems.join('; ')}`);
  return Array.from(orders.values(), ({ order }) => completed(order));
};

/** Combines the two documents of an order. If the status changed in between, both get the later one. */
const bothOf = (one: GivenOrder, other: GivenOrder): GivenOrder => {
  const status = other.status ?? one.status;
  const common = status && { status };
  return {
    ...one,
    status,
    createdAt: other.createdAt ?? one.createdAt,
    list: { ...one.list, ...other.list, ...common },
    detail: { ...one.detail, ...other.detail, ...common },
  };
};
