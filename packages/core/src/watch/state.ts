import type { StatusFilter } from '../model/order.ts';
import type { ChangeEvent } from './events.ts';

/**
 * Data that is remembered between polls: IDs, dates and statuses, never a license key. All times are in seconds, on the
 * clock of `now`.
 */
export interface WatchState {
  /** Hash of the base URL and the user: a different account begins with a new baseline. */
  account: string;
  /** Hash of the base URL and the API key: while the hash stays the same, so does the account (§5.2). */
  key: string;
  /** The time of this poll, on a clock that advances with the system's clock but never goes back. */
  now: number;
  /** The system's clock at this poll, in seconds since 1970. */
  systemNow: number;
  /** The newest orders; undefined until the first page of the list has been read. */
  head?: Head | undefined;
  /**
   * Orders whose status or license codes are watched, by ID. Several orders can share one object: replace such an
   * object, never change it.
   */
  orders: Map<string, Watched>;
  /** For each watched status, its orders and the progress of the sweep through its list. */
  lists: Map<StatusFilter, StatusList>;
  toRead: Map<string, SingleRead>;
  /** Events that have not been reported yet. */
  held: Held[];
  /**
   * Whether events about license codes are selected. If they are first selected later, orders that are already watched
   * count as paid before they were watched.
   */
  hasCodes: boolean;
  /** Time at which a warning about a limit was last given. */
  warnedAt: number;
  /** Time since which every poll has failed or left a page of a list unread; null otherwise. */
  silentSince: number | null;
}

export interface Head {
  /** Orders created at this time or later (seconds since 1970) are new unless they are in `seen`. */
  from: number;
  /** An exception to `from`: orders created in this second are not new, since the baseline may lack some of them. */
  splitAt?: number | null | undefined;
  /** Number of known orders in the whole list; undefined if the API does not report a total. */
  total?: number | undefined;
  /** The newest orders seen, with their creation dates; null if a date cannot be read. */
  seen: Map<string, number | null>;
}

export interface Watched {
  status: string;
  /** The highest rank of a status that the order had: `paid` and `completed` are each reported once. */
  reached: number;
  /** The order's license codes, if new codes are reported as events. */
  codes?: Codes | undefined;
}

export interface Codes {
  /**
   * Time at which the order was last found paid, completed or delivered. The longer ago this was, the less often the
   * order is read.
   */
  since: number;
  /** Hash of the delivery status in the order's newest list entry; empty before the first entry. */
  delivery: string;
  /** Names of the license codes that no longer cause events. */
  known: string[];
  /**
   * Set if the order was paid before it was watched, until it is known which codes it had then:
   * - `unread`: the order was not read yet. A read while a list shows the order sets `lacks` or `whole`. If a list
   *   shows a changed delivery status first, `before` is unset, and all codes of the order count as new
   * - `lacks`: the order was read, and lacks codes. The next list entry decides: if it shows the same delivery status,
   *   the codes that were read count as old; if it shows a changed one, all codes of the order count as new. In both
   *   cases, `before` is unset
   * - `whole`: the order was read, and has all codes. If the next list entry shows the same delivery status, `codes` is
   *   unset. If it shows a changed one, `before` is unset, and all codes of the order count as new
   *
   * The first list entry only sets `delivery`. A read while no list shows the order unsets `before`. The codes that
   * this read finds count as new if a later list entry shows another delivery status than the earlier entry. Without an
   * earlier entry, these codes count as old.
   */
  before?: 'unread' | 'lacks' | 'whole' | undefined;
}

/** The orders with one status, and the progress of the sweep that reads the pages of their list one after the other. */
export interface StatusList {
  /** Orders on the pages that this sweep has read. */
  seen: Set<string>;
  /**
   * Orders that this sweep has yet to find, in the sequence of the previous sweep. An order that is missing where a
   * page should show it has left the list.
   */
  unseen: Set<string>;
  /** The page to read next. */
  page: number;
  /** Number of pages at the last read. */
  pages: number;
  /** A page whose last read failed. */
  failedPage?: number | undefined;
  /** Time at which the list was last read. */
  readAt: number;
  /** Whether a sweep has reached its end. */
  isKnown: boolean;
  /** Number of known orders in excess of the API's `total` after a complete sweep. */
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
   * For `licenseCodeAvailable`: the name of the license code, and the hash of a delivery status. If the order's list
   * entry shows this status, the code is not new.
   */
  code?: string | undefined;
  oldWith?: string | undefined;
  /**
   * Time at which the event was found. Ten minutes later, the event is reported without the data that could not be
   * read.
   */
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
