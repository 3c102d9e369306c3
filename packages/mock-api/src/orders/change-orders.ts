import { isObject, whole } from '../settings/check.ts';
import type { Json } from '../settings/json.ts';
import type { Contents, Stored } from './contents.ts';
import { type Given, only } from './make-order.ts';
import type { OrderInput } from './order-fields.ts';
import { type Notes, type OwnOrder, readOrder } from './read-order.ts';
import { defaultStatus, isEligible } from './statuses.ts';

/**
 * Inserts orders, all or none.
 * @param now the date for orders without one, ms since 1970
 * @param replaces whether the orders replace all orders of the account, and any seeded orders with the same IDs in
 * other accounts
 * @throws Error if an ID belongs to another order
 */
export const insertAll = (
  contents: Contents,
  account: string,
  own: readonly OwnOrder[],
  now: number,
  replaces = false,
): Stored[] => {
  const taken = own.flatMap(({ id }) => (id === undefined ? [] : (contents.find(id) ?? [])));
  const kept = taken.find((other) => !replaces || (other.index === undefined && other.account !== account));
  if (kept) throw new Error(`the id ${kept.id} belongs to another order; choose a different id`);
  if (replaces) contents.remove([...contents.list(account), ...taken]);
  const insert = ({ id = contents.freeId(account), status = defaultStatus, createdAt, ...given }: OwnOrder): Stored => {
    const order = { account, id, status, createdAt: createdAt ?? Math.floor(now / 1000) * 1000, given };
    contents.set(order);
    return order;
  };
  // Orders with an ID are inserted first, so that no generated ID is the same as a given one.
  const withId = new Map(own.filter(({ id }) => id !== undefined).map((order) => [order, insert(order)]));
  return own.map((order) => withId.get(order) ?? insert(order));
};

/**
 * Changes any fields of an order, all or none: the order is made again from what was given and from the change.
 * @param notes receives what is unusual
 * @throws Error that names the invalid field
 */
export const changeOrder = (
  contents: Contents,
  stored: Stored,
  change: OrderInput & { deliver?: number | undefined },
  notes: Notes,
): void => {
  if (!isObject(change)) throw new Error("an order change must be an object with the API's field names");
  const { deliver: wanted, ...fields } = change;
  const deliver = wanted === undefined ? undefined : whole()('deliver', wanted);
  if (fields.id !== undefined) throw new Error('the id of an order cannot be changed; insert a new order instead');
  const {
    list,
    detail,
    status = stored.status,
    createdAt = stored.createdAt,
    delivered,
  } = readOrder(fields, 'hand', notes);
  const given = contents.givenOf(stored);
  // If the order's given detail also contains a changed list field, the field changes in both.
  const inDetail = only(list, (name) => Object.hasOwn(given.detail, name));
  const changed = { ...given.detail, ...inDetail, ...detail };
  // An order shows no codes until it is paid or completed, so empty `license_codes` don't mean that it never has any.
  if (isEligible(status) && !isEligible(stored.status) && detail.items === undefined && Array.isArray(changed.items))
    changed.items = changed.items.map((item: Json) =>
      only(item, (name) => name !== 'license_codes' || !isEmpty(item[name])),
    );
  const next: Stored = {
    ...stored,
    status,
    createdAt,
    given: { ...given, list: { ...given.list, ...list }, detail: changed, delivered: delivered ?? given.delivered },
  };
  if (deliver === undefined) {
    contents.set(next);
    return;
  }
  const { delivered: before, planned } = contents.orderOf(next);
  if (planned === 0)
    throw new Error(
      `order ${next.id} has no license codes to deliver; insert it without license_codes, and with "delivered": 0, so that they can be delivered later`,
    );
  const most = Math.min(Math.max(before, planned), before + deliver);
  contents.set({ ...next, given: { ...(next.given as Given), delivered: most } });
};

const isEmpty = (codes: unknown): boolean => codes === null || (Array.isArray(codes) && codes.length === 0);
