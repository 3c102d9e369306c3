import type { MockOptions } from '@order-license/mock-api';
import { createInProcessHost, type InProcessOptions } from '@order-license/testing/in-process-host';
import type { ClientEvent, RequestEvent } from '../base/events.ts';
import type { Host, HttpRequest, HttpResponse } from '../base/host.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createClient } from './client.ts';
import type { PortableClientOptions } from './client-options.ts';

let made = 0;

/**
 * Creates an API in this process with virtual time, and clients for it. Each call uses a new address, because clients
 * share pacers by address and key.
 */
export const setUpVirtual = (
  options: Partial<PortableClientOptions> = {},
  mockOptions: MockOptions = {},
  hostOptions: InProcessOptions = {},
) => {
  const { clock, mock, host } = createInProcessHost(mockOptions, { timeoutError, ...hostOptions });
  const requests: RequestEvent[] = [];
  /** All other events. */
  const events: ClientEvent[] = [];
  const apiKey = mock.keys.business;
  const shared: PortableClientOptions = {
    baseUrl: `https://virtual-${++made}.example/api/v1`,
    apiKey,
    host: host(apiKey),
    onEvent: (event) => void (event.type === 'request' ? requests : events).push(event as RequestEvent),
    ...options,
  };
  const newClient = (more: Partial<PortableClientOptions> = {}) => createClient({ ...shared, ...more });
  /** Creates a client that sends its requests through `send`, which gets the usual way to send them. */
  const newClientThrough = (
    send: (request: HttpRequest, usual: Host['send']) => Promise<HttpResponse>,
    more: Partial<PortableClientOptions> = {},
  ) => newClient({ host: { ...shared.host, send: (request) => send(request, shared.host.send) }, ...more });
  const statuses = () => mock.journal.entries().map(({ status }) => status);
  return { clock, mock, host, requests, events, statuses, client: newClient(), newClient, newClientThrough };
};

/** Returns the error of a call that fails. */
export const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error('The call did not fail.'),
    (error: unknown) => error,
  );
