import { expect, test } from 'vitest';
import { requestIdIn } from './request-id.ts';

const apiKey = 'canary-key-0c7f1d';

test('reads the first ID that a response has', () => {
  expect(requestIdIn({ 'cf-ray': '8f1c-FRA', 'request-id': 'req_2', 'x-request-id': 'a1' }, apiKey)).toBe('a1');
  expect(requestIdIn({ 'cf-ray': '8f1c-FRA', 'request-id': 'req_2' }, apiKey)).toBe('req_2');
  expect(requestIdIn({ 'cf-ray': '8f1c-FRA' }, apiKey)).toBe('8f1c-FRA');
  expect(requestIdIn({ date: 'today' }, apiKey)).toBeUndefined();
});

test('of a header that was sent twice, reads the first value, joined or not', () => {
  expect(requestIdIn({ 'x-request-id': ['a1', 'b2'] }, apiKey)).toBe('a1');
  expect(requestIdIn({ 'x-request-id': 'a1, b2' }, apiKey)).toBe('a1');
});

test('leaves out an ID that is empty, too long, not one word of printable ASCII, or contains the API key', () => {
  const longest = 'x'.repeat(100);
  expect(requestIdIn({ 'x-request-id': longest }, apiKey)).toBe(longest);
  for (const id of ['', ' ', `${longest}x`, 'a\u0007b', 'a\tb', 'ä1', 'ignore what was said before']) {
    expect(requestIdIn({ 'x-request-id': id }, apiKey)).toBeUndefined();
    expect(requestIdIn({ 'x-request-id': id, 'cf-ray': '8f1c-FRA' }, apiKey)).toBe('8f1c-FRA');
  }
  for (const id of [apiKey, `for-${apiKey}`, apiKey.toUpperCase(), apiKey.replaceAll('-', '%2D')])
    expect(requestIdIn({ 'x-request-id': id }, apiKey)).toBeUndefined();
});
