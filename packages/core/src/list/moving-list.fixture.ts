import fc from 'fast-check';
import { expect } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';
import type { ReadPage, Slice } from './slice.ts';
import { type WalkOptions, walkOrders, walkPages } from './walk.ts';

/** Returns the time `second` seconds after the start of every list. */
export const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1000);

/** An order created `second` seconds after the start. */
export const orderOf = (id: number, second = 0, fields: object = {}): OrderSummary =>
  ({
    id,
    bestellnummer: `B-${id}`,
    status: 'bezahlt',
    zahlungsstatus: 'offen',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    created_at: at(second).toISOString().slice(0, 19).replace('T', ' '),
    lieferstatus: 'offen',
    ...fields,
  }) as OrderSummary;

/** A response with a slice of `rows`. */
export const listOf = (rows: readonly OrderSummary[], { page, perPage }: Slice, total = rows.length): OrderList => ({
  orders: rows.slice((page - 1) * perPage, page * perPage),
  pagination: { page, per_page: perPage, total, pages: Math.ceil(total / perPage) },
});

/** Wraps `read`, and changes the orders of each response. */
export const withOrders =
  (read: ReadPage, change: (orders: OrderSummary[]) => OrderSummary[]): ReadPage =>
  async (query) => {
    const list = await read(query);
    return { ...list, orders: change(list.orders) };
  };

/** Reads a walk to its end, and checks that it returns no order twice. */
export const walked = async (read: ReadPage, options: WalkOptions = {}) => {
  const walk = walkOrders(walkPages(read, options));
  const orders = await Array.fromAsync(walk);
  const ids = orders.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  return { ids, orders, gaps: walk.gaps };
};

export interface ListChange {
  kind: 'insert' | 'enter' | 'leave' | 'remove';
  /** Index of the first order, counted from 0 at the oldest. */
  place: number;
  /** Number of orders that are inserted, or that leave or are removed from there on. */
  count?: number | undefined;
}

export interface MovingListOptions {
  orders: number;
  /** Changes after each request: orders are created or removed, or enter or leave the filter. */
  changes?: readonly (readonly ListChange[])[];
  /** Every n-th order matches the filter. Default: two of three orders match. */
  oneMatchIn?: number;
  /** Whether `total` and `pages` still count the list before the latest change, while the rows show the list after it. */
  countsBefore?: boolean;
  /** Number of requests by which each copy of the list lags; the copies respond in turn. Default: none lags. */
  lags?: readonly number[];
  /** Number of requests for which `total` and `pages` are cached. */
  cachedFor?: number;
  /** Whether many orders have the same time. */
  sameTimes?: boolean;
  /** Whether each response lists orders with the same time in a different sequence (U-09). */
  shufflesTies?: boolean;
  /** Whether `total` and `pages` count the filtered list, or all orders (U-11). */
  total?: 'filtered' | 'all';
  /** Maximum page size of the API. */
  largestPage?: number;
  /** Response to a request for a page past the end. */
  pastEnd?: 'empty' | 'error' | 'last page';
  /** The `per_page` that the API reports: the size used, the size requested, or none. */
  reportedPerPage?: 'used' | 'asked' | 'none';
  /** Every n-th order is counted, but its row is omitted. */
  hideEvery?: number;
}

/** Runs of a property of lists; `LIST_RUNS=5000` searches longer. */
export const listRuns = { numRuns: Number(process.env.LIST_RUNS ?? 80) };

export const pastEnds = fc.constantFrom('empty' as const, 'error' as const, 'last page' as const);

const place = fc.nat(100_000);
const single = fc.record({ kind: fc.constantFrom('insert' as const, 'enter' as const, 'leave' as const), place });
const many = fc.record({ kind: fc.constant('leave' as const), place, count: fc.integer({ min: 40, max: 400 }) });
/** Orders that arrive, and that enter and leave the filter, at times many at once. */
const change: fc.Arbitrary<ListChange> = fc.oneof({ weight: 9, arbitrary: single }, { weight: 1, arbitrary: many });

/** Lists of up to 900 orders from which none is removed, behind APIs with any pagination. */
export const anyMovingList: fc.Arbitrary<MovingListOptions> = fc.record({
  orders: fc.integer({ min: 0, max: 900 }),
  changes: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 60 }) },
  ),
  sameTimes: fc.boolean(),
  total: fc.constantFrom('filtered' as const, 'all' as const),
  pastEnd: pastEnds,
  reportedPerPage: fc.constantFrom('used' as const, 'asked' as const, 'none' as const),
  hideEvery: fc.constantFrom(0, 0, 7, 60, 400),
});

const filter: StatusFilter = 'bezahlt';

/** An API whose list changes between requests: the model to test walks against. */
export const createMovingList = ({
  orders: count,
  changes = [],
  oneMatchIn,
  countsBefore = false,
  lags = [0],
  cachedFor = 1,
  sameTimes = false,
  shufflesTies = false,
  total = 'filtered',
  largestPage = 50,
  pastEnd = 'empty',
  reportedPerPage = 'used',
  hideEvery = 0,
}: MovingListOptions) => {
  let made = 0;
  let clock = 0;
  const tick = () => (sameTimes ? Math.floor(clock++ / 7) : clock++);
  const create = (status: StatusFilter): OrderSummary => orderOf(++made, tick(), { status });
  // The list begins with the oldest order. By default, every third order is outside the filter.
  const isInFilter = (index: number) => (oneMatchIn === undefined ? index % 3 !== 2 : index % oneMatchIn === 0);
  const all = Array.from({ length: count }, (_, index) => create(isInFilter(index) ? filter : 'ausstehend'));
  const original = new Set(all.map(({ id }) => id));
  const standing = new Set(all.filter(({ status }) => status === filter).map(({ id }) => id));
  let requests = 0;
  const isHidden = (id: number): boolean => hideEvery > 0 && id % hideEvery === 0;

  /** The list before each request, if a copy can lag. */
  const history: OrderSummary[][] = [];
  let counted: { at: number; lengths: Map<StatusFilter | undefined, number> } | undefined;
  const present = (): OrderSummary[] =>
    history.at(-1 - Math.min(lags[requests % lags.length] ?? 0, history.length - 1)) ?? all;
  const cachedCount = (status: StatusFilter | undefined, now: number): number => {
    if (!counted || requests >= counted.at + cachedFor) counted = { at: requests, lengths: new Map() };
    const count = counted.lengths.get(status) ?? now;
    counted.lengths.set(status, count);
    return count;
  };

  /** The list for each filter, newest first; valid until something changes. */
  const lists = new Map<StatusFilter | undefined, OrderSummary[]>();
  const rowsOf = (status: StatusFilter | undefined): OrderSummary[] => {
    const list =
      lists.get(status) ??
      present()
        .toReversed()
        .filter((order) => !status || order.status === status);
    lists.set(status, list);
    return shufflesTies ? shuffled(list, requests) : list;
  };

  const move = ({ kind, place, count = 1 }: ListChange): void => {
    if (kind === 'insert') {
      for (let n = 0; n < count; n++) all.push(create(filter));
    } else if (kind === 'remove') {
      for (const { id } of all.splice(place % Math.max(1, all.length), count)) {
        standing.delete(id);
        original.delete(id);
      }
    } else {
      const candidates = all.filter(({ status }) => (status === filter) === (kind === 'leave'));
      const from = place % Math.max(1, candidates.length);
      for (const chosen of candidates.slice(from, from + count)) {
        chosen.status = kind === 'leave' ? 'storniert' : filter;
        standing.delete(chosen.id);
      }
    }
  };

  return {
    async read({ page, perPage, status }: Parameters<ReadPage>[0]): Promise<OrderList> {
      const before = rowsOf(status).length;
      const moves = changes[requests - 1] ?? [];
      if (moves.length > 0) lists.clear();
      for (const one of moves) move(one);
      if (lags.some((lag) => lag > 0)) {
        history.push(all.map((order) => ({ ...order })));
        lists.clear();
      }
      requests += 1;
      const per_page = Math.min(perPage, largestPage);
      const rows = rowsOf(status);
      const matching = cachedCount(status, countsBefore ? before : rows.length);
      const listed = total === 'filtered' || status === undefined ? matching : all.length;
      let returned = page;
      if (page > 1 && (page - 1) * per_page >= rows.length) {
        if (pastEnd === 'error') throw new OrderLicenseError('invalid_response', { detail: 'rejected', status: 404 });
        if (pastEnd === 'last page') returned = Math.max(1, Math.ceil(rows.length / per_page));
      }
      const { orders, pagination } = listOf(rows, { page: returned, perPage: per_page }, listed);
      const reported = { used: per_page, asked: perPage, none: undefined }[reportedPerPage] as number;
      return {
        orders: orders.filter(({ id }) => !isHidden(id)).map((order) => ({ ...order })),
        pagination: { ...pagination, per_page: reported },
      };
    },
    /** The orders that were in the list before the first request, never left it, and are not hidden. */
    stood: (status?: StatusFilter) => all.filter(({ id }) => (status ? standing : original).has(id) && !isHidden(id)),
    requests: () => requests,
  };
};

/** Returns the list with orders of the same time in a sequence that depends on `turn`. */
const shuffled = (list: OrderSummary[], turn: number): OrderSummary[] => {
  const place = ({ id }: OrderSummary): number => ((id * 7919 + turn * 104_729) % 10_007) % 101;
  return list.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || place(a) - place(b));
};
