import type { ChangesState } from '../base/changes-state.ts';
import { textOf } from '../base/checks.ts';
import { hash } from '../base/hash.ts';
import { documentedStatus } from '../model/order.ts';

export const hourSeconds = 3_600;
export const daySeconds = 24 * hourSeconds;

/**
 * Data that is remembered between polls: IDs, dates and statuses, never a license key. All times are in seconds since
 * 1970.
 */
export interface WatchState {
  /** Hash of the base URL and the user: a different account begins with a new baseline. */
  account: string;
  /** Hash of the base URL and the API key: while the hash stays the same, so does the account (§5.2). */
  key: string;
  /** The time of this poll. */
  now: number;
  /** The newest orders; undefined until the first page of the list has been read. */
  head?: Head | undefined;
  /** What is known about each watched order, by ID; at the start of a poll, the highest ID is first. */
  orders: Map<string, Known>;
  /** For each watched status, the progress of the sweep through its list. */
  lists: Map<string, Sweep>;
  /**
   * Whether events about license codes are selected. If they are first selected later, orders that are already watched
   * count as paid before they were watched.
   */
  hasCodes: boolean;
}

export interface Head {
  /** Orders created at this time or later (seconds since 1970) are new unless they are in `seen`. */
  from: number;
  /**
   * How many orders the list's `total` may count without a warning: those of the baseline, those found since, and those
   * warned about. Undefined if the API does not report it.
   */
  total?: number | undefined;
  /** The newest orders seen, with their creation dates; null if a date cannot be read. */
  seen: Map<string, number | null>;
  /**
   * The part of the list that an unfinished catch-up has yet to read: orders created from `oldest` to `newest`. `oldest`
   * is the date of the newest order that was known before the catch-up began.
   */
  gap?: { newest: number; oldest: number } | undefined;
}

/**
 * What is known about an order. It changes only together with the report of the change. Several orders can share a
 * record or its parts: replace them, never change them.
 */
export interface Known {
  /** The last status reported, or found at the baseline; for an order not yet reported, the status in its list entry. */
  status: string;
  /**
   * The highest rank of a status that the order had: `paid` and `completed` are each reported once. -1 for a new order
   * that has not been reported, because its details could not be read.
   */
  reached: number;
  /** Set while the current sweep of the order's list has not shown it yet. */
  isUnlisted?: true | undefined;
  /**
   * Time at which the order was found to be in no watched list: a complete sweep of its list did not show it, or no list
   * has its status. Cleared when its list shows it.
   */
  leftAt?: number | undefined;
  /**
   * Time at which to read the order individually: a list shows a change and the rest is in the order, its list no longer
   * shows it, or no list has its status.
   */
  readAt?: number | undefined;
  /** Time from which a read may report an earlier status, which an old response may have shown. */
  backAt?: number | undefined;
  /** Time at which to read the order for its license codes. */
  codesAt?: number | undefined;
  /** Set while reads of the order fail. */
  failed?: Failure | undefined;
  /** The order's license codes, if new codes are reported as events. */
  codes?: Codes | undefined;
}

/** Failed reads of an order: the time of the first one, and the time of the next read, which waits as long again. */
export interface Failure {
  since: number;
  retryAt: number;
}

/** Whether no watched list has the order's status, or a complete sweep of its list did not show the order. */
export const hasLeft = ({ lists }: Pick<WatchState, 'lists'>, { status, leftAt }: Known): boolean =>
  leftAt !== undefined || !lists.has(status);

/** Returns the time from which to read an order. */
export const dueAt = ({ readAt = Infinity, backAt = Infinity, codesAt = Infinity, failed }: Known): number =>
  Math.max(Math.min(readAt, backAt, codesAt), failed?.retryAt ?? 0);

/**
 * The license codes of a paid or completed order. An order is in one of five states:
 * - unread: paid before it was watched, and not read since (`undecidedSince: 0`)
 * - undecided and lacking: read, but whether the codes found are new is unknown; others are missing (`known`)
 * - undecided and whole: the same, but no codes are missing (without `known`)
 * - awaiting: its further codes are events (`known`, without `undecidedSince`)
 * - absent (no `Codes`): no codes are expected, because it was whole, or too much time has passed
 */
export interface Codes {
  /**
   * Time since which codes are expected: when the order became paid or completed, when its delivery status changed, or
   * when it was first read. The longer ago this was, the less often it is read.
   */
  since: number;
  /** Hash of the delivery status in the order's newest list entry; undefined before the first entry. */
  delivery?: string | undefined;
  /**
   * Names of the license codes that have been reported, or that the order had before it was watched. Undefined for an
   * order that was paid before it was watched: before its first read, and after it if that read showed all its codes.
   */
  known?: string[] | undefined;
  /**
   * For an order that was paid before it was watched: the time of its first read, 0 before it. Set until it is known
   * whether the codes of that read are new. A list entry with another delivery status shows that they are new. One with
   * the same delivery status, at least ten minutes after the read, shows that they are old.
   */
  undecidedSince?: number | undefined;
}

/** What is known of the codes of an order that was paid before it was watched: it is due to be read. */
export const unreadCodes = (now: number): Pick<Known, 'codes' | 'codesAt'> => ({
  codes: { since: 0, undecidedSince: 0 },
  codesAt: now,
});

/** The progress of the sweep that reads the list of one status, a few pages each poll. */
export interface Sweep {
  /** The page to read next. */
  page: number;
  /** Time at which the last complete sweep ended. */
  sweptAt: number;
  /** Time at which that page is due; 0 if the list is read to its end at once. */
  nextAt: number;
  /** The first page that could not be read. A sweep without one of its pages shows no departures. */
  failed?: number | undefined;
}

/**
 * Returns the name under which a status is saved. A status that the API docs do not name could contain anything, so
 * only its hash is saved.
 */
export const statusName = (status: unknown): string => documentedStatus(status) ?? `other-${hash(textOf(status))}`;

export const newState = (): WatchState => ({
  account: '',
  key: '',
  now: 0,
  head: undefined,
  orders: new Map(),
  lists: new Map(),
  hasCodes: false,
});

export const newHead = (): Head => ({ from: 0, seen: new Map() });

export const newSweep = (now: number): Sweep => ({ page: 1, sweptAt: now, nextAt: 0 });

const version = 4;

/** Maps in JSON are lists of their entries. Orders with the same record are a group: few of them have one of their own. */
interface SavedState extends Omit<WatchState, 'head' | 'orders' | 'lists'> {
  head?: Omit<Head, 'seen'> & { seen: [string, number | null][] };
  orders: [record: Known, ids: SavedIds][];
  lists: [status: string, Sweep][];
}

/** Converts a state to JSON, of which an order needs about three bytes. */
export const saveState = (state: WatchState, silentSince: number | null = null): ChangesState => {
  const groups = new Map<string, string[]>();
  for (const [id, known] of state.orders) {
    const text = JSON.stringify(known);
    const group = groups.get(text);
    if (group) group.push(id);
    else groups.set(text, [id]);
  }
  const orders = [...groups].map(([text, ids]) => [JSON.parse(text), saveIds(ids)]);
  const encode = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  return { version, silentSince, state: JSON.parse(JSON.stringify({ ...state, orders }, encode)) };
};

/** @returns undefined for anything but a state of this version */
export const readState = (saved: unknown): WatchState | undefined => {
  const given = saved as ChangesState | null | undefined;
  if (given?.version !== version) return undefined;
  try {
    const { head, lists, orders, ...rest }: SavedState = JSON.parse(JSON.stringify(given.state));
    const known = orders.flatMap(([record, ids]) => readIds(ids).map((id): [string, Known] => [id, record]));
    return {
      ...rest,
      head: head && { ...head, seen: new Map(head.seen) },
      lists: new Map(lists),
      orders: new Map(known.sort(([one], [other]) => Number(other) - Number(one) || 0)),
    };
  } catch {
    return undefined;
  }
};

/** Order IDs as they are saved: each ID as the difference from the previous one, or as a string. */
type SavedIds = (number | string)[];

/** Encodes IDs that are close to each other in two or three characters of JSON each. */
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
