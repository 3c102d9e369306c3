import type { PollRequests } from './poll-requests';
import type { TriggerState } from './state/trigger-state';
import type { Subscription, TriggerEvent } from './trigger-event';

/** What the readers of one poll share. */
export interface Poll {
  /** Updated in place; always consistent with `events`. */
  state: TriggerState;
  subscription: Subscription;
  requests: PollRequests;
  /** Found so far, oldest first. */
  events: TriggerEvent[];
  /** Seconds since 1970. */
  now: number;
  /** When pending orders were last read, in seconds since 1970. */
  pendingReadAt: number;
  /** Whether this poll records the baseline; n8n saves its state even without events. */
  isStart: boolean;
  /** Whether n8n has just restarted: requests from before still count toward the limit, so this poll sends few. */
  isResumed: boolean;
  /** Whether an export needs the key, so that this poll sends fewer requests. */
  isBusy: boolean;
  /** By order ID, when the service began to fail for it, in seconds since 1970; kept between polls. */
  failing: Map<string, number>;
  /** IDs of orders for which the service failed in this poll. */
  failed: Set<string>;
  warn(message: string): void;
}

export interface PollOutcome {
  /** False if no permit came for the first request. */
  hasRead: boolean;
  /** The error that ended the poll early; events found before it are valid. */
  error?: unknown;
}
