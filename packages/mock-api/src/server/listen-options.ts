import { type MockOptions, mockOptionNames } from '../mock-options.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { nameText, wholeNumber } from '../validate/values.ts';
import { readAllowedHosts, readHost } from './hosts.ts';

export interface ListenOptions extends MockOptions {
  /** 0, or none, for a free one. */
  port?: number;
  /** The address to listen on; `127.0.0.1` where absent. Beyond loopback everybody who reaches it can use all of it. */
  host?: string;
  /** Further names under which the control API answers; it is refused under others, which a web page could make up. */
  allowHosts?: readonly string[];
  /** Whether `/__mock` is served, except for its health. `true` where absent. */
  control?: boolean;
  /** HTTPS with a certificate made for this run. */
  tls?: boolean;
  /** A file with the orders that there are, in place of `orders`: answers of the API, as JSON or one on each line. */
  ordersFile?: string;
  /**
   * Keeps accounts, keys and orders in this file: read at the start where it is there, and over all other data options;
   * written when the mock closes.
   */
  stateFile?: string;
}

export const listenOptionNames: readonly (keyof ListenOptions)[] = [
  ...(['port', 'host', 'allowHosts', 'control', 'tls', 'ordersFile', 'stateFile'] as const),
  ...mockOptionNames,
];

/**
 * The options of a server with their defaults, and those of its mock.
 * @throws Error with a sentence about the option that is wrong
 */
export const readListenOptions = (options: ListenOptions) => {
  refuseUnknownFields('listen', options, listenOptionNames);
  const { port = 0, host = '127.0.0.1', allowHosts, tls = false, control = true, ...rest } = options;
  const { ordersFile, stateFile, ...mockOptions } = rest;
  wholeNumber('port', port, 65_535);
  const allowedHosts = readAllowedHosts(readHost(host), allowHosts);
  for (const [name, value] of Object.entries({ tls, control })) {
    if (typeof value !== 'boolean') throw new Error(`${name} must be true or false, not "${value}"`);
  }
  for (const [name, path] of Object.entries({ ordersFile, stateFile })) {
    if (path !== undefined) nameText(name, path);
  }
  if (ordersFile !== undefined && mockOptions.orders !== undefined) {
    throw new Error("orders and ordersFile can't be combined; pass one");
  }
  return { port, host, allowedHosts, tls, control, ordersFile, stateFile, mockOptions };
};
