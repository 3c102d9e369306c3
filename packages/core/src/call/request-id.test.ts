import { expect, test } from 'vitest';
import { requestIdIn } from './request-id.ts';

const apiKey = 'canary-key-0c7f1d';

test.each([
  [{ 'cf-ray': '8f1c-FRA', 'request-id': 'req_2', 'x-request-id': 'a1' }, 'a1'],
  [{ 'cf-ray': '8f1c-FRA', 'request-id': 'req_2' }, 'req_2'],
  [{ 'cf-ray': '8f1c-FRA' }, '8f1c-FRA'],
  [{ date: 'today' }, undefined],
  [{ 'x-request-id': ['a1', 'b2'] }, 'a1'],
  [{ 'x-request-id': 'a1, b2' }, 'a1'],
])('reads the first ID in the headers %j', (headers, id) => {
  expect(requestIdIn(headers, apiKey)).toBe(id);
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
