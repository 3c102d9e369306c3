/** Why a call failed. Branch on this, never on the message. */
export type ErrorCode =
  | 'bad_request'
  | 'authentication'
  | 'not_business_account'
  | 'not_found'
  | 'rate_limited'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'invalid_response'
  | 'configuration';

export interface ErrorDetails {
  /** HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** The service's own words (§7), cut to 200 characters, control characters and the API key taken out. */
  serverText?: string | undefined;
  /** How long the service asks to stay away, ms. */
  retryAfterMs?: number | undefined;
  /** `false` if nothing of the request left this machine; `true` if it did or may have. */
  sent?: boolean | undefined;
  /** The abort reason that the caller gave; no other cause is kept, since it could hold a key. */
  cause?: unknown;
}

const brand = Symbol.for('order-license.error');
const retryable: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'server', 'connection', 'timeout']);

/**
 * The one error of this library. The message is one English sentence: what happened and what to do next.
 * It holds no API key and no license key. Test with {@link isOrderLicenseError}, not with `instanceof`:
 * two copies of the library may be loaded.
 */
export class OrderLicenseError extends Error {
  override name = 'OrderLicenseError';
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly serverText: string | undefined;
  /** How long the service asks to stay away (`Retry-After`), ms, if it says so; always there on `rate_limited`. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same call may succeed later without a change to it. */
  readonly retryable: boolean;
  /**
   * `false` if the last attempt certainly ended before anything of the request left this machine, as when the connection
   * was refused; such an attempt does not count toward the rate limit.
   */
  readonly sent: boolean | undefined;
  /** Requests tried for this call. */
  attempts = 0;
  /** In a walk over the list: the page to take it up from (`startPage`). */
  page: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.status = details.status;
    this.serverText = details.serverText;
    this.retryAfterMs = details.retryAfterMs;
    this.sent = details.sent;
    this.retryable = retryable.has(code);
  }

  /** What may be logged: every field, no stack. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, status, serverText, retryAfterMs, retryable, sent, attempts, page } = this;
    return { name, code, message, status, serverText, retryAfterMs, retryable, sent, attempts, page };
  }
}

const happenings = {
  server: 'The service answered 429 (too many requests)',
  local: 'The limit of requests per minute is spent',
  reduced: 'The shared rate-limit store is unavailable; the reduced limit (25 %) is used up',
};

/** The limit of 60 requests per minute and key (§8) is spent. */
export class RateLimitError extends OrderLicenseError {
  override name = 'RateLimitError';
  declare readonly code: 'rate_limited';
  /** Milliseconds until a call can be sent. */
  declare readonly retryAfterMs: number;
  /** The same as an instant, by this machine's clock. */
  readonly retryAt: Date;
  /** `server`: the service answered 429. `local`: the pacer knew that it would. */
  readonly source: 'server' | 'local';

  /**
   * @param details `because: 'reduced'`: the limit is not spent, but the shared store is unavailable, so only a part is used
   */
  constructor(
    source: 'server' | 'local',
    retryAfterMs: number,
    { because, ...details }: ErrorDetails & { because?: 'reduced' | undefined } = {},
  ) {
    const seconds = Math.ceil(retryAfterMs / 1000);
    super('rate_limited', `${happenings[because ?? source]}; call again in ${seconds} s.`, {
      ...details,
      retryAfterMs,
    });
    this.source = source;
    this.retryAt = new Date(Date.now() + retryAfterMs);
  }

  override toJSON(): Record<string, unknown> {
    const { source, retryAt } = this;
    return { ...super.toJSON(), source, retryAt };
  }
}

/** Every error of this library, so that a comparison of its `code` decides its type. */
export type AnyOrderLicenseError =
  | RateLimitError
  | (OrderLicenseError & { readonly code: Exclude<ErrorCode, 'rate_limited'> });

/**
 * True for every error that a call of this library throws, from whichever copy of the library. After it,
 * `error.code === 'rate_limited'` narrows to {@link RateLimitError}.
 */
export const isOrderLicenseError = (error: unknown): error is AnyOrderLicenseError =>
  typeof error === 'object' && error !== null && brand in error;

/** True for `rate_limited`, which also says when to come back. */
export const isRateLimitError = (error: unknown): error is RateLimitError =>
  isOrderLicenseError(error) && error.code === 'rate_limited';

export const configurationError = (message: string): OrderLicenseError =>
  new OrderLicenseError('configuration', message);

/** A wrong argument, found before anything was sent. */
export const argumentError = (message: string): OrderLicenseError => new OrderLicenseError('bad_request', message);

/**
 * For a host: no answer came.
 * @param reason an error code such as `ECONNREFUSED`, never a message: it could hold a key
 * @param details `sent: false` only if it is certain that nothing of the request left this machine
 */
export const connectionError = (reason?: string, details: Pick<ErrorDetails, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError(
    'connection',
    `The service could not be reached${reason ? ` (${reason})` : ''}; check the base URL and the network, then try again.`,
    details,
  );

/** For a host: no whole answer came within `timeoutMs`. `details` as in {@link connectionError}. */
export const timeoutError = (timeoutMs: number, details: Pick<ErrorDetails, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError(
    'timeout',
    `No whole answer came within ${Math.round(timeoutMs)} ms; try again later.`,
    details,
  );

/** For a host: the answer is longer than `maxBytes`. */
export const bodyTooLargeError = (maxBytes: number): OrderLicenseError =>
  new OrderLicenseError(
    'invalid_response',
    `The answer is longer than ${maxBytes} bytes and was not read; check the base URL.`,
  );

/** A rate-limit store, or the clock of a host, rejected: nobody knows whether a request may be sent. */
export const countingError = (): OrderLicenseError =>
  new OrderLicenseError(
    'connection',
    'The rate-limit store or the clock of the client failed, so nothing was sent; check the `store` and `host` options, then try again.',
    { sent: false },
  );

/** The client was closed while the call waited. */
export const closedError = (): OrderLicenseError =>
  new OrderLicenseError(
    'aborted',
    'The client was closed while the call waited; create another client and call again.',
  );

export const abortedError = (signal: AbortSignal): OrderLicenseError =>
  new OrderLicenseError('aborted', 'The call was cancelled by its caller.', { cause: signal.reason });
