import { expect, test } from 'vitest';
import { checkBaseUrl, plainHttpHost } from './base-url.ts';

test.each([
  ['https://shop.example/api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1/', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1//', 'https://shop.example/api/v1'],
  ['https://shop.example//api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/x//api//v1', 'https://shop.example/x/api/v1'],
  [' https://shop.example:8443/x/api/v1 ', 'https://shop.example:8443/x/api/v1'],
])(
  'keeps the base URL %j with its path prefix, and removes repeated and trailing slashes [S-03 S-85]',
  (given, used) => {
    expect(checkBaseUrl(given)).toBe(used);
  },
);

test.each([
  'http://127.0.0.1:80/api/v1',
  'http://127.1.2.3/api/v1',
  'http://localhost:3000/api/v1',
  'http://[::1]:3000/api/v1',
])('allows http on this machine: %s [S-04]', (url) => {
  expect(checkBaseUrl(url)).toContain('/api/v1');
});

test.each([
  ['http://mock:8080/api/v1', ['mock'], 'mock'],
  ['http://MOCK/api/v1', ['other', 'Mock'], 'mock'],
  ['http://10.0.0.7/api/v1', ['10.0.0.7'], '10.0.0.7'],
  ['http://[fd00::7]/api/v1', ['[fd00::7]'], '[fd00::7]'],
  ['https://shop.example/api/v1', ['shop.example'], undefined],
  ['http://localhost/api/v1', ['localhost'], undefined],
])('allows http to a listed host, on any port: %s %j [S-04]', (url, allowed, host) => {
  expect(plainHttpHost(checkBaseUrl(url, allowed))).toBe(host);
});

test.each([
  'http://mock.shop.example/api/v1',
  'http://a.mock/api/v1',
  'http://mock./api/v1',
  'http://mockery/api/v1',
  'http://0x0a000007/api/v1',
])('rejects http to a host that is not listed: %s [S-04]', (url) => {
  expect(() => checkBaseUrl(url, ['mock', '10.0.0.8'])).toThrow('Use https');
});

test.each(['http://mock', 'mock:8080', '*', '*.internal', 'mock/', 'a@b', ''])(
  'rejects an invalid host name: %j',
  (name) => {
    const rejected = expect(() => checkBaseUrl('https://shop.example/api/v1', [name]));
    rejected.toThrow(expect.objectContaining({ code: 'configuration', detail: expect.stringContaining('plain HTTP') }));
  },
);
