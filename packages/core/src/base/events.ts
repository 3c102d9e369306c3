import type { Priority } from './call-options.ts';
import type { ErrorCode } from './errors.ts';
import type { Host } from './host.ts';

/** An event that a client reports while it works. No event contains an API key or a license key. */
export type ClientEvent = ClientReport & {
  /** The call's trace context, if the caller set one. */
  traceparent?: string | undefined;
};

type ClientReport =
  /**
   * A request has to wait for the rate limit for at least `waitMs`, until the next permit is free. Other calls can get
   * that permit first.
   */
  | { type: 'wait'; operation: string; priority: Priority; waitMs: number }
  /**
   * An attempt has ended, with or without a response. A call that fails while queued makes no attempt. These events
   * are an audit trail of what was read with the key. Attempts with `sent: false` don't count toward the limit. The
   * event is emitted in the async context of the call, so that `AsyncLocalStorage` and tracers work.
   */
  | RequestEvent
  /** An attempt failed. The call requests another permit after `delayMs`. */
  | { type: 'retry'; operation: string; attempt: number; delayMs: number; code: ErrorCode; status: number | undefined }
  /**
   * The API returned 429: all requests with this key pause for `pauseMs`. The pacer keeps to the limit that is set, so
   * another program also uses the key, this process has just started, or the API's limit is lower.
   */
  | { type: 'rate_limited'; operation: string; pauseMs: number }
  /** A response differs from the API docs at these paths, of which 20 are named at most. The call returns it anyway. */
  | { type: 'deviation'; operation: string; paths: string[] }
  /** A new client sends the API key in clear text to this host, because `allowHttpHosts` names it. */
  | { type: 'plain_http'; host: string }
  /** The client's `store` failed in this step. The call continues, and a pause still applies in this process. */
  | { type: 'store_failed'; step: 'settle' | 'pause' }
  /**
   * The shared file or Redis cannot be used or has lost its content, or machines with different clocks use one file. In
   * the last case, the store does not become available again. While the store is unavailable, this process counts in
   * memory. Until a window after the last failure, this process sends at most `requests` requests per window: a quarter
   * of the limit, since other processes may do the same. `problem` contains no secret.
   */
  | { type: 'store_unavailable'; store: 'sqlite' | 'redis'; problem: string; requests: number }
  /** The store is available again. Requests that ended while it was unavailable are not added to it. */
  | { type: 'store_available'; store: 'sqlite' | 'redis' };

/** One API request. Contains no key or address, and of the response only its status and request ID. */
export interface RequestEvent {
  type: 'request';
  /** `getMe`, `listOrders` or `getOrder`, even in a walk or a search. */
  operation: string;
  /** The order that `getOrder` requested. */
  orderId: string | undefined;
  priority: Priority;
  /** Name of the call's consumer, if set. */
  consumer: string | undefined;
  /** Number of this attempt in its call, from 1. */
  attempt: number;
  /**
   * Time in the queue, in whole ms: the wait for the limit, for the gap between requests, and for other requests in
   * flight.
   */
  waitMs: number;
  /** Time from the permit to the last byte of the response or to the failure, in whole ms. */
  durationMs: number;
  /** HTTP status of the response, if there was one. */
  status: number | undefined;
  /** The ID that the response gives its request, like that of an error; absent if it gives none. */
  requestId?: string | undefined;
  /** Why the attempt failed; undefined if it succeeded. */
  code: ErrorCode | undefined;
  /** False if certainly no part of the request left this machine; true after an abort. */
  sent: boolean;
}

export type OnEvent = (event: ClientEvent) => void;

/**
 * Wraps `onEvent` so that its errors never affect a call. The first error, thrown or rejected, is reported through the
 * host's `warn`. Without an `onEvent`, a failed rate-limit store and plain HTTP are reported through `warn`. Each
 * warning comes once.
 */
export const createEmit = (onEvent: OnEvent | undefined, host: Pick<Host, 'warn'>): OnEvent => {
  const given = new Set<string>();
  const warnOnce: Required<Host>['warn'] = (message, ...detail) => {
    if (given.has(message)) return;
    given.add(message);
    try {
      host.warn?.(message, ...detail);
    } catch {
      // If `warn` fails too, nothing else can report the problem, and the caller must still get the response.
    }
  };
  const onFailure = (error: unknown): void =>
    warnOnce(
      'The `onEvent` function threw an error. The call continues, and later errors from `onEvent` are not reported.',
      error,
    );
  return (event) => {
    if (onEvent) {
      // `onEvent` runs at once. If it is async, its rejection is also caught.
      (async () => onEvent(event))().catch(onFailure);
      return;
    }
    const message = warningOf(event);
    if (message !== undefined) warnOnce(message);
  };
};

/** Returns the warning for an event that nobody would otherwise notice. */
const warningOf = (event: ClientEvent): string | undefined => {
  switch (event.type) {
    case 'store_failed':
      return `The rate-limit store failed in \`${event.step}\`; the call continues.`;
    case 'store_unavailable':
      return `The shared rate-limit store cannot be used (${event.problem}). Until it can, the client sends at most ${event.requests} requests per window.`;
    case 'plain_http':
      return `The API key is sent to ${event.host} in clear text, because \`allowHttpHosts\` names this host.`;
    default:
      return undefined;
  }
};
