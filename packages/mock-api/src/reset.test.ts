import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createInnerMock } from './mock.ts';
import { ask, headersFor, send, started } from './test-client.fixture.ts';

test.each([undefined, 1_000])('reset restores the clock of a mock with `frozenAt: %s`', (frozenAt) => {
  const mock = createInnerMock({ frozenAt });
  mock.clock.advance(3_600_000);
  if (frozenAt === undefined) mock.clock.freeze();
  else mock.clock.resume();
  mock.reset();
  expect(mock.clock.isFrozen()).toBe(frozenAt !== undefined);
  expect(Math.abs(mock.clock.now() - (frozenAt ?? Date.now()))).toBeLessThan(60_000);
});

test.each([
  ['sends delayed responses', ['delay;ms=3600000'], 200],
  ['sends the rest of a dripping response', ['drip;ms=3600000'], 200],
  ['ends hanging connections', ['hang'], 'UND_ERR_SOCKET'],
  ['ends a connection that would hang after a delay', ['delay;ms=3600000', 'hang'], 'UND_ERR_SOCKET'],
])('reset %s immediately', async (_, faults, seen) => {
  const mock = await started();
  for (const fault of faults) mock.faults.add(fault);
  const late = ask(mock, '/me').then(
    ({ status, body }) => body && status,
    (error) => error.cause.code,
  );
  await mock.journal.waitFor();
  await pause(5);
  mock.reset();
  expect(await late).toBe(seen);
});

test('a delayed 429 that a reset sends requires no wait after the reset [S-84]', async () => {
  const mock = createInnerMock({ limit: 1 });
  send(mock, '/me');
  mock.faults.add('delay;ms=7200000');
  const late = mock.fetch('/api/v1/me', { headers: headersFor(mock) });
  mock.clock.advance(3_600_000);
  mock.reset();
  expect((await late).status).toBe(429);
  expect(send(mock, '/me').status).toBe(200);
  expect(mock.journal.violations()).toEqual([]);
});

test('reset cancels resets of idle connections', async () => {
  const mock = await started({ limit: 'off' });
  const pool = new Pool(new URL(mock.baseUrl).origin, { connections: 1 });
  onTestFinished(() => pool.destroy());
  const get = async (headers = {}) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/api/v1/me', headers });
    await body.dump();
    return statusCode;
  };
  await get({ 'x-mock-fault': 'idleReset' });
  mock.reset();
  expect(await get()).toBe(401);
});

test('removing all faults or resetting the mock keeps the initial latency', () => {
  const mock = createInnerMock({ latency: '20..30' });
  const delay = () => send(mock, '/me').delayMs;
  mock.faults.clear();
  expect(delay()).toBeGreaterThanOrEqual(20);
  mock.reset();
  expect(delay()).toBeGreaterThanOrEqual(20);
});

test('changing the profile keeps the current limit and the initial settings', () => {
  const mock = createInnerMock({ limit: 'off', set: { money: 'number' } });
  mock.setProfile('lenient');
  expect(mock.settings()).toMatchObject({ limit: 'off', money: 'number', params: 'clamp' });
  mock.reset();
  mock.set({ limit: 5 });
  mock.setProfile('adversarial');
  expect(mock.settings()).toMatchObject({ limit: 5, money: 'number', window: 'slidingStrict' });
  mock.setProfile('strict', { limit: 7, money: 'string' });
  expect(mock.settings()).toMatchObject({ limit: 7, money: 'string' });
});

test('profile() names the current profile, and a reset restores the initial one', () => {
  const mock = createInnerMock({ profile: 'lenient' });
  expect(mock.profile()).toBe('lenient');
  mock.setProfile('adversarial');
  expect(() => mock.setProfile('nope' as never)).toThrow('there is no profile "nope"');
  mock.set({ money: 'number' });
  expect(mock.profile()).toBe('adversarial');
  mock.reset();
  expect(mock.profile()).toBe('lenient');
});
