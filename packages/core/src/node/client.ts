import { checkApiKey } from '../portable/api-key.ts';
import type { FindDeviations } from '../portable/call.ts';
import { type Client, type ClientOptions, createClient as createPortableClient } from '../portable/client.ts';
import { createNodeHost } from './host.ts';

/**
 * A client for Node: undici over keep-alive connections, `HTTPS_PROXY` and `NO_PROXY` honoured.
 * @throws `configuration` for options that cannot be right; nothing is sent
 */
export const createClient = (options: ClientOptions): Client =>
  createPortableClient({ ...options, host: createNodeHost(checkApiKey(options.apiKey)), findDeviations });

const findDeviations: FindDeviations = async (...answer) => (await import('../schema.ts')).findDeviations(...answer);
