import type { CallOptions, PollCallOptions } from '../base/call-options.ts';
import {
  concernsEveryOrder,
  type ErrorCode,
  isOrderLicenseError,
  isRateLimitError,
  OrderLicenseError,
  ownMessage,
  retryableCodes,
} from '../base/errors.ts';
import type { ListQuery } from '../call/operations.ts';
import type { OrderFinder } from '../list/find-order.ts';
import { fullPage, type Slice } from '../list/slice.ts';
import type { Order, OrderList, OrderSummary, User } from '../model/order.ts';
import type { Head, WatchState } from './state.ts';

/** The client's methods that a poll needs. */
export interface WatchedClient {
  getMe(options: CallOptions): Promise<User>;
  listOrders(query: ListQuery & CallOptions): Promise<OrderList>;
  getOrder(id: string, options: CallOptions): Promise<Order>;
  /** @param onList called with each page that a search reads */
  orderFinder(onList: (list: OrderList) => void): OrderFinder;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/**
 * How long a poll's request waits, and whether it may use the reserve:
 * - `head`: looks for new orders; may use the reserve, and waits until the poll ends
 * - `event`: needed for an event; the first few of a poll may use the reserve
 * - `search`: one of many requests that find an event's list entry; may not use the reserve
 * - `routine`: looks for changes; never waits, so that an export goes first. A routine request that is late becomes an
 *   `event`
 */
export type Urgency = 'head' | 'event' | 'search' | 'routine';

/**
 * Why an order was not read: it does not exist, its response is unusable, or the API fails for it, perhaps temporarily.
 */
export type Unread = 'gone' | 'unusable' | 'failing';

export type PageQuery = Slice & Pick<ListQuery, 'status'>;

/** The requests of one poll. Each returns undefined if no more requests may be sent in this poll. */
export interface Reads {
  getMe(): Promise<User | undefined>;
  listOrders(query: PageQuery, urgency: Urgency): Promise<OrderList | undefined>;
  /**
   * Reads each order at most once per poll, and only after a list has been read. Errors that concern only this order
   * are returned.
   */
  getOrder(id: string, urgency: Urgency): Promise<Order | Unread | undefined>;
  /**
   * Returns the list entry of an order that was seen in this poll or found by a search. `unlisted`: a search in this
   * poll reached its end without finding the order. `absent`: the order was not seen in this poll.
   */
  findEntry(id: string): Promise<OrderSummary | 'unlisted' | 'absent' | undefined>;
  /** Whether a page of the list has been read. */
  hasRead(): boolean;
  /** Returns why the latest request was not sent: an error for the rate limit, or for too little time left. */
  unsent(): OrderLicenseError;
}

export interface ReadsOptions {
  client: WatchedClient;
  options: Pick<CallOptions, 'signal' | 'consumer'>;
  /** Time limit for the poll, ms from now. */
  deadlineMs: number;
  state: Pick<WatchState, 'now' | 'head' | 'held' | 'toRead' | 'lists'>;
  warn(message: string): void;
}

/** Minimum time that must be left in the poll to send a request, ms. */
const minMs = 1_500;
const timeoutMs = 10_000;
/** Maximum number of event requests per poll that may use the reserve, which interactive calls also need. */
const maxReserved = 3;
/** Longest wait for a permit once the poll has events, ms. */
const hurriedMs = 3_000;
/**
 * After `maxRepeated` failures, a poll skips orders that failed before; after `maxFailures`, it reads no more orders at
 * all.
 */
const maxRepeated = 2;
const maxFailures = 4;
const maxSearches = 2;
/** Maximum number of pages per poll that are read in vain because an order was expected there. */
const maxWrongGuesses = 4;
/** Number of reads in a row that may return 404 before an order counts as removed. */
const maxMisses = 3;
const maxPauseSeconds = 3_600;
/** Error codes of a search that reached its end or cannot begin. */
const notFound: readonly ErrorCode[] = ['not_found', 'not_located', 'bad_request'];

export const createReads = ({ client, options, deadlineMs, state, warn }: ReadsOptions): Reads => {
  const endsAt = client.now() + deadlineMs;
  const { now, toRead } = state;
  const read = new Map<string, Order | Unread>();
  const entries = new Map<string, OrderSummary>();
  const finder = client.orderFinder((list) => keep(list.orders));
  let reserved = 0;
  let failures = 0;
  /** Orders that a search of this poll did not find. */
  const unlisted = new Set<string>();
  let searches = 0;
  let hasRead = false;
  let unsent = noTimeError(deadlineMs);
  /** Pages that have been read; every poll reads the first one. */
  const guessed = new Set([1]);
  let wrongGuesses = 0;

  const keep = (orders: readonly OrderSummary[]): void => {
    for (const order of orders) entries.set(String(order.id), order);
  };

  const bounds = (urgency: Urgency): PollCallOptions | undefined => {
    const leftMs = endsAt - client.now();
    if (leftMs < minMs) return undefined;
    const useReserve = urgency === 'head' || (urgency === 'event' && reserved++ < maxReserved);
    const waitMs = urgency !== 'head' && state.held.some(({ since }) => since === now) ? hurriedMs : leftMs;
    const maxWaitMs = urgency === 'routine' ? 0 : waitMs;
    const priority = urgency === 'routine' ? 'bulk' : 'background';
    return { ...options, priority, useReserve, maxWaitMs, deadlineMs: leftMs, timeoutMs, retries: 0 };
  };

  const send = async <Response>(
    urgency: Urgency,
    call: (bounds: CallOptions) => Promise<Response>,
  ): Promise<Response | undefined> => {
    for (let attempt = 1; ; attempt++) {
      const limits = bounds(urgency);
      if (!limits) {
        unsent = noTimeError(deadlineMs);
        return undefined;
      }
      try {
        return await call(limits);
      } catch (error) {
        if (isRateLimitError(error) && error.source === 'local') {
          unsent = error;
          return undefined;
        }
        // Only a broken connection is retried at once; anything else is retried by the next poll.
        if (attempt > 1 || !isOrderLicenseError(error) || error.code !== 'connection') throw error;
      }
    }
  };

  const isShown = (id: string): boolean =>
    entries.has(id) || [...state.lists.values()].some(({ seen, unseen }) => seen.has(id) || unseen.has(id));

  const failed = (id: string, error: OrderLicenseError): Unread => {
    const { code, status } = error;
    // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
    if (code !== 'not_found' && (code !== 'bad_request' || status !== undefined)) failures += 1;
    const { tries = 0, isUrgent = false, misses: before = 0 } = toRead.get(id) ?? {};
    const misses = code === 'not_found' ? before + 1 : 0;
    toRead.set(id, { due: now + Math.min(60 * 2 ** tries, maxPauseSeconds), isUrgent, tries: tries + 1, misses });
    warn(`Order ${id} could not be read; a later poll will try again: ${ownMessage(error)}`);
    // An order that a list still shows may return 404 for a moment.
    if (misses > maxMisses && !isShown(id)) return 'gone';
    return retryableCodes.has(code) ? 'failing' : 'unusable';
  };

  const readOrder = async (id: string, urgency: Urgency): Promise<Order | Unread | undefined> => {
    const planned = toRead.get(id);
    const hasFailed = planned !== undefined && planned.tries > 0;
    if (failures >= (hasFailed ? maxRepeated : maxFailures) || (hasFailed && planned.due > now)) return 'failing';
    try {
      const order = await send(urgency, (limits) => client.getOrder(id, limits));
      if (order && planned) Object.assign(planned, { tries: 0, misses: 0 });
      return order;
    } catch (error) {
      // A list was read in this poll, so a temporary error concerns only this order.
      if (!mayPass(error)) throw error;
      return failed(id, error);
    }
  };

  /**
   * Searches with `look`.
   * @returns the result of `look`; the error if only this search failed; undefined if no more requests may be sent
   * @throws if every request would fail
   */
  const search = async <Found>(
    look: () => Promise<Found | undefined>,
  ): Promise<{ found: Found } | { error: OrderLicenseError } | undefined> => {
    try {
      const found = await look();
      return found && { found };
    } catch (error) {
      if (!mayPass(error)) throw error;
      return { error };
    }
  };

  const reads: Reads = {
    hasRead: () => hasRead,
    unsent: () => unsent,
    getMe: () => send('head', (limits) => client.getMe(limits)),
    async listOrders(query, urgency) {
      const list = await send(urgency, (limits) => client.listOrders({ ...query, ...limits }));
      hasRead ||= list !== undefined;
      if (list) keep(list.orders);
      return list;
    },
    async getOrder(id, urgency) {
      const order = read.get(id) ?? (await readOrder(id, urgency));
      if (order) read.set(id, order);
      return order;
    },
    async findEntry(id) {
      const page = usualPage(state.head, id);
      if (!entries.has(id) && page >= 1 && !guessed.has(page) && wrongGuesses < maxWrongGuesses) {
        if (!(await search(() => reads.listOrders({ page, perPage: fullPage }, 'event')))) return undefined;
        guessed.add(page);
        if (!entries.has(id)) wrongGuesses += 1;
      }
      if (entries.has(id)) return entries.get(id);
      if (unlisted.has(id)) return 'unlisted';
      // A search needs the order's number, for which the order must be read. This would be in vain, since no more
      // searches are allowed in this poll.
      if (searches >= maxSearches) return 'absent';
      const order = await reads.getOrder(id, 'event');
      if (!order) return undefined;
      if (typeof order === 'object') {
        searches += 1;
        const number = String(order.bestellnummer);
        const result = await search(() => send('search', (limits) => finder.find(number, limits)));
        if (!result) return undefined;
        if ('found' in result) entries.set(String(result.found.summary.id), result.found.summary);
        else if (notFound.includes(result.error.code)) unlisted.add(id);
        else warn(`The search for order ${id} failed; a later poll will try again: ${ownMessage(result.error)}`);
      }
      return entries.get(id) ?? (unlisted.has(id) ? 'unlisted' : 'absent');
    },
  };
  return reads;
};

/**
 * Returns the page where an order is expected. IDs rise with the dates, so a request for that page usually saves a
 * search.
 */
const usualPage = (head: Head | undefined, id: string): number => {
  const ids = [...(head?.seen.keys() ?? [])].map(Number);
  const newest = Math.max(...ids);
  const rank = ((newest - Number(id)) / (newest - Math.min(...ids))) * (ids.length - 1);
  return head?.seen.has(id) ? 2 : Math.floor(rank / fullPage) + 1;
};

const noTimeError = (deadlineMs: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `\`deadlineMs\` (${deadlineMs}) left less than ${minMs} ms for the next request, so it was not sent`,
    advice: 'Set a longer `deadlineMs`, or try again later.',
    sent: false,
  });

/** Whether a later poll may succeed before somebody changes the key, the account or the program. */
export const mayPass = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) && !concernsEveryOrder(error);
