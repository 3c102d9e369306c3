import { configurationError } from './base/errors.ts';
import type { Client } from './client/client.ts';
import type { ClientOptions } from './client/client-options.ts';

export * from './portable.ts';

/**
 * Replaces the client in bundles for browsers.
 * @throws `configuration`, always: whoever opens the page could read the API key
 */
export const createClient = (_options: ClientOptions): Client => {
  throw configurationError(
    'The client does not run in browsers, where anyone who opens the page could read the API key',
    'Create it on your server, and let the page call the server. In a bundle for your server, set the target to Node; in Jest, start the test file with `/** @jest-environment node */`.',
  );
};
