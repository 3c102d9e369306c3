import { isObject } from '../base/checks.ts';
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
  before?: { delivery: string; isRead: boolean } | undefined;
}

export interface StatusList {
  /** Its known orders, as listed. */
  ids: string[];
  /** The page to read next. */
  page: number;
  /** The last order of the page read before, in the same sweep. */
  after?: string | undefined;
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
  due?: number | undefined;
  isUrgent: boolean;
  /** Hash of its three statuses in the list: it is read again when this changes. */
  states: string;
  /** Names of the known codes. */
  known: Set<string>;
  /** Since when the list entry for its new codes has been searched for. */
  entrySince?: number | undefined;
  /** If it left its list before its codes were known: they are old if it still has this delivery status. */
  before?: string | undefined;
}

const version = 1;

/** Returned by `changes` and passed to the next call. Store it as JSON, unchanged; its parts are internal. */
export interface ChangesState {
  version: typeof version;
  memory: unknown;
  lists: SavedList[];
  /** Orders that are in no list, or have had a higher status. */
  others: [id: string, Watched][];
  /** See `Memory`; null after a poll that read a list. */
  silentSince: number | null;
}

interface SavedList extends Omit<StatusList, 'ids'> {
  status: StatusFilter;
  ids: SavedIds;
  /** Along `ids`, how many orders in a row have this `before`. */
  before: [count: number, before: Watched['before'] | null][];
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

export const saveState = ({ orders, lists, ...memory }: Memory): ChangesState => {
  const listed = new Set([...lists.values()].flatMap(({ ids }) => ids));
  const others = [...orders].filter(([id, { status, reached }]) => !listed.has(id) || reached > rankOf(status));
  const saved = [...lists].map(([status, list]) => saveList(status, list, orders));
  return { version, memory: toJson(memory), lists: saved, others, silentSince: memory.silentSince ?? null };
};

const saveList = (status: StatusFilter, list: StatusList, orders: Memory['orders']): SavedList => {
  const before: SavedList['before'] = [];
  for (const id of list.ids) {
    const known = orders.get(id)?.before ?? null;
    const last = before.at(-1);
    if (last && last[1]?.delivery === known?.delivery && last[1]?.isRead === known?.isRead) last[0] += 1;
    else before.push([1, known]);
  }
  return { ...list, status, ids: saveIds(list.ids), before };
};

/** @returns undefined for anything that `saveState` did not return */
export const readState = (state: unknown): Memory | undefined => {
  const saved = state as ChangesState | null | undefined;
  if (saved?.version !== version) return undefined;
  const memory: Memory = { ...newMemory('', ''), ...(fromJson(saved.memory) as Memory) };
  for (const { status, ids, before, ...list } of saved.lists) {
    memory.lists.set(status, { ...list, ids: readIds(ids) });
    const marks = before.flatMap(([count, mark]) => Array.from({ length: count }, () => mark));
    for (const [index, id] of readIds(ids).entries()) {
      const mark = marks[index];
      memory.orders.set(id, { status, reached: rankOf(status), before: mark ? { ...mark } : undefined });
    }
  }
  for (const [id, order] of saved.others) memory.orders.set(id, { ...order });
  return memory;
};

/** Maps and sets as objects that JSON can hold. */
const toJson = (value: unknown): unknown => {
  if (value instanceof Map) return { map: [...value].map(([key, inner]) => [key, toJson(inner)]) };
  if (value instanceof Set) return { set: [...value] };
  if (Array.isArray(value)) return value.map(toJson);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]))
    : value;
};

const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isObject(value)) return value;
  const { map, set } = value;
  if (Array.isArray(map)) return new Map(fromJson(map) as [unknown, unknown][]);
  if (Array.isArray(set)) return new Set(set);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fromJson(inner)]));
};

/** How far an order has come: 1 for paid, 2 for completed, 0 for any other status. */
export const rankOf = (status: string): number => (status === 'bezahlt' ? 1 : status === 'abgeschlossen' ? 2 : 0);
