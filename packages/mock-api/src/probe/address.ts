/**
 * Checks the base address of the service that is asked (§1): absolute, ends in `/api/v1`, and HTTPS, since the key goes
 * there. Plain HTTP is accepted for this machine and for hosts that are allowed by name.
 * @param allowHttpHosts names of hosts, without a port
 * @returns the address without slashes at its end
 * @throws Error that says what is wrong and what to give
 */
export const readAddress = (baseUrl: string | undefined, allowHttpHosts: readonly string[] = []): string => {
  if (baseUrl === undefined || baseUrl.trim() === '') {
    throw new Error('--base-url is missing; give the address of the service, such as https://shop.example/api/v1');
  }
  const url = URL.parse(baseUrl.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new Error('--base-url is not an address; give one such as https://shop.example/api/v1');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('--base-url holds a user name, a query or a fragment; give the plain address');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/api/v1')) {
    throw new Error('--base-url does not end in /api/v1; add it, as in https://shop.example/api/v1');
  }
  const allowed = allowHttpHosts.map(hostName);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowed.includes(url.hostname)) {
    throw new Error('--base-url uses http, which would send the API key in clear text; use https');
  }
  return url.origin + path;
};

/** Exact names alone: a pattern would allow hosts that nobody thought of. */
const hostName = (name: string): string => {
  const url = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) ? URL.parse(`http://${name}`) : null;
  if (url) return url.hostname;
  throw new Error(
    '--allow-http-host takes the name of a host, such as mock or 10.0.0.7, without http://, a port or a *',
  );
};

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * The API key of the environment, checked before anything is sent: with a control character in it, an error of the
 * transport would show it.
 * @throws Error without the key
 */
export const readApiKey = (value: string | undefined): string => {
  const key = value?.trim() ?? '';
  if (key === '') {
    throw new Error('ORDER_LICENSE_API_KEY is not set; create a key in the customer account and set the variable');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(
      'ORDER_LICENSE_API_KEY holds a space, a line break or a character outside ASCII; copy the key again, without quotes',
    );
  }
  return key;
};
