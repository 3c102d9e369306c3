import { createHash } from 'node:crypto';
import { readBaseUrl } from '../base/base-url.ts';
import { checkApiKey } from '../base/check-api-key.ts';
import { type OptionNames, unknownOption } from '../base/checks.ts';
import { configurationError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import type { StoreLimit } from './store.ts';

export interface SharedStoreOptions extends StoreLimit {
  /** Address of the service, as passed to the client. */
  baseUrl: string;
  /** API key, as passed to the client. Only a SHA-256 hash of the key and the address leaves this process. */
  apiKey: string;
  /** Milliseconds on a monotonic clock: the `now` of the client's host. @default performance.now */
  now?: (() => number) | undefined;
  /** Called when the file or Redis is lost, and when it is available again. */
  onEvent?: OnEvent | undefined;
}

const optionNames: OptionNames<SharedStoreOptions> = {
  baseUrl: true,
  apiKey: true,
  requests: true,
  windowMs: true,
  guardMs: true,
  now: true,
  onEvent: true,
};

/**
 * @param ownName the option that only this store has
 * @throws `configuration` for an unknown name: with a misspelled `path`, this process would use a different file
 */
export const checkStoreOptions = <Options extends SharedStoreOptions>(
  options: Options,
  ownName: string & Exclude<keyof Options, keyof SharedStoreOptions>,
): Options => {
  const problem = unknownOption(options, { ...optionNames, [ownName]: true });
  if (problem) throw configurationError(...problem);
  return options;
};

/**
 * A name shared by processes with the same service and key. The API key cannot be recovered from it.
 * @throws `configuration` for an invalid address or key
 */
export const recordKey = ({ baseUrl, apiKey }: SharedStoreOptions): string =>
  createHash('sha256')
    .update(`order-license\n${readBaseUrl(baseUrl)}\n${checkApiKey(apiKey)}`)
    .digest('hex');
