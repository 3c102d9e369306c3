import type { Dispatcher } from 'undici';
import { configurationError } from '../portable/base/errors.ts';
import type { FindDeviations } from '../portable/client/call.ts';
import { type Client, type ClientOptions, createClient as createPortableClient } from '../portable/client/client.ts';
import { createNodeHost } from './host.ts';

export interface NodeClientOptions extends ClientOptions {
  /**
   * Sends the requests: an undici `Agent` with a CA or client certificate of your own, a `ProxyAgent`, a `MockAgent`.
   * `HTTPS_PROXY` is ignored then, and you close it. @default connections shared by all clients of the process
   */
  dispatcher?: Dispatcher | undefined;
}

/**
 * A client for Node: undici over keep-alive connections, `HTTPS_PROXY` and `NO_PROXY` honoured.
 * @throws `configuration` for options that cannot be right; nothing is sent
 */
export const createClient = ({ dispatcher, ...options }: NodeClientOptions): Client => {
  if (dispatcher !== undefined && !(typeof dispatcher?.dispatch === 'function' && 'compose' in dispatcher)) {
    throw configurationError('`dispatcher` has to be a dispatcher of undici, such as `new Agent()`');
  }
  return createPortableClient({ ...options, host: createNodeHost(dispatcher), findDeviations });
};

const findDeviations: FindDeviations = async (...answer) => (await import('../schema.ts')).findDeviations(...answer);
