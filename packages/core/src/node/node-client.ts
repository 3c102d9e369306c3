import type { Dispatcher } from 'undici';
import type { OptionNames } from '../base/check-options.ts';
import { configurationError } from '../base/errors.ts';
import { type Client, createClient as createPortableClient } from '../client/client.ts';
import {
  type ClientOptions,
  checkClientOptions,
  clientOptionNames,
  type FindDeviations,
} from '../client/client-options.ts';
import { createNodeHost } from './node-host.ts';

export interface NodeClientOptions extends ClientOptions {
  /**
   * Sends the requests: an undici `Agent` with your own CA or client certificate, a `ProxyAgent`, a `MockAgent`.
   * `HTTPS_PROXY` is then ignored, and you close the dispatcher. @default connections shared by all clients of the
   * process
   */
  dispatcher?: Dispatcher | undefined;
}

const optionNames: OptionNames<NodeClientOptions> = { ...clientOptionNames, dispatcher: true };

/**
 * A client for Node: undici with keep-alive connections; respects `HTTPS_PROXY` and `NO_PROXY`.
 * @throws `configuration` for invalid options; nothing is sent
 */
export const createClient = (options: NodeClientOptions): Client => {
  const { dispatcher, ...others } = checkClientOptions(options, optionNames);
  if (dispatcher !== undefined && !(typeof dispatcher?.dispatch === 'function' && 'compose' in dispatcher)) {
    throw configurationError('`dispatcher` must be an undici dispatcher, such as `new Agent()`');
  }
  return createPortableClient({ ...others, host: createNodeHost(dispatcher), findDeviations });
};

const findDeviations: FindDeviations = async (...answer) => (await import('../schema.ts')).findDeviations(...answer);
