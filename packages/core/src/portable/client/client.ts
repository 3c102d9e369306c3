import type { CallOptions } from '../base/call-options.ts';
import { checkNumber } from '../base/check-number.ts';
import { createEmit } from '../base/emit.ts';
import { configurationError, isOrderLicenseError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import { createOrderFinder, type FindOptions, type FoundOrder, type OrderFinder } from '../find-order/find-order.ts';
import type { Order } from '../model/order.ts';
import type { OrderId } from '../model/order-id.ts';
import type { OrderList, OrderSummary } from '../model/order-list.ts';
import type { User } from '../model/user.ts';
import { type OrderDetail, type OrderDetailsOptions, orderDetails } from '../pagination/order-details.ts';
import type { OrderWalk } from '../pagination/order-walk.ts';
import { type OrderPage, walkOrders, walkPages } from '../pagination/walk.ts';
import type { WalkOptions } from '../pagination/walk-options.ts';
import type { ReadPage } from '../pagination/walk-progress.ts';
import { pacerByKey } from '../rate-limit/pacers-by-key.ts';
import { type RateLimitOptions, readRateLimit } from '../rate-limit/rate-limit.ts';
import { maxFlightMs, type RateLimitStore } from '../rate-limit/store.ts';
import { type CountOptions, countByStatus, type StatusCounts } from '../totals/count-by-status.ts';
import { type Totals, type TotalsOptions, totals } from '../totals/totals.ts';
import { type ApiKey, createApiKeyReader } from '../wire/api-key.ts';
import { checkBaseUrl, plainHttpHost } from '../wire/base-url.ts';
import { checkUserAgent } from '../wire/user-agent.ts';
import { type CallDefaults, createCall, type FindDeviations } from './call.ts';
import { createClosing } from './closing.ts';
import { createDeadline } from './deadline.ts';
import { getMe, getOrder, type ListQuery, listOrders } from './operations.ts';
import { waitForTurn } from './wait-for-turn.ts';

/** Defaults for what a client's options omit; times in ms. */
const defaults = {
  maxWaitMs: Infinity,
  timeoutMs: 30_000,
  deadlineMs: Infinity,
  retries: 2,
  bulkRetryMs: 120_000,
  concurrency: 4,
};

export interface ClientOptions {
  /** Address of the service, ending in `/api/v1` (§1). HTTPS, except for this machine and hosts in `allowHttpHosts`. */
  baseUrl: string;
  /**
   * Exact names of hosts for which plain HTTP is allowed, such as `mock` in a private network: the API key and all
   * answers are sent in clear text. A client that uses it reports `plain_http`. @default none
   */
  allowHttpHosts?: readonly string[] | undefined;
  /**
   * API key (§5), or a function that returns it, for keys that rotate. White space around the key is dropped; no output
   * of this library contains it. The function is called before each attempt, so cache what is slow. Each key it returns
   * has its own limit, unless a `store` counts all of them together. If it throws, the call throws `configuration`.
   */
  apiKey: ApiKey;
  /**
   * The service's limit (§8), for all clients of this process with the same key: the latest client's values apply to
   * all of them. A `store` has its own `requests`, `windowMs` and `guardMs`: with one, only `minGapMs` and `reserve`
   * may be set here. `reserve` permits of each window are kept for `interactive` calls.
   * @default { requests: 60, windowMs: 60_000, guardMs: 1_000, minGapMs: 20, reserve: 0 }
   */
  rateLimit?: RateLimitOptions | undefined;
  /**
   * If the rate limit requires a longer wait, a call throws `rate_limited` at once; if the service asks for a longer
   * one with a 5xx, `server`, ms. Waiting for other requests in flight does not count. @default to wait
   */
  maxWaitMs?: number | undefined;
  /** One request, to the last byte of its response, ms; at most 120,000. @default 30_000 */
  timeoutMs?: number | undefined;
  /**
   * A whole call, including waits and retries, ms; in `findOrder` and a walk, all requests together. @default no
   * deadline
   */
  deadlineMs?: number | undefined;
  /**
   * Attempts after the first if the service, the network or the clock fails. A 429 is handled separately: three pauses.
   * @default 2
   */
  retries?: number | undefined;
  /**
   * A `bulk` call, such as a walk's, or a `background` one is retried for at least this long after its first such
   * failure, so that a walk outlasts a restart of the service, ms. `retries: 0` turns this off too. @default 120_000
   */
  bulkRetryMs?: number | undefined;
  /**
   * Maximum number of requests in flight, for all clients of this process with the same key; the latest client's value
   * applies. @default 4
   */
  concurrency?: number | undefined;
  /** Sent as `User-Agent`. @default order-license-core/VERSION */
  userAgent?: string | undefined;
  /** Where permits are counted. @default in the memory of this process, shared by its clients with the same key */
  store?: RateLimitStore | undefined;
  /**
   * Called on waits, retries, pauses and deviations. The first error that it throws is reported, and the call
   * continues.
   */
  onEvent?: OnEvent | undefined;
}

export interface PortableClientOptions extends ClientOptions {
  host: Host;
  /** Paths at which `data` differs from the API docs; called only if there is an `onEvent`. */
  findDeviations?: FindDeviations | undefined;
}

/** The three reads of the API (§4). All methods throw `OrderLicenseError`. */
export interface Client extends AsyncDisposable {
  /** The owner of the key (§4.1). One request. */
  getMe(options?: CallOptions): Promise<User>;
  /** One page of orders, newest first (§4.2). One request. */
  listOrders(options?: ListQuery & CallOptions): Promise<OrderList>;
  /** One order with its items, license codes and download URLs (§4.3). One request. */
  getOrder(id: OrderId, options?: CallOptions): Promise<Order>;
  /** All orders, newest first: one request per 50, a few more under a status filter. */
  orders(options?: WalkOptions): OrderWalk<OrderSummary>;
  /** The same page by page, with progress and changes of the list. */
  orderPages(options?: WalkOptions): OrderWalk<OrderPage>;
  /**
   * The order with this number: at most `maxRequests` list requests (14), enough to find an order among 100,000.
   * @throws `not_located` if no order is at the number's place and the rest of the list was not read: `search` says
   * between which numbers it would be; `not_found` if the whole list was read
   */
  findOrder(orderNumber: string, options?: FindOptions): Promise<FoundOrder>;
  /**
   * Finds many orders by number: each as `findOrder` does, with at most as many requests, and each starts from what
   * earlier ones read. Nothing is read twice, so the orders are as old as their answers, and all of them stay in
   * memory: use one finder per run.
   */
  orderFinder(): OrderFinder;
  /**
   * Full orders, newest first, as `{ summary, order }`, or `{ summary, error }` for one that cannot be read: one
   * request per order, one by one, plus one per 50 for the list. A refused key, an abort, a rate limit and a
   * configuration error end the walk; another `for await` continues with the same order.
   */
  orderDetails(options?: OrderDetailsOptions): OrderWalk<OrderDetail>;
  /**
   * Counts and exact sums by currency, status, payment status and delivery status: one request per 50 orders of the
   * range, plus a search if there is a `createdBefore`. Resumes from the `position` of the error that ended it.
   */
  totals(options?: TotalsOptions): Promise<Totals>;
  /** How many orders have each status: usually four requests; a walk if the service's `total` cannot be trusted. */
  countByStatus(options?: CountOptions): Promise<StatusCounts>;
  /**
   * Closes the client: waiting calls throw `aborted` at once, requests in flight finish and return their answers, and
   * new calls throw `configuration`. Other clients of the key, and a `store` or `dispatcher` that you passed, stay
   * open: close those afterwards. Resolves when the last call has ended. Same as `Symbol.asyncDispose`.
   */
  close(): Promise<void>;
}

/**
 * A client on your own host: any runtime, any HTTP client.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = (options: PortableClientOptions): Client => {
  if (typeof options !== 'object' || options === null) {
    throw configurationError('`createClient` requires an object with at least `baseUrl` and `apiKey`');
  }
  const { host, onEvent, findDeviations } = options;
  const userAgent = checkUserAgent(options.userAgent);
  const emit = createEmit(onEvent, host);
  const baseUrl = checkBaseUrl(options.baseUrl, options.allowHttpHosts);
  const readApiKey = createApiKeyReader(options.apiKey);
  const rateLimit = readRateLimit(options);
  const closing = createClosing();
  const plainHost = plainHttpHost(baseUrl);
  if (plainHost !== undefined) emit({ type: 'plain_http', host: plainHost });

  const concurrency = checkNumber('concurrency', options.concurrency ?? defaults.concurrency, 1, 1_000);
  const deadlineMs = checkNumber('deadlineMs', options.deadlineMs ?? defaults.deadlineMs, 1, Infinity);

  const call = createCall({
    host,
    pacerOf: pacerByKey({
      host,
      baseUrl,
      limits: { ...rateLimit, concurrency },
      store: options.store,
      emit,
    }),
    baseUrl,
    readApiKey,
    closing,
    userAgent,
    guardMs: rateLimit.guardMs,
    maxWaitMs: checkNumber('maxWaitMs', options.maxWaitMs ?? defaults.maxWaitMs, 0, Infinity),
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? defaults.timeoutMs, 1, maxFlightMs),
    deadlineMs,
    retries: checkNumber('retries', options.retries ?? defaults.retries, 0, 100),
    bulkRetryMs: checkNumber('bulkRetryMs', options.bulkRetryMs ?? defaults.bulkRetryMs, 0, 86_400_000),
    emit,
    findDeviations: onEvent && findDeviations,
  });

  const deadlineOf = (options?: CallOptions) => createDeadline(host, options?.deadlineMs ?? deadlineMs);
  const readPage =
    (
      options: CallOptions,
      deadline = deadlineOf(options),
      defaults: CallDefaults = { priority: 'bulk', consumer: Symbol() },
    ): ReadPage =>
    async ({ page, perPage, status, resumePage }) => {
      try {
        const bounds = { deadlineMs: deadline.leftMs() };
        return await call(() => listOrders({ page, perPage, status }), { ...options, ...bounds }, defaults);
      } catch (error) {
        if (isOrderLicenseError(error)) error.page = resumePage;
        throw error;
      }
    };
  const searches: CallDefaults = { priority: 'interactive', consumer: Symbol() };
  const orderFinder = () =>
    createOrderFinder((options) => {
      const deadline = deadlineOf(options);
      const limits = { signal: options.signal, closing: closing.signal, deadline };
      return {
        read: readPage(options, deadline, searches),
        waitForTurn: (turn) => waitForTurn(host, turn, limits),
      };
    });
  const orderPages = (options: WalkOptions = {}) => {
    const deadline = deadlineOf(options);
    return walkPages(readPage(options, deadline), options, deadline.restart);
  };

  return {
    getMe: (options) => call(() => getMe, options),
    listOrders: (options) => call(() => listOrders(options ?? {}), options ?? {}),
    getOrder: (id, options) => call(() => getOrder(id), options),
    orderPages,
    orders: (options) => walkOrders(orderPages(options)),
    findOrder: (orderNumber, options) => orderFinder().find(orderNumber, options),
    orderFinder,
    orderDetails: (options = {}) => {
      const deadline = deadlineOf(options);
      const defaults: CallDefaults = { priority: 'bulk', consumer: Symbol() };
      const reads = {
        readPage: readPage(options, deadline, defaults),
        readOrder: (id: OrderId) => call(() => getOrder(id), { ...options, deadlineMs: deadline.leftMs() }, defaults),
        onFailure: deadline.restart,
        checkDeadline: () => void deadline.leftMs(),
      };
      return orderDetails(reads, options);
    },
    totals: async (options = {}) => totals(readPage(options), options),
    countByStatus: async (options = {}) => {
      const deadline = deadlineOf(options);
      return countByStatus(readPage(options, deadline, searches), readPage(options, deadline), options);
    },
    close: closing.close,
    [Symbol.asyncDispose]: closing.close,
  };
};
