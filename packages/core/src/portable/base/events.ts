import type { Priority } from './call-options.ts';
import type { ErrorCode } from './errors.ts';

/** What a client does besides sending and answering. No event holds a key of either kind. */
export type ClientEvent =
  /**
   * A request has to wait for the rate limit, as far as this process can foresee for `waitMs`: in its queue the request
   * has this place, and 1 is served next. Later calls of a higher priority or of other consumers can make it longer.
   */
  | { type: 'wait'; operation: string; priority: Priority; place: number; waitMs: number }
  /**
   * An attempt has ended, answered or not: the trail of what was read with the key. The ones with `sent: true` are what
   * it cost of the limit. Emitted in the async context of the call, so that `AsyncLocalStorage` and tracers work.
   */
  | RequestEvent
  /** An attempt failed and another follows, `delayMs` later at the earliest. */
  | { type: 'retry'; operation: string; attempt: number; delayMs: number; code: ErrorCode; status: number | undefined }
  /**
   * The service answered 429: everything on this key pauses for `pauseMs`. The pacer never sends more than the limit
   * by itself, so either somebody else spends the key too, or this process has only just started.
   */
  | { type: 'rate_limited'; operation: string; pauseMs: number }
  /**
   * Clients of this process with the same key have different `rateLimit.requests`: the number of the latest client,
   * `requests`, holds for all of them. Before it was `previous`. Each of these clients reports it once per change.
   */
  | { type: 'limit_changed'; requests: number; previous: number }
  /** An answer differs from the text at these paths, and was given on as it came. */
  | { type: 'deviation'; operation: string; paths: string[] }
  /** A client was created that sends the API key in clear text to this host, since `allowHttpHosts` names it. */
  | { type: 'plain_http'; host: string }
  /** The client's `store` rejected this step; the call goes on, and a pause holds in this process all the same. */
  | { type: 'store_failed'; step: 'settle' | 'pause' }
  /**
   * The shared file or Redis does not answer. Until it does, this process counts in its memory and takes at most
   * `requests` per window, a quarter of the limit, since others may do the same. `problem` holds no secret.
   */
  | { type: 'store_unavailable'; store: 'sqlite' | 'redis'; problem: string; requests: number }
  /** The store answers again, and now knows what was sent without it. */
  | { type: 'store_available'; store: 'sqlite' | 'redis' };

/** One request of the API. No value of an answer, no key, no address. */
export interface RequestEvent {
  type: 'request';
  /** `getMe`, `listOrders` or `getOrder`: what a walk or a search sends, too. */
  operation: string;
  /** The order that `getOrder` asked for. */
  orderId: string | undefined;
  priority: Priority;
  /** The name that the caller gave, if any. */
  consumer: string | undefined;
  /** Which attempt of its call, from 1. */
  attempt: number;
  /** From the queue to the permit, whole ms: for the limit, the gap between requests, and those in flight. */
  waitMs: number;
  /** From the permit to the last byte of the answer or to the failure, whole ms. */
  durationMs: number;
  /** HTTP status of the answer, if there was one. */
  status: number | undefined;
  /** Why the attempt failed; undefined for one that succeeded. */
  code: ErrorCode | undefined;
  /** False if nothing of the request left this machine. */
  sent: boolean;
}

export type OnEvent = (event: ClientEvent) => void;
