import type { StatusFilter } from '../model/order.ts';
import type { ChangeEvent } from './events.ts';

/**
 * Data that is remembered between polls: IDs, dates and statuses, never a license key. All times are in seconds, on the
 * clock of `now`.
 */
export interface WatchState {
  /** Hash of the base URL and the user: a different account begins with a new baseline. */
  account: string;
  /** Hash of the base URL and the API key: while it stays the same, so does the account (§5.2). */
  key: string;
  /** The time of this poll, on a clock that advances with the system's clock but never goes back. */
  now: number;
  /** The system's clock at this poll, in seconds since 1970. */
  systemNow: number;
  /** The newest orders; undefined until the first page of the list has been read. */
  head?: Head | undefined;
  /**
   * Orders whose status or license codes are watched, by ID. Some orders share one object: replace it, never change it.
   */
  orders: Map<string, Watched>;
  /** For each watched status, its orders and the progress of the sweep through its list. */
  lists: Map<StatusFilter, StatusList>;
  /** Orders to read individually. */
  toRead: Map<string, SingleRead>;
  /** Events that have not been reported yet. */
  held: Held[];
  /**
   * Whether license codes are selected. If they are selected later, watched orders count as paid before they were
   * watched.
   */
  hasCodes: boolean;
  /** When a warning about a limit was last given. */
  warnedAt: number;
  /** When polls began to end early; null after a complete poll. */
  silentSince: number | null;
}

export interface Head {
  /** Orders created at this time or later (seconds since 1970) are new unless they are in `seen`. */
  from: number;
  /** An exception to `from`: orders created in this second are not new, since the baseline may lack some of them. */
  splitAt?: number | null | undefined;
  /** Number of known orders in the whole list; undefined if the API does not count. */
  total?: number | undefined;
  /** The newest orders seen, with their creation dates; null if a date cannot be read. */
  seen: Map<string, number | null>;
}

export interface Watched {
  status: string;
  /** The highest rank of a status that the order had: `paid` and `completed` are reported once. */
  reached: number;
  /** The order's license codes, if new codes are reported as events. */
  codes?: Codes | undefined;
}

export interface Codes {
  /**
   * When the order was last found paid, completed or delivered. The longer ago this is, the less often the order is
   * read.
   */
  since: number;
  /** Hash of the delivery status in the order's newest list entry; empty before the first entry. */
  delivery: string;
  /** Names of the license codes that no longer cause events. */
  known: string[];
  /**
   * Set if the order was paid before it was watched, until it is known which codes it had then:
   *
   * | | its list shows the same `delivery` | its list shows another one | read while a list shows it |
   * | --- | --- | --- | --- |
   * | `unread`: not read yet | no change | unset: its codes are new | `lacks` or `whole` |
   * | `lacks`: read, lacks codes | unset: the codes read are old | unset: its codes are new | no change |
   * | `whole`: read, has all codes | no `codes` any more | unset: its codes are new | no change |
   *
   * The first list entry only sets `delivery`. A read while no list shows the order unsets `before`: its codes are new
   * if a later list entry has another `delivery` than the earlier one; without an earlier one, they are old.
   */
  before?: 'unread' | 'lacks' | 'whole' | undefined;
}

/** The orders with one status, as the pages of their list showed them one after the other. */
export interface StatusList {
  /** Orders on the pages that this sweep has read. */
  seen: Set<string>;
  /**
   * Orders that this sweep has yet to find, in the sequence of the previous sweep. An order that a page should show but
   * does not has left the list.
   */
  unseen: Set<string>;
  /** The page to read next. */
  page: number;
  /** Number of pages at the last read. */
  pages: number;
  /** When the list was last read. */
  readAt: number;
  /** Whether a sweep has reached its end. */
  isKnown: boolean;
  /** How far the API's `total` was below the number of known orders after a complete sweep. */
  excess: number;
}

/** When to read an order individually. */
export interface SingleRead {
  due: number;
  /** Whether something has probably happened to the order. */
  isUrgent: boolean;
  /** Number of failed reads in a row. */
  tries: number;
  /** How many of the latest failed reads in a row returned 404. */
  misses?: number | undefined;
}

export interface Held {
  event: ChangeEvent['event'];
  id: string;
  status: string;
  previousStatus?: string | undefined;
  /**
   * For `licenseCodeAvailable`: the name of the license code, and the hash of the delivery status with which it is not
   * new.
   */
  code?: string | undefined;
  oldWith?: string | undefined;
  /** When the event was found: after ten minutes, it is reported without the data that could not be read. */
  since: number;
}

export const newState = (): WatchState => ({
  account: '',
  key: '',
  now: 0,
  systemNow: 0,
  head: undefined,
  orders: new Map(),
  lists: new Map(),
  toRead: new Map(),
  held: [],
  hasCodes: false,
  warnedAt: 0,
  silentSince: null,
});

/** Plans to read an order individually. */
export const readLater = ({ now, toRead }: WatchState, id: string, seconds: number, isUrgent = false): void => {
  toRead.set(id, { tries: 0, ...toRead.get(id), due: now + seconds, isUrgent });
};

/** Removes an order from the list of its status. */
export const unlist = ({ orders, lists }: WatchState, id: string): void => {
  const list = lists.get(orders.get(id)?.status as StatusFilter);
  list?.seen.delete(id);
  list?.unseen.delete(id);
};

/** Stops watching an order. */
export const forget = (state: WatchState, id: string): void => {
  unlist(state, id);
  state.orders.delete(id);
};
