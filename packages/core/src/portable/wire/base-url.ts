import { configurationError } from '../base/errors.ts';

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * Checks the base address (§1): absolute, ends in `/api/v1`, HTTPS unless it is this machine.
 * @returns the address without slashes at its end
 * @throws `configuration`
 */
export const checkBaseUrl = (baseUrl: unknown): string => {
  if (typeof baseUrl !== 'string' || baseUrl.trim() === '') {
    throw configurationError(
      'The base URL is missing',
      'Give the address of the service, such as https://shop.example/api/v1.',
    );
  }
  const url = URL.parse(baseUrl.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw configurationError('The base URL is not an address', 'Give one such as https://shop.example/api/v1.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw configurationError('The base URL uses http, which would send the API key in clear text', 'Use https.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw configurationError('The base URL holds a user name, a query or a fragment', 'Give the plain address only.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/api/v1')) {
    throw configurationError('The base URL does not end in /api/v1', 'Add it, as in https://shop.example/api/v1.');
  }
  return url.origin + path;
};
