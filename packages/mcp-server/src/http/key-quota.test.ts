import { expect, test } from 'vitest';
import { post, rpc, serve, token } from '../testing/http-session.fixture.ts';
import { createKeyQuota } from './key-quota.ts';

/** Returns a quota with a clock that the test sets. */
const setUp = () => {
  let now = 0;
  const takeKey = createKeyQuota(() => now);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { takeKey, pass };
};

test('a signed-in person may send eight different API keys within a minute', () => {
  const { takeKey, pass } = setUp();
  for (let key = 0; key < 8; key++) takeKey('anna', `key-${key}`);
  pass(20_000);
  expect(() => takeKey('anna', 'key-8')).toThrow(
    expect.objectContaining({
      status: 429,
      details: expect.objectContaining({ retryAfter: 40 }),
      message: expect.stringMatching(/^This caller sent 8 different API keys within a minute; .* 40 s\.$/),
    }),
  );
  takeKey('anna', 'key-3');
  takeKey('berta', 'key-8');
  pass(40_000);
  takeKey('anna', 'key-8');
});

test('an API key counts for a minute after its last use', () => {
  const { takeKey, pass } = setUp();
  for (let key = 0; key < 8; key++) takeKey('anna', `key-${key}`);
  pass(30_000);
  takeKey('anna', 'key-0');
  pass(30_000);
  for (let key = 8; key < 15; key++) takeKey('anna', `key-${key}`);
  expect(() => takeKey('anna', 'key-15')).toThrow(
    expect.objectContaining({ status: 429, details: expect.objectContaining({ retryAfter: 30 }) }),
  );
});

test('callers who share the access token may send 250 API keys within a minute', async () => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  const ask = (key: string) => post(url, { authorization: `Bearer ${token}`, 'x-order-license-key': key }, rpc('ping'));
  for (let key = 0; key < 250; key++) expect((await ask(`key-${key}`)).status).toBe(200);
  const { status, headers, text } = await ask('key-250');
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  expect(text).not.toContain('key-250');
  expect((await ask('key-249')).status).toBe(200);
  expect((await post(url, { authorization: `Bearer ${token}` }, rpc('ping'))).status).toBe(200);
});
