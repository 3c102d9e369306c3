import { optionReaders } from '../mock-options.ts';
import { flag, type Given, nameText, optional, readFields, whole } from '../settings/check.ts';
import { readAllowHosts, readHost } from './hosts.ts';

/** The options of `listen`, and how each is read. */
export const listenReaders = {
  /** Port to listen on, 0 to 65535. Default: 0, which selects a free port. */
  port: optional(whole(0, 65_535)),
  /**
   * Address to listen on. Default: `127.0.0.1`. If other machines can reach the address, anyone on them can read and
   * control the mock.
   */
  host: optional(readHost),
  /** Additional host names that the control API accepts. It rejects all other names to prevent DNS rebinding. */
  allowHosts: optional(readAllowHosts),
  /**
   * Whether to serve `/__mock`, and to apply the faults in `x-mock-fault`. The health check is always served. Default:
   * `true`.
   */
  control: optional(flag),
  /** Path of a PEM file with a certificate. If it is set, the mock serves only HTTPS (§1). */
  tlsCert: optional(nameText),
  /** Path of a PEM file with the private key of the certificate. */
  tlsKey: optional(nameText),
  /** Path of a file with your own orders or API responses, instead of `orders`: one JSON value, or one per line. */
  ordersFile: optional(nameText),
  ...optionReaders,
};

/** The options of `listen`. */
export type ListenOptions = Given<typeof listenReaders>;

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
