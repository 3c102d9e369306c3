import { type MockOptions, mockOptionNames } from '../mock-options.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { nameText, wholeNumber } from '../validate/values.ts';
import { readAllowedHosts, readHost } from './hosts.ts';

export interface ListenOptions extends MockOptions {
  /** Port to listen on. Default: 0, a free one. */
  port?: number;
  /** Address to listen on. Default: `127.0.0.1`. Anyone who can reach another address can use the whole mock. */
  host?: string;
  /** Additional host names that the control API accepts. It refuses all others to prevent DNS rebinding. */
  allowHosts?: readonly string[];
  /** Whether to serve `/__mock`. The health check is always served. Default: `true`. */
  control?: boolean;
  /** Serves HTTPS with a new certificate. Default: `false`. */
  tls?: boolean;
  /** File with your own orders, instead of `orders`: API answers as one JSON value or one per line. */
  ordersFile?: string;
}

export const listenOptionNames: readonly (keyof ListenOptions)[] = [
  ...(['port', 'host', 'allowHosts', 'control', 'tls', 'ordersFile'] as const),
  ...mockOptionNames,
];

/**
 * Returns the options of a server with their defaults, and those of its mock.
 * @throws Error that names the invalid option
 */
export const readListenOptions = (options: ListenOptions) => {
  refuseUnknownFields('listen', options, listenOptionNames);
  const { port = 0, host = '127.0.0.1', allowHosts, tls = false, control = true, ...rest } = options;
  const { ordersFile, ...mockOptions } = rest;
  wholeNumber('port', port, 65_535);
  const allowedHosts = readAllowedHosts(readHost(host), allowHosts);
  for (const [name, value] of Object.entries({ tls, control })) {
    if (typeof value !== 'boolean') throw new Error(`${name} must be true or false, not "${value}"`);
  }
  if (ordersFile !== undefined) nameText('ordersFile', ordersFile);
  if (ordersFile !== undefined && mockOptions.orders !== undefined) {
    throw new Error("orders and ordersFile can't be combined; pass one");
  }
  return { port, host, allowedHosts, tls, control, ordersFile, mockOptions };
};
