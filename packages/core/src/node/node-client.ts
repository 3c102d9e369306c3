import { configurationError } from '../base/errors.ts';
import { type Client, createClientOn, createClient as createPortableClient } from '../client/client.ts';
import type { ClientOptions } from '../client/client-options.ts';
import { createFetchSend, type Fetch } from '../fetch-host.ts';
import type { UndiciDispatcher } from './check-dispatcher.ts';
import { createNodeHost } from './node-host.ts';

export interface NodeClientOptions extends ClientOptions {
  /**
   * Undici dispatcher that sends the requests, such as an `Agent` with your own CA or client certificate, a
   * `ProxyAgent` or a `MockAgent`. `HTTPS_PROXY` is then ignored, and you close the dispatcher yourself.
   * @default connections shared by all clients of the process
   */
  dispatcher?: UndiciDispatcher | null | undefined;
  /**
   * Sends the requests instead of undici, for tests, proxies and tracing: the platform's `fetch`, that of a package, or
   * your own. `HTTPS_PROXY` is then up to this function. Can't be combined with `dispatcher`.
   */
  fetch?: Fetch | null | undefined;
}

/**
 * Creates a client for Node: undici with keep-alive connections; respects `HTTPS_PROXY` and `NO_PROXY`.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = ({ dispatcher, fetch, ...options }: NodeClientOptions): Client => {
  const host = createNodeHost(dispatcher);
  if (fetch == null) return createClientOn({ ...options, host }, host.send);
  if (dispatcher) {
    throw configurationError('`fetch` and `dispatcher` cannot be combined', 'Let your `fetch` use the dispatcher.');
  }
  return createPortableClient({ ...options, host: { ...host, send: createFetchSend(fetch) } });
};
