import type { PollRequests } from './poll-requests';
import type { TriggerState } from './state/trigger-state';
import type { Subscription, TriggerEvent } from './trigger-event';

/** What the readers of one poll share. */
export interface Poll {
  /** Changed in place; at every moment it fits the events found. */
  state: TriggerState;
  subscription: Subscription;
  requests: PollRequests;
  /** Found so far, oldest first. */
  events: TriggerEvent[];
  /** Seconds since 1970. */
  now: number;
  /** When pending orders were last looked at, in the same. */
  pendingReadAt: number;
  /** Whether the trigger has just begun to take in what is there: n8n saves what it learns in this poll. */
  isStart: boolean;
  /** Whether it is the first after a restart of n8n: the service still counts what was sent before, so it sends little. */
  isResumed: boolean;
  /** Whether an export needs the key: then a poll asks for less. */
  isBusy: boolean;
  /** By ID, since when the service has failed at an order, in seconds since 1970; kept from poll to poll. */
  failing: Map<string, number>;
  /** Orders at which it has failed in this poll. */
  failed: Set<string>;
  warn(message: string): void;
}

export interface PollOutcome {
  /** False if no permit came for the first request. */
  hasRead: boolean;
  /** What ended the poll early; the events found before it are good. */
  error?: unknown;
}
