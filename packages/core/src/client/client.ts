import { checkBaseUrl, plainHttpHost } from '../base/base-url.ts';
import type { CallOptions } from '../base/call-options.ts';
import { checkNumber } from '../base/checks.ts';
import { createEmit } from '../base/events.ts';
import { hash } from '../base/hash.ts';
import type { Host } from '../base/host.ts';
import { throwFromHere } from '../base/point-at-caller.ts';
import type { Signal } from '../base/signal.ts';
import { createClosing, createDeadline, inTime, sleepUnlessStopped } from '../base/stops.ts';
import { keySource } from '../call/api-key.ts';
import { type CallDefaults, createCall, readLimits } from '../call/call.ts';
import { getMe, getOrder, type ListQuery, listOrders, type Operation } from '../call/operations.ts';
import { type CountOptions, countByStatus, type StatusCounts } from '../list/count-by-status.ts';
import { createOrderFinder, type FindOptions, type FoundOrder, type OrderFinder } from '../list/find-order.ts';
import { type OrderDetail, type OrderDetailsOptions, orderDetails } from '../list/order-details.ts';
import type { ReadPage } from '../list/slice.ts';
import { type Totals, type TotalsOptions, totals } from '../list/totals.ts';
import { type OrderPage, type OrderWalk, type WalkOptions, walkOrders, walkPages } from '../list/walk.ts';
import type { Order, OrderList, OrderSummary, User } from '../model/order.ts';
import type { OrderId } from '../model/order-id.ts';
import { type Pacers, pacersByKey } from '../pace/pacers-by-key.ts';
import { readRateLimit } from '../pace/rate-limit.ts';
import { type Changes, type ChangesOptions, pollChanges } from '../watch/changes.ts';
import type { ChangeEvent } from '../watch/events.ts';
import { type WatchOptions, watchChanges } from '../watch/watch.ts';
import { checkUserAgent, defaults, type PortableClientOptions } from './client-options.ts';

/** Time limit for an `apiKey` function that is called outside a request, ms. */
const keyMs = 10_000;

/**
 * The API's three reads (§4), and methods built on them. They throw `OrderLicenseError`, or what a function that you
 * passed throws: `bad_request` or `configuration` for invalid arguments, before anything is sent. Numbers of requests
 * exclude retries.
 */
export interface Client extends AsyncDisposable {
  /** Reads the owner of the key (§4.1). One request. */
  getMe(options?: CallOptions): Promise<User>;
  /** Reads one page of orders, newest first (§4.2). One request. */
  listOrders(options?: ListQuery & CallOptions): Promise<OrderList>;
  /**
   * Reads one order with its items, license codes and download URLs (§4.3). One request.
   * @throws `not_found` if the account has no such order
   */
  getOrder(id: OrderId, options?: CallOptions): Promise<Order>;
  /**
   * Reads all orders, newest first: one request per 50 orders or, with one `status`, a date range or a `limit` above 50,
   * per 40.
   */
  orders(options?: WalkOptions): OrderWalk<OrderSummary>;
  /** Reads all orders, newest first, page by page, and reports progress. */
  orderPages(options?: WalkOptions): OrderWalk<OrderPage>;
  /**
   * Finds the order with this number, with at most `maxRequests` list requests. If numbers rise with the date, the
   * default of 14 is enough to find an order among 100,000.
   * @throws `not_located` if the order is not where expected in the list, or not in the part of the list that was read;
   * `search` has the neighboring numbers. `not_found` if the whole list was read
   */
  findOrder(orderNumber: string, options?: FindOptions): Promise<FoundOrder>;
  /**
   * Finds many orders by number. Each search costs no more than `findOrder`, and starts from the orders that earlier
   * searches have read. These orders are as old as the responses that contained them, and stay in memory. Use a new
   * finder for each run.
   */
  orderFinder(): OrderFinder;
  /**
   * Reads full orders, newest first, as `{ summary, order }`: one request per order, and those of `orders` for the
   * list. The entry of an order that cannot be read is `{ summary, error }`. A rejected key, an abort, a rate limit, a
   * configuration error or three unreadable orders in a row (404 doesn't count) end the walk; another `for await`
   * resumes it.
   */
  orderDetails(options?: OrderDetailsOptions): OrderWalk<OrderDetail>;
  /**
   * Counts orders and adds up their amounts exactly, by currency, status, payment status and delivery status. Sends as
   * many requests as `orders`.
   */
  totals(options?: TotalsOptions): Promise<Totals>;
  /**
   * Counts the orders with each status, usually with five requests.
   * @throws `invalid_response` (`untrusted_total`) if the API's `total` cannot be trusted: count with `totals` instead
   */
  countByStatus(options?: CountOptions): Promise<StatusCounts>;
  /**
   * Polls once, and returns events for what has happened since an earlier call: new orders, status changes, new license
   * codes. A poll usually takes one to four requests. Pass the returned `state` to the next call: see {@link Changes}.
   * @throws the errors of a call if the baseline cannot be recorded. Once there is a baseline, throws only if the poll
   * has no event, and only if a person has to act, the call was aborted, or every poll of the last ten minutes failed
   * or left a page unread. Such an error has the `state` to pass to the next call, and the poll's `warnings`. Any other
   * error is described in `warnings`, and the next poll continues
   */
  changes(options: ChangesOptions): Promise<Changes>;
  /**
   * Polls in a loop, and yields the events of `changes` to `for await`. Ends when `signal` aborts. Saves the state of a
   * poll only when the loop requests the next event after the poll's last one, so a crash repeats events with the same
   * `eventId` but loses none.
   * @throws what `changes`, `load`, `save` and `onWarning` throw; `configuration` for an invalid `intervalMs`
   */
  watch(options: WatchOptions): AsyncGenerator<ChangeEvent, void>;
  /**
   * Returns how many requests the rate limit allows now without a wait. Sends nothing. With a shared store, the number
   * is as of this process's last request. Undefined if a custom `store` does not report it.
   * @throws `configuration` for an invalid key, or if the `apiKey` function throws; `timeout` if it takes longer than
   * ten seconds; `rate_limited` (`too_many_keys`)
   */
  requestsLeft(): Promise<number | undefined>;
  /**
   * Closes the client: waiting calls throw `aborted` at once, requests in flight finish without a retry, and new calls
   * throw `configuration`. Other clients with the same key stay open. A `store` or `dispatcher` that you
   * passed also stays open: close it afterwards. Resolves when the last call has ended. Same as `Symbol.asyncDispose`.
   */
  close(): Promise<void>;
}

/**
 * Creates a client on your own host, for any runtime and any HTTP client.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = (options: PortableClientOptions): Client => createClientOn(options, inTime(options.host));

/**
 * @param send the host's `send`, which settles in time
 * @param shared the pacers that this client shares with others. Default: with all clients of the process
 */
export const createClientOn = (options: PortableClientOptions, send: Host['send'], shared?: Pacers): Client => {
  const { host, onEvent } = options;
  const userAgent = checkUserAgent(options.userAgent);
  const emit = createEmit(onEvent, host);
  const baseUrl = checkBaseUrl(options.baseUrl, options.allowHttpHosts);
  const apiKey = keySource(options.apiKey);
  const rateLimit = readRateLimit(options);
  const closing = createClosing();
  const plainHost = plainHttpHost(baseUrl);
  if (onEvent) options.store?.reportTo?.(emit);
  if (plainHost !== undefined) emit({ type: 'plain_http', host: plainHost });

  const concurrency = checkNumber('concurrency', options.concurrency ?? defaults.concurrency, 1, 1_000);
  const limits = readLimits(options, defaults);

  const pacerOf = pacersByKey({
    host,
    baseUrl,
    store: options.store,
    limits: { ...rateLimit, concurrency },
    pacers: shared,
  });
  const call = createCall({
    host,
    send,
    pacerOf,
    baseUrl,
    apiKey,
    closing,
    userAgent,
    guardMs: rateLimit.guardMs,
    limits,
    emit,
    hasListener: onEvent !== undefined,
  });

  /** Creates the functions through which a walk, a count or a search sends its requests, with one deadline for all. */
  const callsOf = (options: CallOptions, defaults: CallDefaults = { priority: 'bulk', consumer: Symbol() }) => {
    const deadline = createDeadline(host, options.deadlineMs ?? limits.deadlineMs);
    const run = <Result extends object>(operation: () => Operation<Result>): Promise<Result> =>
      deadline.run((deadlineMs) => call(operation, { ...options, deadlineMs }, defaults));
    const readPage: ReadPage = (query) => run(() => listOrders(query));
    const readOrder = (id: OrderId): Promise<Order> => run(() => getOrder(id));
    return { readPage, readOrder, deadline };
  };
  const searches: CallDefaults = { priority: 'interactive', consumer: Symbol() };
  const orderFinder = (onList?: (list: OrderList) => void) =>
    createOrderFinder((options) => callsOf(options, searches).readPage, onList);
  const orderPages = (options: WalkOptions = {}) => {
    const { readPage, deadline } = callsOf(options);
    return walkPages(readPage, options, deadline.restart);
  };

  const readKey = async ({ signal, deadlineMs = keyMs }: CallOptions = {}): Promise<string> =>
    typeof apiKey === 'string' ? apiKey : apiKey(Math.min(keyMs, deadlineMs), { signal, closing: closing.signal });
  const reads: Pick<Client, 'getMe' | 'listOrders' | 'getOrder' | 'orderFinder'> = {
    getMe: (options) => call(() => getMe, options),
    listOrders: (options = {}) => call(() => listOrders(options), options),
    getOrder: (id, options) => call(() => getOrder(id), options),
    orderFinder: () => orderFinder(),
  };
  const sleep = (ms: number, signal?: Signal): Promise<void> =>
    sleepUnlessStopped(host, ms, { signal, closing: closing.signal });
  const changes = (options: ChangesOptions): Promise<Changes> =>
    pollChanges(
      { ...reads, orderFinder, now: host.now, sleep },
      async () => {
        const key = await readKey(options);
        return `${hash(baseUrl)}.${hash(`${baseUrl} ${key}`)}`;
      },
      options,
    );

  return {
    changes,
    watch: (options) => watchChanges({ changes, now: host.now, sleep }, options),
    ...reads,
    orderPages,
    orders: (options) => walkOrders(orderPages(options)),
    findOrder: (orderNumber, options) => orderFinder().find(orderNumber, options),
    orderDetails: (options = {}) => orderDetails(callsOf(options), options),
    totals: async (options = {}) => totals(callsOf(options).readPage, options),
    countByStatus: async (options = {}) =>
      countByStatus(callsOf(options, searches).readPage, options).catch(throwFromHere),
    requestsLeft: async () => pacerOf(await readKey()).free(),
    close: closing.close,
    [Symbol.asyncDispose]: closing.close,
  };
};
