import { expect, test } from 'vitest';
import { checkBaseUrl } from './base-url.ts';

test.each([
  ['https://shop.example/api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1/', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1//', 'https://shop.example/api/v1'],
  [' https://shop.example:8443/x/api/v1 ', 'https://shop.example:8443/x/api/v1'],
])('S-03 S-85 the base address %j is kept, with its prefix and without the last slash', (given, used) => {
  expect(checkBaseUrl(given)).toBe(used);
});

test.each([
  'http://127.0.0.1:80/api/v1',
  'http://127.1.2.3/api/v1',
  'http://localhost:3000/api/v1',
  'http://[::1]:3000/api/v1',
])('S-04 http is allowed on this machine: %s', (url) => {
  expect(checkBaseUrl(url)).toContain('/api/v1');
});

test.each([
  ['http://shop.example/api/v1', 'Use https'],
  ['http://127.0.0.1.shop.example/api/v1', 'Use https'],
  ['http://localhost.shop.example/api/v1', 'Use https'],
  ['ftp://shop.example/api/v1', 'is not an address'],
  ['shop.example/api/v1', 'is not an address'],
  ['https://shop.example', 'does not end in /api/v1'],
  ['https://shop.example/api/v2', 'does not end in /api/v1'],
  ['https://user:secret@shop.example/api/v1', 'plain address'],
  ['https://shop.example/api/v1?key=secret', 'plain address'],
  ['https://shop.example/api/v1#secret', 'plain address'],
  ['', 'is missing'],
  [undefined, 'is missing'],
])('S-04 S-85 %j is refused with what to do', (url, words) => {
  const refused = expect(() => checkBaseUrl(url));
  refused.toThrow(expect.objectContaining({ code: 'configuration', message: expect.stringContaining(words) }));
  refused.not.toThrow('secret');
});
