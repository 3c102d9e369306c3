import type { StatusFilter } from '../model/order.ts';
import { readIds, type SavedIds, saveIds } from './id-list.ts';

/** What is remembered between polls: IDs, dates and statuses, never a license key. All times in seconds since 1970. */
export interface Memory {
  /** Hash of the base URL and the user: another account begins with a new baseline. */
  account: string;
  /** Hash of the base URL and the API key: while it stays the same, so does the account (§5.2). */
  key: string;
  /** The newest orders; undefined until the first page of the list has been read. */
  head: Head | undefined;
  /** Orders whose status is watched, by ID. */
  orders: Map<string, Watched>;
  /** Per watched status, its orders and the progress of the sweep through its list. */
  lists: Map<StatusFilter, StatusList>;
  /** Watched orders that are absent from their list, or whose status has none: when to read each by itself. */
  loose: Map<string, number>;
  /** Events whose order could not be found in the list or read in full yet. */
  held: Held[];
  /** Orders whose reads fail: how often in a row, and when to try again. */
  failing: Map<string, { tries: number; due: number }>;
  /** Whether license codes are selected: if they are added later, watched orders count as paid before. */
  hasCodes: boolean;
  /** Paid orders that may get license codes, by ID. */
  awaited: Map<string, Awaited>;
  /** When a warning about a limit was last given. */
  warnedAt: number;
  /** Since when no list could be read. */
  silentSince: number | undefined;
}

export interface Head {
  /** Orders created at this time or later are new unless they are in `seen`. */
  from: number;
  /** Number of known orders in the whole list; undefined if the API does not count. */
  total: number | undefined;
  /** The newest orders seen, with their creation; null if it cannot be read. */
  seen: Map<string, number | null>;
}

export interface Watched {
  status: string;
  /** The highest status that it had before: `paid` and `completed` are reported once. */
  reached: number;
  /**
   * Set if it was paid before it was watched, until it is known which license codes it had then: the hash of the delivery
   * status with which it was first listed, and whether it has been read since and had codes. These are old only if an
   * entry that was listed after the read still has that delivery status.
   */
  before: { delivery: string; isRead: boolean } | undefined;
}

export interface StatusList {
  /** Its known orders, as listed. */
  ids: string[];
  /** The page to read next. */
  page: number;
  /** The last order of the page read before, in the same sweep. */
  after: string | undefined;
  /** Number of pages at the last read. */
  pages: number;
  /** When it was last read. */
  readAt: number;
  /** Whether a sweep has reached its end. */
  isKnown: boolean;
  /** How far the API's `total` is below the number of known orders although none is absent. */
  tolerated: number;
}

export interface Held {
  event: 'newOrder' | 'statusChanged' | 'paid' | 'completed';
  id: string;
  status: string;
  previousStatus?: string | undefined;
  /** When it was found: after ten minutes it is reported without what could not be read. */
  since: number;
}

export interface Awaited {
  since: number;
  /** When to read it next; undefined once it has all its codes, until it changes. */
  due: number | undefined;
  isUrgent: boolean;
  /** Hash of its three statuses in the list: it is read again when this changes. */
  states: string;
  /** IDs of the known codes, by line item. */
  known: Map<string, Set<string>>;
  /** Since when the list entry for its new codes has been searched for; lost when the process ends. */
  entrySince?: number | undefined;
  /** If it left its list before its codes were known: they are old if it still has this delivery status. */
  before: string | undefined;
}

const version = 1;

/** Returned by `changes` and passed to the next call. Store it as JSON, unchanged; its parts are internal. */
export interface ChangesState {
  version: typeof version;
  account: string;
  key: string;
  head: [from: number, total: number | null, seen: [id: string, created: number | null][]] | null;
  lists: SavedList[];
  loose: [id: string, status: string, due: number, reached: number][];
  reached: [id: string, rank: number][];
  held: Held[];
  failing: [id: string, tries: number, due: number][];
  hasCodes: boolean;
  awaited: [
    id: string,
    since: number,
    due: number | null,
    isUrgent: number,
    states: string,
    known: [item: string, codes: SavedIds][],
    before: string | null,
  ][];
  warnedAt: number;
  silentSince: number | null;
}

interface SavedList {
  status: StatusFilter;
  ids: SavedIds;
  /** Along `ids`, how many orders in a row have this `before`: null for none, `!` before the hash for one that was read. */
  before: [count: number, before: string | null][];
  /** page, pages, readAt, isKnown, tolerated */
  sweep: number[];
  after: string | null;
}

export const newMemory = (account: string, key: string): Memory => ({
  account,
  key,
  head: undefined,
  orders: new Map(),
  lists: new Map(),
  loose: new Map(),
  held: [],
  failing: new Map(),
  hasCodes: false,
  awaited: new Map(),
  warnedAt: 0,
  silentSince: undefined,
});

export const saveState = (memory: Memory): ChangesState => {
  const { head, orders } = memory;
  return {
    version,
    account: memory.account,
    key: memory.key,
    head: head ? [head.from, head.total ?? null, [...head.seen]] : null,
    lists: [...memory.lists].map(([status, list]) => saveList(status, list, orders)),
    loose: [...memory.loose].map(([id, due]) => [id, orders.get(id)?.status ?? '', due, orders.get(id)?.reached ?? 0]),
    reached: [...orders].flatMap(([id, { status, reached }]) => (reached > rankOf(status) ? [[id, reached]] : [])),
    held: memory.held,
    failing: [...memory.failing].map(([id, { tries, due }]) => [id, tries, due]),
    hasCodes: memory.hasCodes,
    awaited: [...memory.awaited].map(([id, { since, due, isUrgent, states, known, before }]) => {
      const codes = [...known].map(([item, ids]): [string, SavedIds] => [item, saveIds(ids)]);
      return [id, since, due ?? null, Number(isUrgent), states, codes, before ?? null];
    }),
    warnedAt: memory.warnedAt,
    silentSince: memory.silentSince ?? null,
  };
};

const saveList = (status: StatusFilter, list: StatusList, orders: Memory['orders']): SavedList => {
  const before: SavedList['before'] = [];
  for (const id of list.ids) {
    const known = orders.get(id)?.before;
    const text = known ? `${known.isRead ? '!' : ''}${known.delivery}` : null;
    const last = before.at(-1);
    if (last?.[1] === text) last[0] += 1;
    else before.push([1, text]);
  }
  const { page, pages, readAt, isKnown, tolerated, after } = list;
  const sweep = [page, pages, readAt, Number(isKnown), tolerated];
  return { status, ids: saveIds(list.ids), before, sweep, after: after ?? null };
};

/** @returns undefined for anything that `saveState` did not return */
export const readState = (state: unknown): Memory | undefined => {
  const saved = state as ChangesState | null | undefined;
  if (saved?.version !== version) return undefined;
  const memory = newMemory(saved.account, saved.key);
  const { orders } = memory;
  if (saved.head)
    memory.head = { from: saved.head[0], total: saved.head[1] ?? undefined, seen: new Map(saved.head[2]) };
  for (const list of saved.lists) memory.lists.set(list.status, readList(list, orders));
  for (const [id, status, due, reached] of saved.loose) {
    memory.loose.set(id, due);
    if (!orders.has(id)) orders.set(id, { status, reached, before: undefined });
  }
  for (const [id, reached] of saved.reached) Object.assign(orders.get(id) ?? {}, { reached });
  memory.held = saved.held.map((held) => ({ ...held }));
  memory.failing = new Map(saved.failing.map(([id, tries, due]) => [id, { tries, due }]));
  memory.hasCodes = saved.hasCodes;
  for (const [id, since, due, isUrgent, states, codes, before] of saved.awaited) {
    const known = new Map(codes.map(([item, ids]) => [item, new Set(readIds(ids))]));
    memory.awaited.set(id, {
      ...{ since, due: due ?? undefined, isUrgent: isUrgent === 1, states, known, before: before ?? undefined },
    });
  }
  memory.warnedAt = saved.warnedAt;
  memory.silentSince = saved.silentSince ?? undefined;
  return memory;
};

const readList = ({ status, ids: saved, before, sweep, after }: SavedList, orders: Memory['orders']): StatusList => {
  const ids = readIds(saved);
  let index = 0;
  for (const [count, text] of before) {
    for (const id of ids.slice(index, index + count)) {
      const known = text === null ? undefined : { delivery: text.replace('!', ''), isRead: text.startsWith('!') };
      orders.set(id, { status, reached: rankOf(status), before: known });
    }
    index += count;
  }
  const [page = 1, pages = 1, readAt = 0, isKnown, tolerated = 0] = sweep;
  return { ids, page, after: after ?? undefined, pages, readAt, isKnown: isKnown === 1, tolerated };
};

/** How far an order has come: 1 for paid, 2 for completed, 0 for any other status. */
export const rankOf = (status: string): number => (status === 'bezahlt' ? 1 : status === 'abgeschlossen' ? 2 : 0);
