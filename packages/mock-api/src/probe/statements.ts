import { statuses } from '../data/order.ts';
import { type Got, largestFilter } from './questions.ts';
import { dataOf, type Fields, isPaid, listedOrders, ordersOf, pagingOf, type Reply } from './reply.ts';
import { expectedCount } from './reply-facts.ts';

/** A statement of the API docs that only several responses show, by its number in docs/statements.md. */
export interface StatementResult {
  id: string;
  text: string;
  held: number;
  broken: number;
}

/** The details that were read, each with its entry in the list. */
type Details = readonly { order: Fields; entry: Fields | undefined; status: string | undefined }[];

interface Evidence {
  got: Got;
  details: Details;
  /** Requests before the first 429, and whether there was one, if the limit was exceeded on purpose. */
  limit: { passed: number; exceeded: boolean; resets: boolean | undefined } | undefined;
}

/** Each check returns whether the statement holds, for each case that was seen. */
const checks: Record<string, [text: string, check: (evidence: Evidence) => (boolean | undefined)[]]> = {
  'S-02': ['the same request gets the same response', ({ got }) => [sameOrders(got('again'), got('page1'))]],
  'S-08': [
    'an order of another account looks like one that does not exist',
    ({ got }) => [got('other') && text(got('other')) === text(got('nobody'))],
  ],
  'S-18': [
    'an order has the same values in the list and in the detail',
    ({ details }) =>
      details.map(({ order, entry }) => entry && shared.every((name) => isSame(order[name], entry[name]))),
  ],
  'S-34': [
    'a filter lists only orders of its status, and the four totals add up',
    ({ got }) => [...statuses.map((status) => isFiltered(got(status), status)), addUp(got)],
  ],
  'S-37': [
    'unpaid orders have no license keys',
    ({ details }) =>
      details.map(({ order, status }) => (status === undefined || isPaid(status) ? undefined : !hasKey(order))),
  ],
  'S-44': ['the pages of the list have each order once', ({ got }) => [isWhole(got)]],
  'S-45': ['orders come newest first', ({ got }) => [isSorted([...datesOf(got('page1')), ...datesOf(got('page2'))])]],
  'S-51': ['every page except the last is full', ({ got }) => lists.map((name) => isFull(got(name)))],
  'S-52': ['pages is total divided by per_page, rounded up', ({ got }) => lists.map((name) => hasPages(got(name)))],
  'S-54': [
    'page, per_page and status can be combined',
    ({ got }) => [
      isPart(got('second'), got('page1'), 20),
      isPart(got('filterSecond'), got(largestFilter(got) ?? ''), 5),
    ],
  ],
  'S-57': [
    'an order that does not exist gets 404',
    ({ got }) => ['nobody', 'other'].map((name) => got(name) && got(name)?.status === 404),
  ],
  'S-78': ['60 requests per minute pass', ({ limit }) => [limit && limit.passed >= 60]],
  'S-79': [
    'the 61st request gets 429',
    ({ limit }) => [limit && limit.passed >= 60 ? limit.exceeded && limit.passed === 60 : undefined],
  ],
  'S-82': ['requests pass again 60 s after the limit was exceeded', ({ limit }) => [limit?.resets]],
};

const lists = ['list', 'one', 'page1', 'page2', 'second', ...statuses, 'filterSecond'];
const shared = ['id', 'bestellnummer', 'status', 'gesamtpreis_brutto', 'waehrung'];

/** Checks what only several responses show. Leaves out statements that no response shows. */
export const checkStatements = (got: Got, limit: Evidence['limit']): StatementResult[] => {
  const entries = new Map(lists.flatMap((name) => ordersOf(got(name)) ?? []).map((entry) => [String(entry.id), entry]));
  const status = new Map(listedOrders(got).map((order) => [order.id, order.status]));
  const details = Array.from({ length: 30 }, (_, n) => dataOf(got(`order${n}`))).flatMap((order) =>
    order ? [{ order, entry: entries.get(String(order.id)), status: status.get(String(order.id)) }] : [],
  );
  return Object.entries(checks).flatMap(([id, [about, check]]) => {
    const seen = check({ got, details, limit }).filter((holds) => holds !== undefined);
    const held = seen.filter(Boolean).length;
    return seen.length === 0 ? [] : [{ id, text: about, held, broken: seen.length - held }];
  });
};

const text = (reply: Reply | undefined): string =>
  JSON.stringify([reply?.status, reply?.body], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );

const isSame = (one: unknown, other: unknown): boolean => one === undefined || other === undefined || one === other;

const sameOrders = (one: Reply | undefined, other: Reply | undefined): boolean | undefined =>
  ordersOf(one) && ordersOf(other) && pagingOf(one, 'total') === pagingOf(other, 'total')
    ? text(one) === text(other)
    : undefined;

const isFiltered = (reply: Reply | undefined, status: string): boolean | undefined =>
  ordersOf(reply)?.every((entry) => entry.status === undefined || entry.status === status);

const addUp = (got: Got): boolean | undefined => {
  const totals = statuses.map((status) => pagingOf(got(status), 'total'));
  const whole = pagingOf(got('list'), 'total');
  if (whole === undefined || totals.includes(undefined)) return undefined;
  return totals.reduce<number>((sum, total) => sum + (total ?? 0), 0) === whole;
};

/** Whether an order contains a license_key with a value, up to 20 levels deep. */
const hasKey = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null || depth > 20) return false;
  return Object.entries(value).some(
    ([name, inner]) => (name === 'license_key' && inner !== null && inner !== '') || hasKey(inner, depth + 1),
  );
};

const isWhole = (got: Got): boolean | undefined => {
  const pages = pagingOf(got('page1'), 'pages');
  if (pages === undefined || pages < 1 || pages > 2) return undefined;
  const ids = ['page1', 'page2'].slice(0, pages).flatMap((name) => ordersOf(got(name)) ?? []);
  return new Set(ids.map(({ id }) => String(id))).size === pagingOf(got('page1'), 'total');
};

const datesOf = (reply: Reply | undefined): string[] =>
  (ordersOf(reply) ?? []).map(({ created_at }) => String(created_at)).filter((date) => /^\d{4}-\d\d-\d\d /.test(date));

const isSorted = (dates: string[]): boolean | undefined =>
  dates.length < 2 ? undefined : dates.every((date, n) => n === 0 || date <= (dates[n - 1] ?? ''));

const isFull = (reply: Reply | undefined): boolean | undefined => {
  const expected = expectedCount(pagingOf(reply, 'page'), pagingOf(reply, 'per_page'), pagingOf(reply, 'total'));
  return expected === undefined ? undefined : ordersOf(reply)?.length === expected;
};

const hasPages = (reply: Reply | undefined): boolean | undefined => {
  const [perPage, total, pages] = ['per_page', 'total', 'pages'].map((field) => pagingOf(reply, field));
  if (!perPage || total === undefined || pages === undefined) return undefined;
  // An empty list may have 0 pages or 1.
  return pages === Math.ceil(total / perPage) || (total === 0 && pages === 1);
};

/** Compares the dates, since orders with equal dates may come in any sequence. */
const isPart = (part: Reply | undefined, whole: Reply | undefined, size: number): boolean | undefined => {
  const [some, all] = [datesOf(part), datesOf(whole)];
  if (pagingOf(part, 'per_page') !== size || pagingOf(part, 'total') !== pagingOf(whole, 'total')) return undefined;
  if (some.length === 0 || all.length <= size) return undefined;
  const wanted = all.slice(size, 2 * size);
  return some.slice(0, wanted.length).join() === wanted.join();
};
