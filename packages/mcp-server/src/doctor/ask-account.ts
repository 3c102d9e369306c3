import { createNodeHost } from '@order-license/core';
import {
  type ClientEvent,
  createClient,
  isOrderLicenseError,
  type OrderLicenseError,
  type User,
} from '@order-license/core/portable';
import { createStore } from '../client/stores.ts';
import type { Config } from '../config/config.ts';
import { userAgent } from '../config/version.ts';

/** The outcome of one `GET /me` (§4.1). */
export interface Asked {
  outcome: { user: User } | { error: OrderLicenseError };
  /** The response's `Date` header, or an empty text if the response has none; undefined if there was no response. */
  date: string | undefined;
  /** Events from the client and the rate-limit store. */
  events: readonly ClientEvent[];
}

/** Sends one `GET /me`, without retries or waits, counted in the configured store. */
export const askAccount = async (config: Config): Promise<Asked> => {
  const { baseUrl, allowHttpHosts, apiKey, requestsPerMinute } = config;
  let date: string | undefined;
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent): void => void events.push(event);
  const store = createStore(config, onEvent);
  const host = createNodeHost();
  const client = createClient({
    baseUrl,
    allowHttpHosts,
    apiKey,
    onEvent,
    host: {
      ...host,
      async send(request) {
        const response = await host.send(request);
        date = String(response.headers.date ?? '');
        return response;
      },
    },
    ...(store ? { store } : { rateLimit: { requests: requestsPerMinute } }),
    retries: 0,
    maxWaitMs: 0,
    timeoutMs: 15_000,
    userAgent,
  });
  try {
    return { outcome: { user: await client.getMe() }, date, events };
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    return { outcome: { error }, date, events };
  } finally {
    await store?.close();
  }
};
