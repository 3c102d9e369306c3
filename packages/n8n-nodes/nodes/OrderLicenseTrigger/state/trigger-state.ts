import type { StatusFilter } from '@order-license/core/portable';
import type { RecentOrders } from './recent-orders';

/** All that a trigger remembers between polls. It holds IDs, dates and statuses, never a license key. */
export interface TriggerState {
  /** See `accountOf`. */
  account: string;
  /** See `fingerprintOf`. */
  credential: string;
  /** Undefined until the first page of the list was read. */
  recent: RecentOrders | undefined;
  /** By ID, the orders whose status is watched. */
  orders: Map<string, WatchedOrder>;
  /** How far the list of each watched status has been read. */
  lists: Map<StatusFilter, ListProgress>;
  /** Whether license codes are among the events: if they are added later, orders that are watched already were paid before. */
  watchesCodes: boolean;
  /** By ID, the orders that may get license codes. */
  awaited: Map<string, AwaitedOrder>;
  /** When the orders in no list were last read, in seconds since 1970. */
  unlistedCheckedAt: number;
  /** When it was last said that not all orders can be watched, in the same. */
  excessReportedAt: number;
}

export interface WatchedOrder {
  status: string;
  mark: Mark;
  /** Of an order that was paid before it was watched, until it is settled which license codes it had then. */
  before: PaidBefore | undefined;
}

/**
 * The codes of such an order are not dated. If it was read and had none, all are new. If it had some, they were there
 * before if its delivery status is still the same afterwards, and are new if not.
 */
export interface PaidBefore {
  /** From 0 to 1023, by its delivery status when it was first listed; `unlisted` until then. */
  delivery: number;
  /** Whether it was read since, and had codes. */
  isRead: boolean;
}

export const unlisted = 1_024;

/** Where an order is in the current reading of the list of its status: `missing` from it, so it has to be read itself. */
export type Mark = 'unmet' | 'met' | 'missing';

/** The reading of one list by status, over as many polls as it takes, then from the start again. */
export interface ListProgress {
  /** Page to read next. */
  page: number;
  /** Pages when it was last read. */
  pages: number;
  /** Whether it was read to its end before. */
  isKnown: boolean;
  /** Requests that it is due, in fractions of one. */
  credit: number;
  /** True while it is read to find out who has left it. */
  isSearched: boolean;
  /** By how many orders the service's `total` is lower although none of them is missing. */
  tolerated: number;
}

/** An order that may get license codes, times in seconds since 1970. */
export interface AwaitedOrder {
  since: number;
  /** When to read it next; infinite once each piece has a code: then only when something about it changes. */
  due: number;
  /** Whether something about it has just changed. */
  isUrgent: boolean;
  /** Fingerprint of its three states in the list; another one is a reason to read it. */
  fingerprint: string;
  /** By position, the IDs of its codes that are not new; for an order that left its list unsettled, see `PaidBefore`. */
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
