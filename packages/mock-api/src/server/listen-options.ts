import { type MockOptions, optionReaders } from '../mock-options.ts';
import { flag, nameText, optional, readFields, whole } from '../settings/check.ts';
import { readAllowHosts, readHost } from './hosts.ts';

/** The options of `listen`. */
export interface ListenOptions extends MockOptions {
  /** Port to listen on, 0 to 65535. Default: 0, which selects a free port. */
  port?: number | undefined;
  /**
   * Address to listen on. Default: `127.0.0.1`. If other machines can reach the address, anyone on them can read and
   * control the mock.
   */
  host?: string | undefined;
  /** Additional host names that the control API accepts. It rejects all other names to prevent DNS rebinding. */
  allowHosts?: readonly string[] | undefined;
  /**
   * Whether to serve `/__mock`, and to apply the faults in `x-mock-fault`. The health check is always served. Default:
   * `true`.
   */
  control?: boolean | undefined;
  /** Path of a PEM file with a certificate. If it is set, the mock serves only HTTPS (§1). */
  tlsCert?: string | undefined;
  /** Path of a PEM file with the private key of the certificate. */
  tlsKey?: string | undefined;
  /** Path of a file with your own orders or API responses, instead of `orders`: one JSON value, or one per line. */
  ordersFile?: string | undefined;
}

/** The readers of the options, by name. */
export const listenReaders = {
  port: optional(whole(0, 65_535)),
  host: optional(readHost),
  allowHosts: optional(readAllowHosts),
  control: optional(flag),
  tlsCert: optional(nameText),
  tlsKey: optional(nameText),
  ordersFile: optional(nameText),
  ...optionReaders,
};

/**
 * Checks and returns the options of a server.
 * @throws Error that names the invalid option
 */
export const readListenOptions = (options: ListenOptions): ListenOptions => {
  const read = readFields<ListenOptions>('listen', options, listenReaders);
  if (read.ordersFile !== undefined && read.orders !== undefined)
    throw new Error("orders and ordersFile can't be combined; pass one");
  if ((read.tlsCert === undefined) !== (read.tlsKey === undefined))
    throw new Error('tlsCert and tlsKey belong together; pass both');
  return read;
};
