import { type Client, createClient as createPortableClient } from '../client/client.ts';
import type { ClientOptions } from '../client/client-options.ts';
import type { UndiciDispatcher } from './check-dispatcher.ts';
import { createNodeHost } from './node-host.ts';

export interface NodeClientOptions extends ClientOptions {
  /**
   * Undici dispatcher that sends the requests, such as an `Agent` with your own CA or client certificate, a
   * `ProxyAgent` or a `MockAgent`. `HTTPS_PROXY` is then ignored, and you close the dispatcher yourself.
   * @default connections shared by all clients of the process
   */
  dispatcher?: UndiciDispatcher | null | undefined;
}

/**
 * Creates a client for Node: undici with keep-alive connections; respects `HTTPS_PROXY` and `NO_PROXY`.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = ({ dispatcher, ...options }: NodeClientOptions): Client =>
  createPortableClient({ ...options, host: createNodeHost(dispatcher) });
