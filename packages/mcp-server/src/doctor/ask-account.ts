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

/** The result of one `GET /me` (§4.1). */
export interface AccountAnswer {
  outcome: { user: User } | { error: OrderLicenseError };
  /** Whether anything answered. */
  isAnswered: boolean;
  /** The `Date` header of the answer. */
  date: string | undefined;
  /** From the client and the rate-limit store. */
  events: readonly ClientEvent[];
}

/** Sends one `GET /me`, without retries or waits, counted in the configured store. */
export const askAccount = async (config: Config): Promise<AccountAnswer> => {
  const { baseUrl, allowHttpHosts, apiKey, requestsPerMinute } = config;
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent): void => void events.push(event);
  const store = createStore(config, onEvent);
  const host = createNodeHost();
  let isAnswered = false;
  let date: string | undefined;
  const client = createClient({
    baseUrl,
    allowHttpHosts,
    apiKey,
    onEvent,
    host: {
      ...host,
      async send(request) {
        const response = await host.send(request);
        isAnswered = true;
        date = [response.headers.date].flat()[0];
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
    return { outcome: { user: await client.getMe() }, isAnswered, date, events };
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    return { outcome: { error }, isAnswered, date, events };
  } finally {
    await store?.close();
  }
};
