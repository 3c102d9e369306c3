import type { Json } from '../json.ts';
import type { Order, OrderSummary, Status } from './order.ts';
import { withGiven } from './own-order.ts';
import { merged, type OwnOrder } from './read-orders.ts';
import { createdAtOf, idOf, type OrderSeed, seedOrder, statusOf } from './seed.ts';

export type CompareTies = (a: Pick<Order, 'id'>, b: Pick<Order, 'id'>) => number;

/** The orders of an account, newest first. */
export interface Orders {
  /** Number of orders, optionally with one status. */
  count(status?: Status): number;
  /** Orders `from` to `from + size`, optionally with one status. */
  page(from: number, size: number, status?: Status): OrderSummary[];
}

/** An order in the array: what lists are sorted and filtered by. Everything else is computed when it is read. */
export interface Entry {
  id: number;
  status: Status;
  /** ms since 1970. */
  createdAt: number;
  /** Place among the seeded orders, 0 for the newest; absent for an own order. */
  index?: number;
  delivered?: number | undefined;
  /** As given: all of an own order, or what was changed of a seeded one. */
  given?: OwnOrder;
}

/** The orders of an account: one array, newest first. */
export interface OrderStore extends Orders {
  source: OrderSeed;
  /** @param compareTies sorts orders with equal dates. Default: by descending ID */
  page(from: number, size: number, status?: Status, compareTies?: CompareTies): OrderSummary[];
  find(id: number): Order | undefined;
  entry(id: number): Entry | undefined;
  has(id: number): boolean;
  /** Returns an ID for a new order. @param isTaken whether any account has the ID */
  freeId(isTaken: (id: number) => boolean): number;
  entries(): readonly Entry[];
  /** The orders that were not seeded. */
  inserted(): readonly Entry[];
  insert(entry: Entry): void;
  change(id: number, change: OwnOrder & { setStatus?: unknown }): void;
  remove(id: number): void;
}

/** Newest first; equal dates by descending id. */
const compare = (a: Entry, b: Entry): number => b.createdAt - a.createdAt || b.id - a.id;

export const createOrderStore = (source: OrderSeed): OrderStore => {
  let all: Entry[] | undefined;
  let byId = new Map<number, Entry>();
  let nextRunning = source.count;
  const byStatus = new Map<Status, Entry[]>();

  /** The seeded orders are made at the first use, so that a large mock starts at once. */
  const entries = (): Entry[] => {
    if (all) return all;
    all = Array.from({ length: source.count }, (_, index) => ({
      id: idOf(source, source.count - 1 - index),
      status: statusOf(source, index),
      createdAt: createdAtOf(source, index),
      index,
    })).sort(compare);
    byId = new Map(all.map((entry) => [entry.id, entry]));
    return all;
  };
  const withStatus = (status: Status | undefined): readonly Entry[] => {
    if (status === undefined) return entries();
    const known = byStatus.get(status);
    if (known) return known;
    const found = entries().filter((entry) => entry.status === status);
    byStatus.set(status, found);
    return found;
  };
  const entryOf = (id: number): Entry | undefined => {
    entries();
    return byId.get(id);
  };
  const orderOf = (entry: Entry): Order => {
    const { id, status, createdAt, index, delivered, given } = entry;
    const base = index === undefined ? madeUp(entry) : seedOrder(source, index);
    if (given) return withGiven({ ...base, createdAt }, given, status, delivered);
    return { ...base, id, status, delivered: delivered ?? base.delivered };
  };
  /** Lists repeat the same orders, and computing their lines for each entry is slow. */
  const summaries = new WeakMap<Entry, OrderSummary>();
  const summaryOf = (entry: Entry): OrderSummary => {
    const known = summaries.get(entry);
    if (known) return known;
    const { lines: _, ...summary } = orderOf(entry);
    summaries.set(entry, summary);
    return summary;
  };
  const place = (entry: Entry): number => {
    const list = entries();
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(list[middle] as Entry, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const put = (entry: Entry): void => {
    entries().splice(place(entry), 0, entry);
    byId.set(entry.id, entry);
    byStatus.clear();
  };
  const take = (entry: Entry): void => {
    summaries.delete(entry);
    entries().splice(place(entry), 1);
    byId.delete(entry.id);
    byStatus.clear();
  };

  return {
    source,
    entries,
    inserted: () => entries().filter(({ index }) => index === undefined),
    count: (status) => withStatus(status).length,
    page(from, size, status, compareTies) {
      const list = withStatus(status);
      const sorted = compareTies ? list.toSorted((a, b) => b.createdAt - a.createdAt || compareTies(a, b)) : list;
      return sorted.slice(from, from + size).map(summaryOf);
    },
    entry: entryOf,
    has: (id) => entryOf(id) !== undefined,
    find(id) {
      const entry = entryOf(id);
      return entry && orderOf(entry);
    },
    freeId(isTaken) {
      while (isTaken(idOf(source, nextRunning))) nextRunning++;
      return idOf(source, nextRunning);
    },
    insert: put,
    change(id, { setStatus, ...change }) {
      const entry = entryOf(id);
      if (!entry) return;
      const isFieldChange = Object.keys(change.list).length + Object.keys(change.detail).length > 0;
      take(entry);
      if (setStatus !== undefined) entry.status = setStatus as Status;
      entry.delivered = change.delivered ?? entry.delivered;
      entry.createdAt = change.createdAt ?? entry.createdAt;
      if (isFieldChange) entry.given = changedFields(entry.given, { ...change, status: entry.status });
      put(entry);
    },
    remove(id) {
      const entry = entryOf(id);
      if (entry) take(entry);
    },
  };
};

/** The made-up order behind an own one. */
const madeUp = ({ id, createdAt, status }: Entry): Order => ({
  id,
  status,
  currency: 'EUR',
  createdAt,
  totalCents: 0,
  plannedCodes: 0,
  delivered: 0,
  onInvoice: false,
  lines: [],
});

/** A list field that a response's detail has, too, changes in both. */
const changedFields = (known: OwnOrder | undefined, change: OwnOrder): OwnOrder => {
  const { detail = {} } = known ?? {};
  const both: Json = Object.fromEntries(Object.entries(change.list).filter(([name]) => Object.hasOwn(detail, name)));
  return merged(known ?? { list: {}, detail: {} }, { ...change, detail: { ...both, ...change.detail } });
};
