// This module is loaded at the first call, because it loads core with its transport and its rate-limit stores.
import { type Client, createClient, type OnEvent } from '@order-license/core';
import type { Config } from '../config/config.ts';
import { userAgent } from '../config/version.ts';
import { log } from '../log/client-log.ts';
import { callLimits } from './call-limits.ts';
import { leaseStore } from './stores.ts';

/**
 * Creates a client for one call, which must close it. Clients with the same key share a pacer, a rate-limit store and a
 * pool of connections.
 * @param report receives the events for the operator, also those of the store
 */
export const createCallClient = (config: Config, onEvent: OnEvent, report = log): Client => {
  const { baseUrl, allowHttpHosts, apiKey, requestsPerMinute } = config;
  const lease = config.store.kind === 'memory' ? undefined : leaseStore(config, report);
  const client = createClient({
    baseUrl,
    allowHttpHosts,
    apiKey,
    ...(lease ? { store: lease.store } : { rateLimit: { requests: requestsPerMinute } }),
    ...callLimits,
    userAgent,
    onEvent(event) {
      report(event);
      onEvent(event);
    },
  });
  return { ...client, close: () => client.close().finally(lease?.release) };
};
