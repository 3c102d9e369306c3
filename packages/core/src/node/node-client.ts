import type { Dispatcher } from 'undici';
import { configurationError } from '../base/errors.ts';
import { type Client, createClient as createPortableClient } from '../client/client.ts';
import type { ClientOptions } from '../client/client-options.ts';
import { createNodeHost, type UndiciDispatcher } from './node-host.ts';

export interface NodeClientOptions extends ClientOptions {
  /**
   * Undici dispatcher that sends the requests, such as an `Agent` with your own CA or client certificate, a
   * `ProxyAgent` or a `MockAgent`. `HTTPS_PROXY` is then ignored, and you close the dispatcher yourself.
   * @default connections shared by all clients of the process
   */
  dispatcher?: UndiciDispatcher | undefined;
}

/**
 * Creates a client for Node: undici with keep-alive connections; respects `HTTPS_PROXY` and `NO_PROXY`.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = ({ dispatcher, ...options }: NodeClientOptions): Client => {
  if (dispatcher !== undefined) checkDispatcher(dispatcher);
  return createPortableClient({ ...options, host: createNodeHost(dispatcher) });
};

/**
 * @throws `configuration` for a dispatcher that does not report when it sends a request: every request would seem
 * unsent, and the rate limit would not be kept
 */
const checkDispatcher = (dispatcher: UndiciDispatcher): void => {
  let reportsStart = false;
  // This request ends in its own interceptor, so nothing is sent.
  const probe = (dispatcher as Dispatcher).compose(() => (_, handler) => {
    reportsStart = 'onRequestStart' in handler;
    return true;
  });
  probe.request({ origin: 'http://localhost', path: '/', method: 'GET' }).catch(() => undefined);
  if (!reportsStart) {
    throw configurationError('`dispatcher` comes from an undici version older than 7', 'Use undici 7 or newer.');
  }
};
