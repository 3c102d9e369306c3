// Loaded at the first call: core with its transport and its ledgers.
import { type Client, createClient, type OnEvent } from '@order-license/core';
import type { Config } from './config.ts';
import { openLedger } from './ledgers.ts';
import { log } from './log.ts';

export interface CallLimits {
  maxWaitMs: number;
  deadlineMs: number;
}

/** A client for one call. Clients of one key share one pacer, one ledger and one pool of connections. */
export const openClient = (
  config: Config,
  limits: CallLimits,
  userAgent: string,
  onEvent: OnEvent | undefined,
): Client => {
  const { baseUrl, apiKey, requestsPerMinute } = config;
  return createClient({
    baseUrl,
    apiKey,
    rateLimit: { requests: requestsPerMinute },
    ...limits,
    userAgent,
    ledger: openLedger(config, log),
    onEvent(event) {
      log(event);
      onEvent?.(event);
    },
  });
};
