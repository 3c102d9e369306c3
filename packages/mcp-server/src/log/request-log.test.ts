import { expect, onTestFinished, test, vi } from 'vitest';
import { getMe, post, rpc, serve, token } from '../testing/http-session.fixture.ts';
import { watchStderr } from '../testing/stderr.fixture.ts';
import { createRequestLog } from './request-log.ts';

const canary = 'canary\n2026-01-01T00:00:00Z forged';
const badCall = rpc('tools/call', { name: 'order_license_get_order', arguments: { id: canary } });
const authorization = `Bearer ${token}`;

test.each<[string, Record<string, string>, string, RegExp]>([
  ['a wrong token', { authorization: 'Bearer canary' }, '{}', /401 The access token is missing or invalid; /],
  ['a bad Host', { host: 'canary.example' }, '{}', /403 The host name in the Host header is not allowed; /],
  ['a bad Origin', { origin: 'https://canary.example' }, '{}', /403 The origin in the Origin header is not allowed; /],
  ['a malformed key', { authorization, 'x-order-license-key': 'canary x' }, '{}', /400 X-Order-License-Key: /],
  ['broken JSON', { authorization }, `{"${canary}`, /400 The body is not JSON;/],
  ['a long body', { authorization }, 'canary'.repeat(50_000), /413 The body is longer than 262144 bytes\./],
  ['a wrong media type', { authorization, 'content-type': 'canary/x' }, '{}', /415 Unsupported Media Type/],
  ['a failing call', { authorization }, badCall, /order_license_get_order failed: bad_request/],
  ['a rejected key', { authorization, 'x-order-license-key': 'canary-x' }, getMe, /order_license_get_me failed: auth/],
])('logs %s as one line with time and caller, without quoting the request', async (_name, headers, body, what) => {
  const { url } = await serve({ ORDER_LICENSE_ACCESS_TOKEN: token });
  const lines = watchStderr();
  await post(url, headers, body);
  expect(lines).toEqual([expect.stringMatching(what)]);
  expect(lines[0]).toMatch(/^order-license-mcp: \d{4}-\d\d-\d\dT[\d:.]+Z from 127\.0\.0\.1: [^\n]+\n$/);
  expect(lines[0]).not.toMatch(/canary|forged/);
});

test('does not log successful requests', async () => {
  const { url } = await serve();
  const lines = watchStderr();
  expect((await post(url, {}, getMe)).status).toBe(200);
  expect(lines).toEqual([]);
});

test('logs at most ten lines of each kind per minute, then only a count, without hiding other kinds', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = createRequestLog((line) => lines.push(line.slice(line.indexOf(' ') + 1)));
  for (let i = 0; i < 100_000; i++) log.write('401 wrong', '10.0.0.7');
  log.write('order_license_get_me failed: timeout', '10.0.0.8');
  expect(lines).toEqual([
    ...Array.from({ length: 10 }, () => 'from 10.0.0.7: 401 wrong'),
    'from 10.0.0.8: order_license_get_me failed: timeout',
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(11)).toEqual(['99990 more within a minute: 401 wrong']);
  log.write('401 wrong', undefined);
  log.end();
  expect(lines.slice(12)).toEqual(['from a closed connection: 401 wrong']);
});
