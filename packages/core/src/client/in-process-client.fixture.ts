import type { MockOptions } from '@order-license/mock-api';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import type { ClientEvent } from '../base/events.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createClient } from './client.ts';
import type { PortableClientOptions } from './client-options.ts';

let made = 0;

/**
 * Creates a mock in this process, and clients of it, in virtual time. The clients of one set-up share a base URL and a
 * key, and so a pacer, which the clients of other set-ups don't share.
 */
export const setUpClients = (options: Partial<PortableClientOptions> = {}, mockOptions: MockOptions = {}) => {
  const { clock, mock, host } = createInProcessHost(mockOptions, { timeoutError });
  const apiKey = mock.keys.business;
  const baseUrl = `https://shop-${++made}.example/api/v1`;
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent) => events.push(event);
  const newClient = (more: Partial<PortableClientOptions> = {}) =>
    createClient({ baseUrl, apiKey, host: host(apiKey), onEvent, ...options, ...more });
  return { clock, mock, events, host: host(apiKey), newClient };
};
