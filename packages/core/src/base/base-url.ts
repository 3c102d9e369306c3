import { configurationError } from './errors.ts';

/** Whether an address, or the host of a URL or a Host header, is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);

/**
 * Validates the base URL (§1): it must be absolute, end in `/api/v1`, and use HTTPS unless its host is this machine or
 * listed in `allowHttpHosts`.
 * @param allowHttpHosts host names without a port
 * @returns the base URL without repeated or trailing slashes
 * @throws `configuration`
 */
export const checkBaseUrl = (baseUrl: unknown, allowHttpHosts?: readonly string[]): string => {
  const address = readBaseUrl(baseUrl);
  const allowed = checkHostNames(allowHttpHosts ?? []);
  const host = plainHttpHost(address);
  if (host !== undefined && !allowed.includes(host)) {
    throw configurationError('The base URL uses http, which would send the API key in clear text', 'Use https.');
  }
  return address;
};

/**
 * Returns the host to which a validated base URL sends the API key in clear text; undefined for HTTPS and for this
 * machine.
 */
export const plainHttpHost = (baseUrl: string): string | undefined => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname) ? hostname : undefined;
};

/** Accepts only exact names, because a pattern could allow hosts by accident. */
const checkHostNames = (names: readonly string[]): string[] =>
  names.map((name) => {
    const host = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && URL.parse(`http://${name}`);
    if (host) return host.hostname;
    throw configurationError(
      'The list of hosts allowed to use plain HTTP contains an invalid host name',
      'Use only the name, such as mock or 10.0.0.7, without http://, a port or *.',
    );
  });

/**
 * Like {@link checkBaseUrl}, but accepts plain HTTP for every host, because nothing is sent to this URL.
 * @throws `configuration`
 */
export const readBaseUrl = (baseUrl: unknown): string => {
  if (typeof baseUrl !== 'string' || baseUrl.trim() === '') {
    throw configurationError(
      'The base URL is missing',
      'Set the address of the API, such as https://shop.example/api/v1.',
    );
  }
  const url = URL.parse(baseUrl.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw configurationError('The base URL is not a valid URL', 'Set a URL such as https://shop.example/api/v1.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw configurationError(
      'The base URL contains a user name, a query or a fragment',
      'Set only the address, such as https://shop.example/api/v1.',
    );
  }
  const path = url.pathname.replace(/\/+/g, '/').replace(/\/$/, '');
  if (!path.endsWith('/api/v1')) {
    const advice = path.includes('/api/v1/') ? 'Remove everything after /api/v1' : 'Set the address of API version 1';
    throw configurationError('The base URL does not end in /api/v1', `${advice}, as in https://shop.example/api/v1.`);
  }
  return url.origin + path;
};
