import { percentDecoded } from '../base/checks.ts';
import { configurationError } from '../base/errors.ts';

/** A valid address of a Redis or Valkey. */
export interface RedisAddress {
  /** The address as `@redis/client` accepts it; may contain a password. */
  url: string;
  /** Host and port: the only part of the address to show to people. */
  host: string;
  tls: boolean;
}

const form =
  /^(?:redis|valkey)(s?):\/\/([^\s/?#@:[\]]*:[^\s/?#@[\]]+@)?((?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?)(\/\d*)?$/i;

/**
 * Reads an address such as `redis://user:password@host:6379/0`. Rejects an address that could be read in two ways, such
 * as one with a `/` in the password: a part of the password would be taken for the host.
 * @throws `configuration`; the error contains no part of the address
 */
export const readRedisAddress = (address: string): RedisAddress => {
  const [, s = '', login = '', host = '', database = ''] = form.exec(address) ?? [];
  if (host && URL.canParse(`http://${host}`) && percentDecoded(login) !== undefined) {
    return { url: `redis${s.toLowerCase()}://${login}${host}${database}`, host, tls: s !== '' };
  }
  throw configurationError(
    'The Redis address must look like `redis://user:password@host:6379/0`, or `rediss://` for TLS, with nothing after the database number',
    'Percent-encode special characters in the user name and the password: `@` as %40, `/` as %2F, `%` as %25.',
  );
};
