import { isLoopback, readAllowHosts } from '../server/hosts.ts';

/**
 * Validates the base address (§1): it must be absolute, end in `/api/v1`, and use HTTPS unless the host is this machine
 * or allowed.
 * @param allowHttpHosts host names without a port
 * @returns the address without trailing slashes
 * @throws Error with the problem and the expected value
 */
export const readAddress = (baseUrl: string | undefined, allowHttpHosts: readonly string[] = []): string => {
  if (baseUrl === undefined || baseUrl.trim() === '') {
    throw new Error('--base-url is missing. Pass the address of the API, such as https://shop.example/api/v1.');
  }
  const url = URL.parse(baseUrl.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new Error('--base-url is not a valid URL. Pass a URL such as https://shop.example/api/v1.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('--base-url contains a user name, a query or a fragment. Pass only the address.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/api/v1')) {
    throw new Error('--base-url does not end in /api/v1. Add it, as in https://shop.example/api/v1.');
  }
  const allowed = readAllowHosts('--allow-http-host', allowHttpHosts);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowed.includes(url.hostname)) {
    throw new Error('--base-url uses http, which would send the API key in clear text. Use https.');
  }
  return url.origin + path;
};

/**
 * Returns the API key from the environment. Checks it before any request, since a transport error would quote a key
 * that contains a control character.
 * @throws Error; the message does not contain the key
 */
export const readApiKey = (value: string | undefined): string => {
  const key = value?.trim() ?? '';
  if (key === '') {
    throw new Error('ORDER_LICENSE_API_KEY is not set. Create a key in the customer account and set the variable.');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(
      'ORDER_LICENSE_API_KEY contains a space, a line break or a character outside ASCII. Copy it again, without quotes.',
    );
  }
  return key;
};
