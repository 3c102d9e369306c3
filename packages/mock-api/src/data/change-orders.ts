import { isObject, whole } from '../settings/check.ts';
import type { Registry } from './accounts.ts';
import { completeOrder } from './complete-order.ts';
import type { KeySource } from './license-codes.ts';
import { defaultStatus, type Order } from './order.ts';
import type { OrderInput } from './order-input.ts';
import type { Orders } from './orders.ts';
import { type OwnOrder, only, readOrder } from './read-order.ts';
import { merged } from './read-orders.ts';
import { idOf } from './seed.ts';

/** The contents of a state. */
export interface Contents extends Registry, KeySource {
  orders: Orders;
}

/**
 * Inserts orders, all or none.
 * @param now the date for orders without one, ms since 1970
 * @param replaces whether the orders replace all orders of the account, and any seeded orders with the same IDs in
 * other accounts
 * @throws Error if an ID belongs to another order
 */
export const insertAll = (
  { seed, accounts, orders }: Contents,
  account: string,
  own: readonly OwnOrder[],
  now: number,
  replaces = false,
): Order[] => {
  const taken = own.flatMap(({ id }) => (id === undefined ? [] : (orders.find(id) ?? [])));
  const kept = taken.find((other) => !replaces || (other.index === undefined && other.account !== account));
  if (kept) throw new Error(`the id ${kept.id} belongs to another order; choose a different id`);
  if (replaces) orders.remove([...orders.of(account), ...taken]);
  const number = [...accounts.keys()].indexOf(account);
  const freeId = (): number => orders.freeId(account, (running) => idOf({ seed, number }, running));
  const insert = ({
    id = freeId(),
    status = defaultStatus,
    createdAt = Math.floor(now / 1000) * 1000,
    delivered,
    given,
  }: OwnOrder): Order => {
    const order = { account, id, status, createdAt, delivered, given };
    orders.set(order);
    return order;
  };
  // Orders with an ID are inserted first, so that no generated ID is the same as a given one.
  const withId = new Map(own.filter(({ id }) => id !== undefined).map((order) => [order, insert(order)]));
  return own.map((order) => withId.get(order) ?? insert(order));
};

/**
 * Changes any fields of an order, all or none.
 * @param unknown receives the fields and statuses that the API docs do not name
 * @throws Error that names the invalid field
 */
export const changeOrder = (
  { seed, orders }: Contents,
  order: Order,
  change: OrderInput & { deliver?: number | undefined },
  unknown: Set<string>,
): void => {
  if (!isObject(change)) throw new Error("an order change must be an object with the API's field names");
  const { deliver, ...fields } = change;
  if (fields.id !== undefined) throw new Error('the id of an order cannot be changed; insert a new order instead');
  const { given, ...read } = readOrder(fields, 'hand', unknown);
  // If the order's given detail also contains a changed list field, the field changes in both.
  const inDetail = only(given.list, (name) => Object.hasOwn(order.given?.detail ?? {}, name));
  const changed = merged(order, { ...read, given: { ...given, detail: { ...inDetail, ...given.detail } } });
  if (deliver !== undefined) {
    const { delivered, plannedCodes } = completeOrder(changed, seed);
    changed.delivered = Math.min(Math.max(delivered, plannedCodes), delivered + whole()('deliver', deliver));
  }
  orders.set(changed);
};
