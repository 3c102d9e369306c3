import { expect, test } from 'vitest';
import { checkBaseUrl, plainHttpHost } from './base-url.ts';

test.each([
  ['https://shop.example/api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1/', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1//', 'https://shop.example/api/v1'],
  [' https://shop.example:8443/x/api/v1 ', 'https://shop.example:8443/x/api/v1'],
])('keeps the base address %j, with its prefix and without the trailing slash [S-03 S-85]', (given, used) => {
  expect(checkBaseUrl(given)).toBe(used);
});

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
])('refuses http to every other host: %s [S-04]', (url) => {
  expect(() => checkBaseUrl(url, ['mock', '10.0.0.8'])).toThrow('Use https');
});

test.each(['http://mock', 'mock:8080', '*', '*.internal', 'mock/', 'a@b', '', 7, undefined])(
  'refuses an invalid host name: %j',
  (name) => {
    const refused = expect(() => checkBaseUrl('https://shop.example/api/v1', [name as string]));
    refused.toThrow(expect.objectContaining({ code: 'configuration', detail: expect.stringContaining('plain HTTP') }));
  },
);

test('refuses host names passed as one string', () => {
  expect(() => checkBaseUrl('http://mock/api/v1', 'mock' as never)).toThrow('must be an array');
});

test.each([
  ['http://shop.example/api/v1', 'Use https'],
  ['http://127.0.0.1.shop.example/api/v1', 'Use https'],
  ['http://localhost.shop.example/api/v1', 'Use https'],
  ['ftp://shop.example/api/v1', 'is not an address'],
  ['shop.example/api/v1', 'is not an address'],
  ['https://shop.example', 'does not end in /api/v1'],
  ['https://shop.example/api/v2', 'does not end in /api/v1. Add it'],
  ['https://shop.example/api/v1/orders', 'does not end in /api/v1. Remove what follows it'],
  ['https://shop.example/api/v1/orders/7/', 'Remove what follows it'],
  ['https://user:secret@shop.example/api/v1', 'only the address'],
  ['https://shop.example/api/v1?key=secret', 'only the address'],
  ['https://shop.example/api/v1#secret', 'only the address'],
  ['', 'is missing'],
  [undefined, 'is missing'],
])('refuses %j and says what to do [S-04 S-85]', (url, words) => {
  const refused = expect(() => checkBaseUrl(url));
  refused.toThrow(expect.objectContaining({ code: 'configuration', message: expect.stringContaining(words) }));
  refused.not.toThrow('secret');
});
