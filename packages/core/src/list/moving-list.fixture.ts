import fc from 'fast-check';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import type { ReadPage } from './slice.ts';

export interface MovingListOptions {
  orders: number;
  /**
   * Changes between each request and the next: orders are created or removed, or enter or leave the filter. `place`
   * counts from 0 at the oldest order; `count` orders from there on leave or are removed at once.
   */
  changes: readonly { kind: 'insert' | 'enter' | 'leave' | 'remove'; place: number; count?: number | undefined }[][];
  /** Every n-th order matches the filter. Default: two of three orders match. */
  oneMatchIn?: number;
  /**
   * Whether `total` and `pages` still count the list before the latest change, while the rows show the list after it.
   */
  countsBefore?: boolean;
  /** By how many requests the copy that answers a request lags behind; copies take turns. Default: none lags. */
  lags?: readonly number[];
  /** For how many requests `total` and `pages` are cached. */
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
  /** Page sizes that the API accepts; others are rejected. */
  sizes?: readonly number[] | undefined;
  /** Every n-th order is counted, but its row is omitted. */
  hideEvery?: number;
  /** Pages that extend past this index are rejected, although `total` and `pages` include them. */
  brokenFrom?: number;
}

export interface MovingList {
  read: ReadPage;
  /** IDs of the orders that were in the filtered list before the first request, never left it, and are not hidden. */
  stood(): number[];
  /** The orders whose IDs `stood` returns. */
  stoodOrders(): OrderSummary[];
  /** IDs of all orders that were in the list before the first request, were never removed, and are not hidden. */
  listed(): number[];
  requests(): number;
}

/** Runs of a property of lists; `LIST_RUNS=5000` searches longer. */
export const listRuns = { numRuns: Number(process.env.LIST_RUNS ?? 80) };

const place = fc.nat(100_000);
const change = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constantFrom('insert' as const, 'enter' as const, 'leave' as const), place }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('leave' as const), place, count: fc.integer({ min: 40, max: 400 }) }),
  },
);

interface Movements {
  /** Maximum number of requests that are followed by a change of the list. */
  maxChanges: number;
  hideEvery: readonly number[];
}

/** Lists of up to 900 orders with any changes, behind APIs with any pagination. */
export const anyMovingList = ({ maxChanges, hideEvery }: Movements): fc.Arbitrary<MovingListOptions> =>
  fc.record({
    orders: fc.integer({ min: 0, max: 900 }),
    changes: fc.array(fc.array(change, { maxLength: 10 }), { maxLength: maxChanges }),
    sameTimes: fc.boolean(),
    total: fc.constantFrom('filtered' as const, 'all' as const),
    pastEnd: fc.constantFrom('empty' as const, 'error' as const, 'last page' as const),
    reportedPerPage: fc.constantFrom('used' as const, 'asked' as const, 'none' as const),
    hideEvery: fc.constantFrom(...hideEvery),
  });

const filter: StatusFilter = 'bezahlt';

/** An API whose list changes between requests: the model to test walks against. */
export const createMovingList = (
  {
    orders: count,
    changes,
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
    sizes,
    hideEvery = 0,
    brokenFrom = Infinity,
  }: MovingListOptions,
  reject: (status: 400 | 404) => Error,
): MovingList => {
  let made = 0;
  const order = (status: StatusFilter, time: number): OrderSummary => {
    made += 1;
    return {
      id: made,
      bestellnummer: `B-${made}`,
      status,
      zahlungsstatus: 'offen',
      gesamtpreis_brutto: '1.00',
      waehrung: 'EUR',
      created_at: new Date(Date.UTC(2026, 0, 1) + time * 1000).toISOString().slice(0, 19).replace('T', ' '),
      lieferstatus: 'offen',
    } as OrderSummary;
  };
  let clock = 0;
  const tick = () => (sameTimes ? Math.floor(clock++ / 7) : clock++);
  // The list begins with the oldest order. By default, every third order is outside the filter.
  const matches = (index: number) => (oneMatchIn === undefined ? index % 3 !== 2 : index % oneMatchIn === 0);
  const all = Array.from({ length: count }, (_, index) => order(matches(index) ? filter : 'ausstehend', tick()));
  const standing = new Set(all.filter(({ status }) => status === filter).map(({ id }) => id));
  const original = new Set(all.map(({ id }) => id));
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
  const listOf = (status: StatusFilter | undefined): OrderSummary[] => {
    const list =
      lists.get(status) ??
      present()
        .filter((order) => status === undefined || order.status === status)
        .reverse();
    lists.set(status, list);
    return shufflesTies ? shuffled(list, requests) : list;
  };

  const move = () => {
    if (changes[requests - 1]?.length) lists.clear();
    for (const { kind, place, count = 1 } of changes[requests - 1] ?? []) {
      if (kind === 'remove') {
        for (const { id } of all.splice(place % Math.max(1, all.length), count)) {
          standing.delete(id);
          original.delete(id);
        }
        continue;
      }
      if (kind === 'insert') {
        all.push(order(filter, tick()));
        continue;
      }
      const candidates = all.filter(({ status }) => (status === filter) === (kind === 'leave'));
      const from = place % Math.max(1, candidates.length);
      for (const chosen of candidates.slice(from, from + count)) {
        chosen.status = kind === 'leave' ? 'storniert' : filter;
        standing.delete(chosen.id);
      }
    }
  };

  return {
    async read({ page, perPage, status }) {
      const before = listOf(status).length;
      if (requests > 0) move();
      if (lags.some((lag) => lag > 0)) {
        history.push(all.map((order) => ({ ...order })));
        lists.clear();
      }
      requests += 1;
      if (sizes && !sizes.includes(perPage)) throw reject(400);
      const per_page = Math.min(perPage, largestPage);
      const list = listOf(status);
      const matching = cachedCount(status, countsBefore ? before : list.length);
      const listed = total === 'filtered' || status === undefined ? matching : all.length;
      const pages = Math.ceil(listed / per_page);
      let returned = page;
      if (page > 1 && (page - 1) * per_page >= list.length) {
        if (pastEnd === 'error') throw reject(404);
        if (pastEnd === 'last page') returned = Math.max(1, Math.ceil(list.length / per_page));
      }
      const start = (returned - 1) * per_page;
      if (start + per_page > brokenFrom) throw reject(404);
      const reported = { used: per_page, asked: perPage, none: undefined }[reportedPerPage] as number;
      return {
        orders: list
          .slice(start, start + per_page)
          .filter(({ id }) => !isHidden(id))
          .map((order) => ({ ...order })),
        pagination: { page: returned, per_page: reported, total: listed, pages },
      };
    },
    stood: () => [...standing].filter((id) => !isHidden(id)),
    stoodOrders: () => all.filter(({ id }) => standing.has(id) && !isHidden(id)),
    listed: () => [...original].filter((id) => !isHidden(id)),
    requests: () => requests,
  };
};

/** Returns the list with orders of the same time in a sequence that depends on `turn`. */
const shuffled = (list: OrderSummary[], turn: number): OrderSummary[] => {
  const place = ({ id }: OrderSummary): number => ((id * 7919 + turn * 104_729) % 10_007) % 101;
  return list.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || place(a) - place(b));
};
