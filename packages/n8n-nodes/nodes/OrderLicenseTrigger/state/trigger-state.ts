import type { StatusFilter } from '@order-license/core/portable';
import type { RecentOrders } from './recent-orders';

/** Everything that a trigger remembers between polls: IDs, dates and statuses, never a license key. */
export interface TriggerState {
  /** See `accountOf`. */
  account: string;
  /** See `fingerprintOf`. */
  credential: string;
  /** Undefined until the first page of the list has been read. */
  recent: RecentOrders | undefined;
  /** Orders whose status is watched, by ID. */
  orders: Map<string, WatchedOrder>;
  /** Progress through the list of each watched status. */
  lists: Map<StatusFilter, ListProgress>;
  /** Whether license codes are among the events. If they are added later, watched orders count as paid before. */
  watchesCodes: boolean;
  /** Orders that may get license codes, by ID. */
  awaited: Map<string, AwaitedOrder>;
  /** When the orders in no list were last read, in seconds since 1970. */
  unlistedCheckedAt: number;
  /** When the warning about unwatched orders was last logged, in seconds since 1970. */
  excessReportedAt: number;
}

export interface WatchedOrder {
  status: string;
  mark: Mark;
  /** Set if the order was paid before it was watched, until it is known which license codes it had then. */
  before: PaidBefore | undefined;
}

/**
 * License codes have no date. If the order has none when it is read, all later ones are new. If it has some, they are new
 * only if its delivery status has changed since it was listed.
 */
export interface PaidBefore {
  /** Its delivery status when first listed, as 0 to 1023; `unlisted` until then. */
  delivery: number;
  /** Whether it has been read since, and had codes. */
  isRead: boolean;
}

export const unlisted = 1_024;

/** Whether the current pass over its status list has found an order; a `missing` one has to be read individually. */
export type Mark = 'unmet' | 'met' | 'missing';

/** Progress of a pass over one status list, which takes as many polls as needed and then restarts. */
export interface ListProgress {
  /** Page to read next. */
  page: number;
  /** Number of pages at the last read. */
  pages: number;
  /** Whether a pass has reached the end before. */
  isKnown: boolean;
  /** Requests that it may send; can be fractional. */
  credit: number;
  /** True while searching for orders that left the list. */
  isSearched: boolean;
  /** How far the service's `total` is below the number of watched orders although none is missing. */
  tolerated: number;
}

/** An order that may get license codes; times in seconds since 1970. */
export interface AwaitedOrder {
  since: number;
  /** When to read it next; infinite once it has all codes, until it changes. */
  due: number;
  /** Whether it has just changed. */
  isUrgent: boolean;
  /** Fingerprint of its three states in the list; it is read again if this changes. */
  fingerprint: string;
  /** IDs of its known codes by position; or the delivery status to compare, see `PaidBefore`. */
  known: Map<string, Set<string>> | { delivery: number };
}

export const newState = (account: string, credential: string): TriggerState => ({
  account,
  credential,
  recent: undefined,
  orders: new Map(),
  lists: new Map(),
  watchesCodes: false,
  awaited: new Map(),
  unlistedCheckedAt: 0,
  excessReportedAt: 0,
});

export const newListProgress = (): ListProgress => {
  return { page: 1, pages: 1, isKnown: false, credit: 0, isSearched: false, tolerated: 0 };
};
