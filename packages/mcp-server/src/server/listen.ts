import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, configurationError } from '@order-license/core/host';

export interface ListenAddress {
  host: string;
  /** The port; 0 for any free port. */
  port: number;
}

/**
 * Starts listening on the address.
 * @param what the setting that the address comes from
 * @returns the origin
 * @throws `configuration` if the address cannot be used
 */
export const listen = async (server: Server, { host, port }: ListenAddress, what: string): Promise<string> => {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    throw configurationError(`Port ${port} on ${host} cannot be used (${code})`, `Change ${what}.`);
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
};
