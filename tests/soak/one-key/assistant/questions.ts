import { toMinorUnits } from '@order-license/core/portable';
import type { Mock, Status } from '@order-license/mock-api';
import { type Json, rowsOf } from '../../../servers/mcp-rows.ts';
import type { Shop } from '../shop.ts';
import { hourMs, minuteMs } from '../virtual-day.ts';
import type { AssistantProcess } from './assistant-process.ts';
import { type OrderWatch, type StoredOrder, watchOrders } from './order-watch.ts';

/** Thrown for an answer that was not true at any time since the question. */
export class WrongAnswer extends Error {}

export interface Asking {
  assistant: AssistantProcess;
  mock: Mock;
  shop: Shop;
  random(): number;
  /** Whether everything has been up since the question. */
  wasUp(): boolean;
}

/**
 * Asks a question as a person would, and checks the answer.
 * @throws WrongAnswer, or what the assistant throws
 */
export type Question = (asking: Asking) => Promise<void>;

const check = (isRight: boolean, what: string): void => {
  if (!isRight) throw new WrongAnswer(what);
};

/**
 * Returns a range of whole days that ends with the last full minute, so that no more orders can arrive in the range.
 */
const rangeOf = (days: number) => {
  const before = Math.floor(Date.now() / minuteMs) * minuteMs;
  const from = before - days * 24 * hourMs;
  const text = (ms: number): string => new Date(ms).toISOString();
  return { from, before, args: { created_from: text(from), created_before: text(before) } };
};

/** Checks that the last part is marked complete. An order is then missing from all parts only if it does not exist. */
const checkComplete = (parts: Json[]): void => check(parts.at(-1)?.complete === true, 'The last part is not complete.');

/**
 * Returns the number of orders with one status. A result with sums has `groups`; a result that only counts the orders
 * of a long list has `by_status`.
 */
const countOf = ({ by_status, groups }: Json, status: Status): number =>
  by_status
    ? Number((by_status as Json)[status] ?? 0)
    : rowsOf(groups).reduce((sum, row) => sum + (row.status === status ? Number(row.count) : 0), 0);

/**
 * Checks the count of each status. The count must include every order that existed at the start and always had this
 * status, but no order that never had it.
 */
const checkCounts = (parts: Json[], orders: StoredOrder[], watch: OrderWatch): void => {
  const had = orders.map(({ id }) => ({ statuses: watch.statusesOf(id), isOld: watch.isOld(id) }));
  for (const status of ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const) {
    const counted = parts.reduce((sum, part) => sum + countOf(part, status), 0);
    const atMost = had.filter(({ statuses }) => statuses.has(status)).length;
    const atLeast = had.filter(({ statuses, isOld }) => isOld && statuses.has(status) && statuses.size === 1).length;
    check(counted >= atLeast && counted <= atMost, `${counted} are ${status}, not ${atLeast} to ${atMost}.`);
  }
};

const checkOrder = (order: Json, mock: Mock, watch: OrderWatch): void => {
  const id = Number(order.id);
  const { list } = mock.state.order(id);
  const items = order.items as { license_codes?: unknown[] }[];
  const codes = items.reduce((sum, { license_codes = [] }) => sum + license_codes.length, 0);
  check(watch.statusesOf(id).has(order.status as Status), `${id} was not ${order.status}.`);
  check(
    toMinorUnits(String(order.gesamtpreis_brutto)) === toMinorUnits(String(list.gesamtpreis_brutto)),
    `${id} has a different total.`,
  );
  check(watch.couldHave(id, codes), `${id} did not have ${codes} license codes.`);
};

/** Picks this many of the newest orders at random, each at most once. */
const someOrders = ({ mock, random }: Asking, count: number): StoredOrder[] => {
  const newest = mock.state.orders('business').page(0, 200);
  return Array.from({ length: Math.min(count, newest.length) }, () =>
    newest.splice(Math.floor(random() * newest.length), 1),
  ).flat();
};

const whoAmI: Question = async ({ assistant }) => {
  const [{ user_id } = {}] = await assistant.ask('order_license_get_me', {});
  check(user_id === 4711, `The account is ${user_id}.`);
};

const sums =
  (days: number): Question =>
  async ({ assistant, mock, shop }) => {
    const watch = watchOrders(mock, shop);
    const { from, before, args } = rangeOf(days);
    const parts = await assistant.ask('order_license_list_orders', { ...args, summary: true });
    const orders = watch.between(from, before);
    const count = parts.reduce((sum, part) => sum + Number(part.count), 0);
    const cents = parts
      .flatMap(({ by_currency }) => by_currency as { sum: string }[])
      .reduce((total, { sum }) => total + toMinorUnits(sum), 0n);
    const trueCents = orders.reduce((total, { list }) => total + toMinorUnits(String(list.gesamtpreis_brutto)), 0n);
    checkComplete(parts);
    check(count === orders.length, `${count} orders were counted, not ${orders.length}.`);
    check(cents === trueCents, `The sum is ${cents} cents, not ${trueCents}.`);
    checkCounts(parts, orders, watch);
  };

const countAll: Question = async ({ assistant, mock, shop }) => {
  const watch = watchOrders(mock, shop);
  const parts = await assistant.ask('order_license_list_orders', { summary: true });
  const count = parts.reduce((sum, part) => sum + Number(part.count), 0);
  const orders = watch.between(0, Date.now() + 1);
  const old = orders.filter(({ id }) => watch.isOld(id)).length;
  checkComplete(parts);
  check(count >= old && count <= orders.length, `${count} orders were counted, not ${old} to ${orders.length}.`);
  checkCounts(parts, orders, watch);
};

const search =
  (days: number, ...wanted: Status[]): Question =>
  async ({ assistant, mock, shop }) => {
    const watch = watchOrders(mock, shop);
    const { from, before, args } = rangeOf(days);
    const status = wanted.length === 1 ? wanted[0] : wanted;
    const parts = await assistant.ask('order_license_list_orders', { ...args, status });
    const rows = parts.flatMap(rowsOf);
    const found = new Set(rows.map(({ id }) => Number(id)));
    const inRange = watch.between(from, before).map(({ id }) => id);
    checkComplete(parts);
    check(found.size === rows.length, 'An order was found twice.');
    for (const id of inRange) {
      const isAlwaysWanted = [...watch.statusesOf(id)].every((had) => wanted.includes(had));
      check(found.has(id) || !isAlwaysWanted, `${id} is missing from the ${wanted} orders.`);
    }
    for (const row of rows) {
      const had = watch.statusesOf(Number(row.id));
      const isRight = had.has(row.status as Status) && wanted.includes(row.status as Status);
      check(isRight && inRange.includes(Number(row.id)), `${row.id} was found with the status ${row.status}.`);
    }
  };

/** Calls `order_license_get_order` for several orders at the same time, as models do. */
const singleOrders =
  (count: number): Question =>
  async (asking) => {
    const { assistant, mock, shop } = asking;
    const watch = watchOrders(mock, shop);
    const read = someOrders(asking, count).map(async ({ id }) => {
      const [order = {}] = await assistant.ask('order_license_get_order', { id });
      check(order.id === id, `${order.id} was returned instead of ${id}.`);
      checkOrder(order, mock, watch);
    });
    await Promise.all(read);
  };

const severalOrders: Question = async (asking) => {
  const { assistant, mock, shop, wasUp } = asking;
  const watch = watchOrders(mock, shop);
  const ids = someOrders(asking, 12).map(({ id }) => id);
  const parts = await assistant.ask('order_license_get_order', { ids, codes: false });
  const items = parts.flatMap((part) => rowsOf(part.items));
  const orders = parts.flatMap((part) => rowsOf(part.orders));
  // `failed` names orders that could not be read during an outage.
  const failed = parts.flatMap((part) => (part.failed ?? []) as Json[]);
  check(failed.length === 0 || !wasUp(), `${failed.length} orders could not be read although the API was up.`);
  const named = [...orders, ...failed].map(({ id }) => id);
  check(named.sort().join() === ids.sort().join(), `${named.length} of ${ids.length} orders were returned or named.`);
  for (const order of orders) {
    const own = items.filter((item) => item.order === order.id);
    const license_codes = (item: Json) => Array(Number(item.number_of_codes ?? 0));
    checkOrder({ ...order, items: own.map((item) => ({ license_codes: license_codes(item) })) }, mock, watch);
  }
};

const byNumber: Question = async (asking) => {
  const { assistant, mock, shop } = asking;
  const watch = watchOrders(mock, shop);
  const orders = mock.state.orders('business');
  const [wanted] = orders.page(Math.floor(asking.random() * orders.count()), 1) as [StoredOrder];
  const [order = {}] = await assistant.ask('order_license_get_order', { order_number: wanted.list.bestellnummer });
  check(order.id === wanted.id, `${order.id} was returned instead of ${wanted.id}.`);
  checkOrder(order, mock, watch);
};

/** The questions range from cheap ones to some that need more than a minute of the assistant's share. */
export const questions: readonly Question[] = [
  whoAmI,
  sums(1),
  sums(7),
  sums(40),
  countAll,
  search(3, 'bezahlt', 'abgeschlossen'),
  search(30, 'ausstehend'),
  singleOrders(1),
  singleOrders(4),
  severalOrders,
  byNumber,
];
