import type { Priority } from '../base/call-options.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { ReadApiKey } from './api-key.ts';
import type { Closing } from './closing.ts';
import type { Operation } from './operations.ts';

/** Defaults for what the options omit. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

export interface CallerOptions {
  host: Host;
  /** The current pacer of a key. */
  pacerOf(apiKey: string): Pacer;
  baseUrl: string;
  readApiKey: ReadApiKey;
  userAgent: string;
  /** Added to a pause, ms. */
  guardMs: number;
  maxWaitMs: number;
  timeoutMs: number;
  deadlineMs: number;
  retries: number;
  bulkRetryMs: number;
  /** Whether the service has answered a request of this client, with any status. */
  isReached: boolean;
  closing: Closing;
  /** Never throws. */
  emit: OnEvent;
  /** Undefined if no listener receives deviations. */
  findDeviations: FindDeviations | undefined;
}

/** The paths at which the `data` of an answer differs from the API docs. */
export type FindDeviations = (operation: Operation<unknown>['name'], data: unknown) => string[] | Promise<string[]>;
