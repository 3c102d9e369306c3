import { expect, test } from 'vitest';
import { proxyFor } from './proxy-settings.ts';

const origin = 'https://shop.example';
const proxy = 'http://proxy.example:3128';
const other = 'http://other.example:3128';

const read = (env: Record<string, string>, to = origin) => proxyFor(to, env)?.url.href;

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ HTTPS_PROXY: proxy }, 'HTTPS_PROXY'],
  [{ https_proxy: proxy, HTTPS_PROXY: other }, 'https_proxy'],
  [{ https_proxy: proxy, HTTPS_PROXY: '' }, 'https_proxy'],
  [{ HTTPS_PROXY: proxy, https_proxy: ' ' }, 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: proxy, HTTP_PROXY: other }, 'HTTPS_PROXY'],
  [{ HTTP_PROXY: proxy, ALL_PROXY: other }, 'HTTP_PROXY'],
  [{ HTTPS_PROXY: '', http_proxy: proxy }, 'http_proxy'],
  [{ ALL_PROXY: proxy }, 'ALL_PROXY'],
  [{ all_proxy: proxy, ALL_PROXY: other }, 'all_proxy'],
])('of the variables %j, %s names the proxy', (env, variable) => {
  expect(proxyFor(origin, env)).toEqual(variable && { variable, url: new URL(proxy) });
});

test('never uses a proxy for plain HTTP [S-70]', () => {
  expect(read({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy }, 'http://shop.example')).toBeUndefined();
});

test.each(['proxy.example:3128', 'http://', 'socks5://proxy.example:1080', 'ftp://proxy.example', 'proxy', '3128'])(
  'rejects the proxy %j, and says what is accepted',
  (value) => {
    expect(() => read({ ALL_PROXY: value })).toThrow(
      expect.objectContaining({
        code: 'configuration',
        reason: 'proxy',
        sent: false,
        detail: 'ALL_PROXY is not the URL of a supported proxy',
        advice: expect.stringContaining('HTTP proxy, such as http://proxy.example:3128'),
      }),
    );
  },
);

test.each([
  'http://me:6/topsec@proxy.example:3128',
  'http://me:6?topsec@proxy.example:3128',
  'http://me:6#topsec@proxy.example:3128',
  'http://me:6\\topsec@proxy.example:3128',
  'http://me:top\nsec@proxy.example:3128',
  'http://me:100%topsec@proxy.example:3128',
  'http://me:%FC@proxy.example:3128',
  'http://proxy.example:3128/proxy.pac',
])('rejects the proxy %j, whose password can be taken for the host, without quoting it', (value) => {
  expect(() => read({ HTTPS_PROXY: value })).toThrow(
    /^HTTPS_PROXY is not the URL .* Percent-encode special characters/,
  );
  expect(() => read({ HTTPS_PROXY: value })).not.toThrow(/topsec|me:/);
});

test('accepts a proxy with a password that is percent-encoded', () => {
  const url = 'http://me:p%40ss%2F@proxy.example:3128/';
  expect(read({ HTTPS_PROXY: url })).toBe(url);
});

test.each([
  ['shop.example', origin, true],
  ['SHOP.example.', origin, true],
  ['example', origin, true],
  ['.example', origin, true],
  ['.shop.example', origin, true],
  ['shop.example', 'https://shop.example.', true],
  ['*.example', origin, true],
  ['*.shop.example', origin, false],
  ['hop.example', origin, false],
  ['*', origin, true],
  ['*:443', origin, true],
  ['shop.example:443', origin, true],
  ['shop.example:8443', origin, false],
  ['shop.example:8443', 'https://shop.example:8443', true],
  ['localhost, 127.0.0.1 ,shop.example', origin, true],
  ['localhost;shop.example', origin, true],
  ['localhost shop.example', origin, true],
  ['', origin, false],
  ['10.0.0.7', 'https://10.0.0.7', true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.0.0.0/8', origin, false],
  ['::1', 'https://[::1]', true],
  ['[::1]', 'https://[::1]', true],
  ['[0:0::1]:443', 'https://[::1]', true],
  ['[::1]:8443', 'https://[::1]', false],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['fd00::/8', 'https://[fe80::1]', false],
  // Other programs read these; here, they match no host.
  ['<local>', origin, false],
  ['10.*', 'https://10.1.2.3', false],
  ['/var/run/docker.sock', origin, false],
  ['https://shop.example', origin, false],
  ['"shop.example"', origin, false],
  ['10.0.0.0/33', 'https://10.1.2.3', false],
  ['10.0.0.0/', 'https://10.1.2.3', false],
  ['[::1', 'https://[::1]', false],
  ['/var/run/docker.sock,shop.example', origin, true],
])('NO_PROXY=%s for %s: %s', (list, to, isExempt) => {
  // An empty no_proxy does not hide NO_PROXY.
  expect(read({ HTTPS_PROXY: proxy, no_proxy: '', NO_PROXY: list }, to)).toBe(isExempt ? undefined : `${proxy}/`);
});
