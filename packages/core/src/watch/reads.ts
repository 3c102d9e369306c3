import type { CallOptions } from '../base/call-options.ts';
import { isOrderLicenseError, isRateLimitError, type OrderLicenseError } from '../base/errors.ts';
import type { ListQuery } from '../call/operations.ts';
import type { OrderFinder } from '../list/find-order.ts';
import type { Order, OrderList, OrderSummary, StatusFilter, User } from '../model/order.ts';

/** What a poll needs of the client. */
export interface WatchedClient {
  getMe(options: CallOptions): Promise<User>;
  listOrders(query: ListQuery & CallOptions): Promise<OrderList>;
  getOrder(id: string, options: CallOptions): Promise<Order>;
  orderFinder(): OrderFinder;
  /** Milliseconds on a monotonic clock. */
  now(): number;
}

/**
 * How long a request of a poll waits, and whether it may use the reserve:
 * - `head`: looks for new orders; may use the reserve, and waits until the poll ends
 * - `event`: needed for an event; the first few of a poll may use the reserve
 * - `routine`: looks for changes; never waits, so that an export goes first, until it is late and becomes an `event`
 */
export type Urgency = 'head' | 'event' | 'routine';

/** Why an order was not read: it does not exist, its response is unusable, or the API fails for it, maybe temporarily. */
export type Unread = 'gone' | 'unusable' | 'failing';

export interface PageQuery {
  page: number;
  perPage: number;
  status?: StatusFilter | undefined;
}

/** The requests of one poll. Each returns undefined if nothing more may be sent in this poll. */
export interface Reads {
  getMe(): Promise<User | undefined>;
  listOrders(query: PageQuery, urgency: Urgency): Promise<OrderList | undefined>;
  /** Reads each order at most once per poll. Errors that concern the order alone are returned. */
  getOrder(id: string, urgency: Urgency): Promise<Order | Unread | undefined>;
  /** The list entry of an order: seen in this poll, or found by its number; null if it is not found. */
  findEntry(order: { id: unknown; bestellnummer: unknown }): Promise<OrderSummary | null | undefined>;
  /** Whether this page has been read in this poll. */
  hasListed(query: PageQuery): boolean;
  /** Entries seen in this poll, by ID. */
  entries: Map<string, OrderSummary>;
  /** Whether a page of the list has been read. */
  hasRead(): boolean;
}

/** When to read an order by itself. All times in seconds since 1970. */
export interface SingleRead {
  /** When it was planned: if the clock is set back before that, the order is due. */
  at: number;
  due: number;
  /** Something has probably happened to the order. */
  isUrgent: boolean;
  /** Failures in a row. */
  tries: number;
}

/** What is known of single orders, and the time. */
interface ReadingList {
  memory: { toRead: Map<string, SingleRead> };
  now: number;
}

export interface ReadsOptions extends ReadingList {
  client: WatchedClient;
  options: Pick<CallOptions, 'signal' | 'consumer'>;
  /** By `client.now`, in ms. */
  endsAt: number;
  /** Whether the poll has events, which should not wait. */
  isHurried(): boolean;
  warn(message: string): void;
}

/** With less time left, no request is sent. */
const minMs = 1_500;
const timeoutMs = 10_000;
/** Event requests per poll that may use the reserve; people need some of it. */
const maxReserved = 3;
/** Longest wait for a permit once the poll has events. */
const hurriedMs = 3_000;
/** After failures for this many orders, none that failed before is read in this poll, and then no other. */
const maxRepeated = 2;
const maxFailures = 4;
const maxSearches = 2;
/** Reads in a row that return 404 before an order counts as removed. */
const maxMisses = 3;
const maxPauseSeconds = 3_600;

/** Plans to read an order by itself. */
export const readLater = (
  { memory: { toRead }, now }: ReadingList,
  id: string,
  seconds: number,
  isUrgent = false,
): void => {
  toRead.set(id, { at: now, due: now + seconds, isUrgent, tries: toRead.get(id)?.tries ?? 0 });
};

export const isDue = ({ at, due }: SingleRead, now: number): boolean => now >= due || now < at;

export const createReads = (given: ReadsOptions): Reads => {
  const { client, options, endsAt, memory, now, isHurried, warn } = given;
  const read = new Map<string, Order | Unread>();
  const entries = new Map<string, OrderSummary>();
  const finder = client.orderFinder();
  let reserved = 0;
  let failures = 0;
  let searches = 0;
  const listed = new Set<string>();

  const bounds = (urgency: Urgency): CallOptions | undefined => {
    const leftMs = endsAt - client.now();
    if (leftMs < minMs) return undefined;
    const useReserve = urgency === 'head' || (urgency === 'event' && reserved++ < maxReserved);
    const waitMs = urgency === 'event' && isHurried() ? hurriedMs : leftMs;
    const maxWaitMs = urgency === 'routine' ? 0 : waitMs;
    const priority = urgency === 'head' || urgency === 'event' ? 'background' : 'bulk';
    return { ...options, priority, useReserve, maxWaitMs, deadlineMs: leftMs, timeoutMs, retries: 0 };
  };

  const send = async <Response>(
    urgency: Urgency,
    call: (bounds: CallOptions) => Promise<Response>,
  ): Promise<Response | undefined> => {
    for (let attempt = 1; ; attempt++) {
      const limits = bounds(urgency);
      if (!limits) return undefined;
      try {
        return await call(limits);
      } catch (error) {
        if (isRateLimitError(error) && error.source === 'local') return undefined;
        // The next poll is the retry for everything but a broken connection.
        if (attempt > 1 || !isOrderLicenseError(error) || error.code !== 'connection') throw error;
      }
    }
  };

  const failed = (id: string, { code, status, message }: OrderLicenseError): Unread => {
    const isSent = status !== undefined || code === 'timeout';
    if (isSent) failures += 1;
    const { tries = 0, isUrgent = false } = memory.toRead.get(id) ?? {};
    const due = now + Math.min(60 * 2 ** tries, maxPauseSeconds);
    memory.toRead.set(id, { at: now, due, isUrgent, tries: tries + 1 });
    warn(`Order ${id} could not be read; a later poll tries again: ${message}`);
    // An order that a list has just shown may be missing for a moment.
    if (code === 'not_found' && tries >= maxMisses) return 'gone';
    return code === 'server' || code === 'timeout' ? 'failing' : 'unusable';
  };

  const readOrder = async (id: string, urgency: Urgency): Promise<Order | Unread | undefined> => {
    const planned = memory.toRead.get(id);
    if (planned?.tries && (failures >= maxRepeated || !isDue(planned, now))) return 'failing';
    if (failures >= maxFailures) return 'failing';
    try {
      const order = await send(urgency, (limits) => client.getOrder(id, limits));
      if (order && planned) planned.tries = 0;
      return order;
    } catch (error) {
      if (!isOrderLicenseError(error) || !concernsOrder(error)) throw error;
      return failed(id, error);
    }
  };

  return {
    entries,
    hasRead: () => listed.size > 0,
    hasListed: (query) => listed.has(nameOf(query)),
    getMe: () => send('head', (limits) => client.getMe(limits)),
    async listOrders(query, urgency) {
      const list = await send(urgency, (limits) => client.listOrders({ ...query, ...limits }));
      if (list) listed.add(nameOf(query));
      for (const order of list?.orders ?? []) entries.set(String(order.id), order);
      return list;
    },
    async getOrder(id, urgency) {
      const order = read.get(id) ?? (await readOrder(id, urgency));
      if (order) read.set(id, order);
      return order;
    },
    async findEntry({ id, bestellnummer }) {
      const seen = entries.get(String(id));
      if (seen) return seen;
      if (++searches > maxSearches) return undefined;
      try {
        const found = await send('event', (limits) =>
          finder.find(String(bestellnummer), { ...limits, useReserve: false }),
        );
        return found && (String(found.summary.id) === String(id) ? found.summary : null);
      } catch (error) {
        if (!isOrderLicenseError(error) || needsAPerson(error)) throw error;
        return null;
      }
    },
  };
};

const nameOf = ({ page, perPage, status }: PageQuery): string => `${status} ${page} of ${perPage}`;

const concernsOrder = ({ code, status }: OrderLicenseError): boolean =>
  status !== 401 &&
  status !== 403 &&
  ['not_found', 'invalid_response', 'bad_request', 'server', 'timeout'].includes(code);

/** Whether polling will fail until a person changes the key, the account or the program. */
export const needsAPerson = (error: unknown): boolean =>
  !isOrderLicenseError(error) ||
  error.status === 401 ||
  error.status === 403 ||
  ['authentication', 'not_business_account', 'configuration', 'aborted'].includes(error.code);
