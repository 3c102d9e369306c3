import { isObject, whole } from '../settings/check.ts';
import type { Contents } from './contents.ts';
import { type GivenOrder, type Listed, makeOrder, type Order, only, withItems } from './make-order.ts';
import type { OrderInput } from './order-fields.ts';
import { type Notes, readOrder } from './read-order.ts';
import { defaultStatus, isEligible } from './statuses.ts';

/**
 * Inserts orders, all or none.
 * @param now the date for orders without one, ms since 1970
 * @param replaces whether all orders of the account are removed first, and generated orders of other accounts that have
 * a given ID
 * @throws Error if an ID belongs to another order
 */
export const insertAll = (
  contents: Contents,
  account: string,
  given: readonly GivenOrder[],
  now: number,
  replaces = false,
): Order[] => {
  const taken = given.flatMap(({ id }) => (id === undefined ? [] : (contents.find(id) ?? [])));
  const kept = taken.find((other) => !replaces || (other.index === undefined && other.account !== account));
  if (kept) throw new Error(`the id ${kept.id} belongs to another order; choose a different id`);
  if (replaces) contents.remove([...contents.list(account), ...taken]);
  const insert = (order: GivenOrder): Order => {
    const { id = contents.freeId(account), status = defaultStatus, createdAt = Math.floor(now / 1000) * 1000 } = order;
    const made = makeOrder({ account, id, status, createdAt }, order, contents.account(account));
    contents.set(made);
    return made;
  };
  // Orders with an ID are inserted first, so that no generated ID is the same as a given one.
  const withId = new Map(given.filter(({ id }) => id !== undefined).map((order) => [order, insert(order)]));
  return given.map((order) => withId.get(order) ?? insert(order));
};

/**
 * Changes fields of an order, all or none. A generated payment status, delivery status or total follows the change; all
 * other fields stay.
 * @param notes receives the unusual fields and values
 * @throws Error that names the invalid field
 */
export const changeOrder = (
  contents: Contents,
  listed: Listed,
  change: OrderInput & { deliver?: number | undefined },
  notes: Notes,
): void => {
  if (!isObject(change)) throw new Error("an order change must be an object with the API's field names");
  const { deliver, ...fields } = change;
  const more = deliver === undefined ? 0 : whole()('deliver', deliver);
  if (fields.id !== undefined) throw new Error('the id of an order cannot be changed; insert a new order instead');
  const next = changed(contents.orderOf(listed), readOrder(fields, 'hand', notes));
  const { id, delivered, planned } = withItems(next);
  if (deliver !== undefined && planned === 0)
    throw new Error(
      `order ${id} has no license codes to deliver; insert it without license_codes, and with "delivered": 0, so that they can be delivered later`,
    );
  contents.set({ ...next, delivered: delivered + more < planned ? delivered + more : undefined });
};

const changed = (order: Order, { status = order.status, createdAt = order.createdAt, ...given }: GivenOrder): Order => {
  const { list, detail, delivered } = order;
  // A list field that was also given in the detail changes in both documents.
  const inDetail = only(given.list, (name) => Object.hasOwn(detail, name));
  const next = {
    ...order,
    status,
    createdAt,
    list: { ...list, ...given.list },
    detail: { ...detail, ...inDetail, ...given.detail },
    delivered: given.delivered ?? delivered,
  };
  if (given.detail.items === undefined) return next;
  return { ...next, wasPaid: isEligible(status), isResponse: false };
};
