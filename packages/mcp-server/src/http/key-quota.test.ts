import { expect, test } from 'vitest';
import { post, rpc, serve } from '../testing/http-session.fixture.ts';
import { publicUrl, startIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
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

test('callers who share the access token may send 250 API keys within a minute', () => {
  const { takeKey } = setUp();
  for (let key = 0; key < 250; key++) takeKey(undefined, `key-${key}`);
  expect(() => takeKey(undefined, 'key-250')).toThrow(expect.objectContaining({ status: 429 }));
  takeKey(undefined, 'key-249');
});

test('over HTTP, the ninth API key of a person gets 429, and a request without one does not', async () => {
  const issuer = await startIssuer();
  const file = writeSignInFile({ publicUrl, issuer: issuer.url, subjects: { alice: true } });
  const { url } = await serve({ ORDER_LICENSE_OAUTH: file });
  const authorization = `Bearer ${await issuer.issue()}`;
  const ask = (more: object = {}) => post(url, { authorization, ...more }, rpc('ping'));
  for (let key = 0; key < 8; key++) expect((await ask({ 'x-order-license-key': `key-${key}` })).status).toBe(200);
  const { status, headers, text } = await ask({ 'x-order-license-key': 'key-8' });
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  expect(text).not.toContain('key-8');
  expect((await ask()).status).toBe(200);
});
