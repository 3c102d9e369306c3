import type { ChangesState } from './changes-state.ts';
import type { OrderSearch } from './order-search.ts';

/**
 * Why a call failed. Branch on this and on `reason`, never on the message. `not_found`: the account has no such order,
 * because the API returned 404 or the whole list was read. `not_located`: the order number was not found where expected
 * in the list, or in the part of it that could be read; `search` has the details.
 */
export type ErrorCode =
  | 'bad_request'
  | 'authentication'
  | 'not_business_account'
  | 'not_found'
  | 'not_located'
  | 'rate_limited'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'invalid_response'
  | 'configuration';

/**
 * Distinguishes causes with the same code:
 *
 * - `aborted`: `closed` if the client was closed while the call waited; undefined if the caller's signal aborted
 * - `configuration`: `proxy` if a proxy environment variable is invalid, or the proxy rejects the connection; or
 * the code of the system error that the `apiKey` function threw, such as `ENOENT`
 * - `connection`: an error code from the system, TLS or undici, such as `ECONNREFUSED`; or `proxy` if the proxy from
 * the environment could not be reached, or could not reach the API
 * - `invalid_response`: `intermediary` if a firewall or proxy returned 401 or 403 instead of the API; `redirect`;
 * `endless_list` if pages repeat without new orders; `untrusted_total` if `countByStatus` cannot use the API's `total`
 * - `rate_limited`: `reduced` if the shared store is or was just unavailable, so only part of the limit is used;
 * `too_many_keys` if this process has used a thousand other API keys within a minute
 */
export type ErrorReason =
  | 'closed'
  | 'proxy'
  | 'intermediary'
  | 'redirect'
  | 'endless_list'
  | 'untrusted_total'
  | 'reduced'
  | 'too_many_keys'
  // Allows any other string, while editors still suggest the names above.
  | (string & {});

/** The data for a new error. {@link OrderLicenseError} documents most of these fields. */
export interface ErrorFields
  extends Partial<
    Pick<
      OrderLicenseError,
      'advice' | 'reason' | 'status' | 'serverText' | 'requestId' | 'retryAfterMs' | 'sent' | 'received' | 'search'
    >
  > {
  detail: string;
  /** Whether a retry can succeed, if this differs from what `code` says. */
  retryable?: boolean | undefined;
  /** The caller's abort reason; no other cause is kept, since it could contain a key. */
  cause?: unknown;
}

const brand = Symbol.for('order-license.error');
/** Codes of failures after which the same call may succeed later. */
const retryableCodes: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'server', 'connection', 'timeout']);

type Texts = Pick<ErrorFields, 'detail' | 'received' | 'advice' | 'requestId'>;

/** Returns the message of an error with these fields. */
export const composeMessage = ({ detail, received, advice, requestId }: Texts): string => {
  const what = received === undefined ? detail : `${detail} (${received})`;
  const sentences = [`${what}.`, advice, requestId && `Request ID: ${requestId}.`];
  return sentences.filter(Boolean).join(' ');
};

/** Returns an error's message for logs: without `received`, which quotes response headers. */
export const ownMessage = ({ detail, advice, requestId }: Texts): string =>
  composeMessage({ detail, advice, requestId });

/**
 * The class of all errors of this library; {@link RateLimitError} extends it. Branch on `code` and `reason`. `message`
 * is for people: it joins `detail`, `received`, `advice` and `requestId`. It contains no API key and no license key.
 * Test with {@link isOrderLicenseError}; comparing `code` then narrows the type.
 */
export class OrderLicenseError extends Error {
  override name = 'OrderLicenseError';
  /** Why the call failed: see {@link ErrorCode}. */
  readonly code: ErrorCode;
  /** Distinguishes errors with the same code: see {@link ErrorReason}. */
  declare readonly reason: ErrorReason | undefined;
  /** The request that failed: `getMe`, `listOrders` or `getOrder`, even in a walk or a search. */
  declare operation: string | undefined;
  /** The order that `getOrder` requested. */
  declare orderId: string | undefined;
  /** Says what happened, in one English sentence without a full stop. */
  readonly detail: string;
  /**
   * Says what to do next, in complete English sentences. Undefined if `detail` already says this, or if nothing can be
   * done.
   */
  declare readonly advice: string | undefined;
  /** HTTP status of the response that caused the error, if there was one and it was read. */
  declare readonly status: number | undefined;
  /**
   * The API's own message (§7): on one line, with the API key masked, truncated to 200 characters. Of a message of more
   * than 100,000 characters, only the length.
   */
  declare readonly serverText: string | undefined;
  /**
   * The ID of the failed request, for the shop's support: from the response's header `x-request-id`, `request-id` or
   * `cf-ray`. Part of `message`.
   */
  declare readonly requestId: string | undefined;
  /**
   * Time to wait before the next call, ms: the API's `Retry-After`, if it is at least one second; at most 300,000.
   * Always set on `rate_limited`.
   */
  declare readonly retryAfterMs: number | undefined;
  /** Whether the same call may succeed later without changes. */
  readonly retryable: boolean;
  /**
   * `false` if the last attempt certainly ended before any part of the request left this machine, for example because
   * the connection was rejected. Such an attempt doesn't count toward the rate limit.
   */
  declare readonly sent: boolean | undefined;
  /**
   * Describes a response that is not in the API's format, so that a firewall or proxy may have sent it, or that could
   * not be decoded: content type, length, content coding and `server` header. Part of `message`.
   */
  declare readonly received: string | undefined;
  /** How far `findOrder` got. Always set on `not_located`, and on `not_found` from `findOrder`. */
  declare readonly search: OrderSearch | undefined;
  /** Number of attempts made for this call. */
  attempts = 0;
  /**
   * In a walk over the list: `created_at` of the last entry with a readable date that it returned, unchanged. Absent
   * before the first, unless `skip` has skipped entries.
   */
  declare oldest: string | undefined;
  /**
   * In a walk over the list: a second after `oldest`. Pass it as `createdBefore` to continue in another walk, which
   * returns the entries of that second again. Absent before the first entry.
   */
  declare createdBefore: Date | undefined;
  /**
   * In `changes`: the state to pass to the next call, with this poll's progress. Undefined before the baseline. Not part
   * of the error's JSON.
   */
  declare state: ChangesState | undefined;
  /** In `changes`: the warnings of this poll. Not part of the error's JSON. */
  declare warnings: readonly string[] | undefined;

  constructor(code: ErrorCode, fields: ErrorFields) {
    const { detail, cause, retryable = retryableCodes.has(code), ...others } = fields;
    super(composeMessage(fields), 'cause' in fields ? { cause } : undefined);
    this.code = code;
    this.detail = detail;
    // Undefined fields are not set, because each would add a line to every printed error.
    for (const [name, value] of Object.entries(others)) if (value !== undefined) Object.assign(this, { [name]: value });
    this.retryable = retryable;
  }

  get [brand](): true {
    return true;
  }

  /** Adds a sentence to `advice`, for a program with more specific advice. */
  addAdvice(sentence: string): this {
    withText(this, { advice: this.advice === undefined ? sentence : `${this.advice} ${sentence}` });
    return this;
  }

  /** Returns the fields for logging, without the stack, `cause`, `state` and `warnings`. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), message: this.message };
  }
}

/** Sets fields of an existing error, and the message that contains them. */
export const withText = (
  error: OrderLicenseError,
  fields: Partial<Pick<ErrorFields, 'detail' | 'advice' | 'requestId'>>,
): void => {
  Object.assign(error, fields, { message: composeMessage({ ...error, ...fields }) });
};

const whatHappened = {
  server: 'The API returned status 429',
  local: 'Rate limit reached',
  reduced:
    'The shared rate-limit store is unavailable, or was until a minute ago, and the reduced limit (25%) has been reached',
  too_many_keys: 'Too many API keys: a thousand others were used within the last minute',
};

/** The rate limit per key (§8) has been reached, in the client or in the API; `reason` tells other causes apart. */
export class RateLimitError extends OrderLicenseError {
  override name = 'RateLimitError';
  declare readonly code: 'rate_limited';
  declare readonly reason: 'reduced' | 'too_many_keys' | undefined;
  /**
   * Milliseconds until the next permit, which other calls can get first. After a 429, this is the wait that the API
   * asks for, otherwise 60,000; the client adds its `guardMs`.
   */
  declare readonly retryAfterMs: number;
  /** Earliest time at which a call can be sent, by this machine's clock. */
  readonly retryAt: Date;
  /** `server`: the API returned 429. `local`: the pacer rejected the call before sending. */
  readonly source: 'server' | 'local';

  /** @param fields `reason`: see {@link ErrorReason} */
  constructor(
    source: 'server' | 'local',
    retryAfterMs: number,
    fields: Partial<Pick<RateLimitError, 'reason' | 'status' | 'serverText' | 'requestId' | 'received'>> = {},
  ) {
    const wholeMs = Math.ceil(retryAfterMs);
    // Other calls can get the next permit first.
    const least = source === 'local' ? 'at least ' : '';
    const advice = `Call again in ${least}${Math.ceil(wholeMs / 1000)} s.`;
    super('rate_limited', { ...fields, detail: whatHappened[fields.reason ?? source], advice, retryAfterMs: wholeMs });
    this.source = source;
    this.retryAt = new Date(Date.now() + wholeMs);
  }
}

/** Union of all errors of this library, so that comparing `code` narrows the type. */
export type AnyOrderLicenseError =
  | RateLimitError
  | (OrderLicenseError & { readonly code: 'not_located'; readonly search: OrderSearch })
  | (OrderLicenseError & { readonly code: Exclude<ErrorCode, 'rate_limited' | 'not_located'> });

/**
 * True for every error of this library, even one from another loaded copy of it. After this check, comparing `code`
 * with `'rate_limited'` narrows the error to {@link RateLimitError}, and with `'not_located'` to an error with
 * `search`.
 */
export const isOrderLicenseError = (error: unknown): error is AnyOrderLicenseError =>
  typeof error === 'object' && error !== null && brand in error;

const concernsAll: ReadonlySet<unknown> = new Set([
  'authentication',
  'not_business_account',
  'configuration',
  'aborted',
] satisfies ErrorCode[]);

/**
 * Whether requests for all other orders would also fail with this error: the cause is the key, the account, the
 * settings, an abort, or a firewall that returns 401 or 403 instead of the API. False for `rate_limited`, which callers
 * handle separately.
 */
export const concernsEveryOrder = ({ code, status }: { code?: unknown; status?: unknown }): boolean =>
  concernsAll.has(code) || status === 401 || status === 403;

/** True for `rate_limited`, which also has `retryAfterMs` and `retryAt`. */
export const isRateLimitError = (error: unknown): error is RateLimitError =>
  isOrderLicenseError(error) && error.code === 'rate_limited';

export const configurationError = (detail: string, advice?: string): OrderLicenseError =>
  new OrderLicenseError('configuration', { detail, advice });

/** Creates the error for an invalid argument, which is found before anything is sent. */
export const argumentError = (detail: string, advice?: string): OrderLicenseError =>
  new OrderLicenseError('bad_request', { detail, advice });

/**
 * Creates the error of a call that waited when the rate-limit store or the host's clock failed: it is unknown whether a
 * request may be sent. Copies an error of this library, because calls and walks add their own data to it, such as the
 * number of attempts.
 */
export const countingError = (thrown: unknown): OrderLicenseError =>
  isOrderLicenseError(thrown)
    ? Object.defineProperties(Object.create(Object.getPrototypeOf(thrown)), Object.getOwnPropertyDescriptors(thrown))
    : new OrderLicenseError('connection', {
        detail: "The rate-limit store or the host's clock failed, so nothing was sent",
        advice: 'Check the `store` and `host` options, then try again.',
        sent: false,
      });
