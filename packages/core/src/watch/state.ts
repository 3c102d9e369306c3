import type { StatusFilter } from '../model/order.ts';
import type { ChangeEvent, Selection } from './events.ts';
import { rankOf } from './names.ts';
import type { Reads, SingleRead } from './reads.ts';

/** What the parts of one poll share. */
export interface Poll {
  /** Updated in place. */
  memory: Memory;
  selection: Selection;
  reads: Reads;
  events: ChangeEvent[];
  /** Seconds since 1970. */
  now: number;
  /** Whether this poll records the baseline. */
  isStart: boolean;
  warn(message: string): void;
  /** Warns about a limit at most once an hour. */
  warnHourly(message: string): void;
}

/** What is remembered between polls: IDs, dates and statuses, never a license key. All times in seconds since 1970. */
export interface Memory {
  /** Hash of the base URL and the user: another account begins with a new baseline. */
  account: string;
  /** Hash of the base URL and the API key: while it stays the same, so does the account (§5.2). */
  key: string;
  /** The newest orders; undefined until the first page of the list has been read. */
  head?: Head | undefined;
  /** Orders whose status or license codes are watched, by ID. */
  orders: Map<string, Watched>;
  /** Per watched status, its orders and the progress of the sweep through its list. */
  lists: Map<StatusFilter, StatusList>;
  /** Orders to read by themselves. */
  toRead: Map<string, SingleRead>;
  /** Events that have not been reported yet. */
  held: Held[];
  /** Whether license codes are selected: if they are added later, watched orders count as paid before. */
  hasCodes: boolean;
  /** When a warning about a limit was last given. */
  warnedAt: number;
  /** Since when no list could be read. */
  silentSince: number | null;
}

export interface Head {
  /** Orders created at this time or later are new unless they are in `seen`. */
  from: number;
  /** Number of known orders in the whole list; undefined if the API does not count. */
  total?: number | undefined;
  /** The newest orders seen, with their creation; null if it cannot be read. */
  seen: Map<string, number | null>;
}

export interface Watched {
  status: string;
  /** The highest status that it had: `paid` and `completed` are reported once. */
  reached: number;
  /**
   * Set if it was paid before it was watched, until it is known which license codes it had then: the hash of the delivery
   * status with which it was first listed, and whether it has been read since. The codes read then are old only if an
   * entry that is listed after the read still has that delivery status.
   */
  before?: { delivery: string; isRead: boolean } | undefined;
  /** Its license codes, if those that it gets are events. */
  codes?: { since: number; states: string; known: string[] } | undefined;
}

/** A list as its pages showed it, one after the other. */
export interface StatusList {
  /** Known orders on the pages that this sweep has read. */
  above: string[];
  /** Those that should follow, in the order of the sweep before. One that is missing there has left the list. */
  below: string[];
  /** The page to read next. */
  page: number;
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
  event: ChangeEvent['event'];
  id: string;
  status: string;
  previousStatus?: string | undefined;
  /** The name of a license code, and the delivery status with which it is not new. */
  code?: string | undefined;
  oldWith?: string | undefined;
  /** When it was found: after ten minutes it is reported without what could not be read. */
  since: number;
}

const version = 2;

/** Returned by `changes` and passed to the next call. Store it as JSON, unchanged; its parts are internal. */
export interface ChangesState {
  version: typeof version;
  /** Since when no list could be read, in seconds since 1970; null after a poll that read one. */
  silentSince: number | null;
  memory: SavedMemory;
}

interface SavedMemory extends Omit<Memory, 'head' | 'orders' | 'lists' | 'toRead'> {
  head?: (Omit<Head, 'seen'> & { seen: [id: string, created: number | null][] }) | undefined;
  lists: SavedList[];
  toRead: [id: string, SingleRead][];
  /** Orders of which more is known than their list. */
  orders: [id: string, Watched][];
}

interface SavedList extends Omit<StatusList, 'above' | 'below'> {
  status: StatusFilter;
  above: SavedIds;
  below: SavedIds;
  /** How many orders in a row have this `before`. */
  before: [count: number, before: Watched['before'] | null][];
}

export const newMemory = (): Memory => ({
  account: '',
  key: '',
  orders: new Map(),
  lists: new Map(),
  toRead: new Map(),
  held: [],
  hasCodes: false,
  warnedAt: 0,
  silentSince: null,
});

export const saveState = ({ head, orders, lists, toRead, ...memory }: Memory): ChangesState => {
  const listed = new Set([...lists.values()].flatMap(idsOf));
  const isPlain = ([id, { status, reached, codes }]: [string, Watched]): boolean =>
    listed.has(id) && !codes && reached === rankOf(status);
  const saved: SavedMemory = {
    ...memory,
    head: head && { ...head, seen: [...head.seen] },
    orders: [...orders].filter((entry) => !isPlain(entry)),
    toRead: [...toRead],
    lists: [...lists].map(([status, list]) => ({
      ...list,
      status,
      above: saveIds(list.above),
      below: saveIds(list.below),
      before: runsOf(idsOf(list).map((id) => orders.get(id)?.before)),
    })),
  };
  return { version, silentSince: memory.silentSince, memory: saved };
};

const runsOf = (marks: Watched['before'][]): SavedList['before'] => {
  const runs: SavedList['before'] = [];
  for (const mark of marks) {
    const last = runs.at(-1);
    if (last && last[1]?.delivery === mark?.delivery && last[1]?.isRead === mark?.isRead) last[0] += 1;
    else runs.push([1, mark ?? null]);
  }
  return runs;
};

/** @returns undefined for anything that `saveState` did not return */
export const readState = (state: unknown): Memory | undefined => {
  const given = state as ChangesState | null | undefined;
  if (given?.version !== version) return undefined;
  const { head, orders, lists, toRead, ...memory } = structuredClone(given.memory);
  const read: Memory = {
    ...memory,
    head: head && { ...head, seen: new Map(head.seen) },
    orders: new Map(),
    lists: new Map(),
    toRead: new Map(toRead),
  };
  for (const { status, above, below, before, ...sweep } of lists) {
    const list = { ...sweep, above: readIds(above), below: readIds(below) };
    read.lists.set(status, list);
    const marks = before.flatMap(([count, mark]) => Array.from({ length: count }, () => mark && { ...mark }));
    for (const [place, id] of idsOf(list).entries()) {
      read.orders.set(id, { status, reached: rankOf(status), before: marks[place] ?? undefined });
    }
  }
  for (const [id, order] of orders) read.orders.set(id, order);
  return read;
};

export const idsOf = ({ above, below }: Pick<StatusList, 'above' | 'below'>): string[] => [...above, ...below];

/** Order IDs as they are saved: each as the previous one minus itself, or as a string. Lists are mostly descending. */
type SavedIds = (number | string)[];

/** Takes two or three characters of JSON per ID of a list. */
export const saveIds = (ids: Iterable<string>): SavedIds => {
  let previous = 0;
  return [...ids].map((id) => {
    const number = Number(id);
    if (!Number.isSafeInteger(number) || String(number) !== id) return id;
    const saved = previous - number;
    previous = number;
    return saved;
  });
};

export const readIds = (saved: SavedIds): string[] => {
  let previous = 0;
  return saved.map((entry) => {
    if (typeof entry === 'string') return entry;
    previous -= entry;
    return String(previous);
  });
};
