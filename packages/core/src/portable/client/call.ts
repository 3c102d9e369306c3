import type { CallOptions, Priority } from '../base/call-options.ts';
import type { OnEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { Pacer } from '../rate-limit/pacer.ts';
import type { ReadApiKey } from '../wire/api-key.ts';
import type { Closing } from './closing.ts';
import type { Operation } from './operations.ts';
import { PendingCall } from './pending-call.ts';

/** Sends one operation down the road: permit, exchange, envelope, checks, and again if that may help. */
export type Call = <Answer>(
  /** What it throws rejects the call. */
  operation: () => Operation<Answer>,
  options?: CallOptions,
  defaults?: CallDefaults,
) => Promise<Answer>;

/** What holds where the options leave it open. */
export interface CallDefaults {
  priority: Priority;
  consumer: symbol;
}

export interface CallerOptions {
  host: Host;
  /** The pacer of a key as it is now. */
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
  closing: Closing;
  /** Never throws. */
  emit: OnEvent;
  /** Undefined where nobody hears of deviations. */
  findDeviations: FindDeviations | undefined;
}

/** The paths at which the `data` of an answer differs from the text. */
export type FindDeviations = (operation: Operation<unknown>['name'], data: unknown) => string[] | Promise<string[]>;

export const createCall = (client: CallerOptions): Call => {
  const consumers = { getMe: Symbol(), listOrders: Symbol(), getOrder: Symbol() };

  // Not async: the suspended function would be kept while the call waits.
  return (makeOperation, options = {}, defaults) => {
    try {
      const operation = makeOperation();
      const consumer = consumers[operation.name];
      return new PendingCall(client, operation, options, { priority: 'interactive', consumer, ...defaults }).run();
    } catch (error) {
      return Promise.reject(error);
    }
  };
};
