import type { CallOptions, PollCallOptions } from '../base/call-options.ts';
import { textOf } from '../base/checks.ts';
import { concernsEveryOrder, isOrderLicenseError, isRateLimitError, OrderLicenseError } from '../base/errors.ts';
import type { Signal } from '../base/signal.ts';
import type { ListQuery } from '../call/operations.ts';
import type { OrderFinder } from '../list/find-order.ts';
import { fullPage, type Slice } from '../list/slice.ts';
import type { Order, OrderList, OrderSummary, User } from '../model/order.ts';
import { compare, type Sighting } from './compare.ts';
import type { ChangeEvent, Selection } from './events.ts';
import type { Known, WatchState } from './state.ts';

/** The client's methods that a poll needs. */
export interface WatchedClient {
  getMe(options: CallOptions): Promise<User>;
  listOrders(query: ListQuery & CallOptions): Promise<OrderList>;
  getOrder(id: string, options: CallOptions): Promise<Order>;
  /** @param onList called with each page that a search reads */
  orderFinder(onList: (list: OrderList) => void): OrderFinder;
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** @throws `aborted` as soon as the signal aborts or the client closes */
  sleep(ms: number, signal?: Signal): Promise<void>;
}

/**
 * How urgent a poll's request is:
 * - `needed`: looks for new orders, or is needed for an event; the first few of a poll may use the reserve. Without one
 *   of them, the poll is incomplete
 * - `soon`: looks for changes of pending orders, or for an event's list entry
 * - `routine`: looks for other changes; never waits for a permit, so that an export goes first. A request of the last
 *   two kinds that is late becomes a `needed` one
 */
export type Urgency = 'needed' | 'soon' | 'routine';

export type PageQuery = Slice & Pick<ListQuery, 'status'>;

/** Data and functions that the parts of one poll share. */
export interface Poll {
  /** Updated in place. */
  state: WatchState;
  selection: Selection;
  events: ChangeEvent[];
  /** The list entries that this poll has read, by ID. */
  entries: Map<string, OrderSummary>;
  /** Whether this poll records the baseline. */
  isStart: boolean;
  /** Whether something due was left undone for lack of time or permits. */
  isCutShort: boolean;
  /** Whether a page of the list has been read. */
  hasRead: boolean;
  warn(message: string): void;
  /** The error of a page of a status list, which did not end the poll. */
  pageError?: unknown;
  getMe(): Promise<User>;
  listOrders(query: PageQuery, urgency: Urgency): Promise<OrderList>;
  getOrder(id: string, urgency: Urgency): Promise<Order>;
  /** Returns the list entry of an order that was seen in this poll, or that one of its two searches finds. */
  findEntry(order: Order): Promise<OrderSummary | undefined>;
}

/** Whether nothing was tried, because the poll has no time or no permit left. A connection that takes too long is a try. */
export const isUnsent = (error: unknown): error is OrderLicenseError =>
  (isRateLimitError(error) && error.source === 'local') ||
  (isOrderLicenseError(error) && error.code === 'timeout' && error.sent === false && error.attempts === 0);

export interface PollOptions {
  client: WatchedClient;
  options: Pick<CallOptions, 'signal' | 'consumer'>;
  /** Time limit for the poll, ms from now. */
  deadlineMs: number;
  state: WatchState;
  selection: Selection;
  warn(message: string): void;
}

/** Minimum time that must be left in the poll to send a request, ms. */
const minMs = 1_500;
/** Time limit for one request of a poll, ms. */
const timeoutMs = 10_000;
/** Maximum number of needed requests per poll that may use the reserve, which interactive calls also need. */
const maxReserved = 4;
/** Longest wait for a permit of a `soon` request and, once the poll has events, of a needed one, ms. */
const hurriedMs = 3_000;
const maxSearches = 2;
/** Maximum number of pages per poll that are read in vain because an order was expected there. */
const maxWrongGuesses = 4;

export const createPoll = ({ client, options, deadlineMs, state, selection, warn }: PollOptions): Poll => {
  const endsAt = client.now() + deadlineMs;
  const events: ChangeEvent[] = [];
  const entries = new Map<string, OrderSummary>();
  const keep = (list: OrderList): void => {
    for (const order of list.orders) entries.set(String(order.id), order);
  };
  const finder = client.orderFinder(keep);
  let reserved = 0;
  let searches = 0;
  let wrongGuesses = 0;

  const bounds = (urgency: Urgency): PollCallOptions => {
    const leftMs = endsAt - client.now();
    if (leftMs < minMs) throw noTimeError(deadlineMs);
    const shared = { ...options, deadlineMs: leftMs, timeoutMs, retries: 0 };
    if (urgency === 'routine') return { ...shared, priority: 'bulk', maxWaitMs: 0 };
    const isHurried = urgency === 'soon' || events.length > 0;
    const maxWaitMs = isHurried && poll.hasRead ? Math.min(hurriedMs, leftMs) : leftMs;
    const useReserve = urgency === 'needed' && reserved++ < maxReserved;
    return { ...shared, priority: 'background', maxWaitMs, useReserve };
  };

  const send = async <Response>(
    urgency: Urgency,
    call: (bounds: CallOptions) => Promise<Response>,
    isRetry = false,
  ): Promise<Response> => {
    try {
      return await call(bounds(urgency));
    } catch (error) {
      // Only a broken connection is retried at once; anything else is retried by the next poll.
      if (isOrderLicenseError(error) && error.code === 'connection' && !isRetry) return send(urgency, call, true);
      if (urgency === 'needed') poll.isCutShort ||= isUnsent(error);
      throw error;
    }
  };

  /** IDs rise with the dates, so reading the page where the order is expected usually saves a search. */
  const guessPage = async ({ id }: Order): Promise<void> => {
    const page = usualPage(state, String(id));
    if (!(page > 1) || wrongGuesses >= maxWrongGuesses) return;
    wrongGuesses += 1;
    await poll.listOrders({ page, perPage: fullPage }, 'soon');
    if (entries.has(String(id))) wrongGuesses -= 1;
  };

  /** The finder passes each page that it reads to `keep`. */
  const search = async ({ bestellnummer }: Order): Promise<void> => {
    searches += 1;
    if (searches <= maxSearches) await send('soon', (limits) => finder.find(textOf(bestellnummer), limits));
  };

  const poll: Poll = {
    state,
    selection,
    events,
    entries,
    isStart: !state.head,
    isCutShort: false,
    hasRead: false,
    warn,
    getMe: () => send('needed', (limits) => client.getMe(limits)),
    async listOrders(query, urgency) {
      const list = await send(urgency, (limits) => client.listOrders({ ...query, ...limits }));
      poll.hasRead = true;
      keep(list);
      return list;
    },
    getOrder: (id, urgency) => send(urgency, (limits) => client.getOrder(id, limits)),
    async findEntry(order) {
      const id = String(order.id);
      for (const look of [guessPage, search]) {
        if (entries.has(id)) break;
        await look(order).catch((error: unknown) => {
          if (!mayPass(error)) throw error;
        });
      }
      return entries.get(id);
    },
  };
  return poll;
};

/** Returns the page below the first one where an order is expected, from the IDs of some of the newest orders. */
const usualPage = ({ head }: WatchState, id: string): number => {
  const ids = [...(head?.seen.keys() ?? [])].slice(-2 * fullPage).map(Number);
  const newest = Math.max(...ids);
  const distance = (newest - Math.min(...ids)) / (ids.length - 1);
  return Math.max(2, Math.floor((newest - Number(id)) / distance / fullPage) + 1);
};

const noTimeError = (deadlineMs: number): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `The poll had less than ${minMs} of its ${deadlineMs} ms left, so the next request was not sent`,
    advice: 'Give the poll more time, or try again later.',
    sent: false,
  });

/** Whether a later poll may succeed before somebody changes the key, the account or the program. */
export const mayPass = (error: unknown): error is OrderLicenseError =>
  isOrderLicenseError(error) && !concernsEveryOrder(error);

/**
 * Compares a response with what is known about its order, and takes over the difference: reports the events, and
 * updates the order's record.
 */
export const take = (poll: Poll, sighting: Sighting): void => {
  const { state, selection, warn } = poll;
  const { orders, lists } = state;
  const { id } = sighting;
  const before = orders.get(id);
  const { events, known } = compare(before, sighting, poll);
  // One call of `push` cannot take the codes of a very large order.
  for (const event of events) poll.events.push(event);
  if (events.some(({ event, details }) => selection.withDetails.includes(event) && !details))
    warn(`Order ${id} is reported without its details, which could not be read.`);
  const isWatched = before || sighting.isNew || lists.has(known.status);
  // A new order that was not reported is always remembered.
  if (known.reached < 0 || (lists.size > 0 && isWatched)) orders.set(id, known);
  else orders.delete(id);
};

/** Replaces a part of what is known about an order. */
export const update = ({ orders }: WatchState, id: string, part: Partial<Known>): void => {
  orders.set(id, { ...(orders.get(id) as Known), ...part });
};
