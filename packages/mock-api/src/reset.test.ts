import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createInnerMock, innerOf } from './mock.ts';
import { listen } from './server/listen.ts';
import type { ListenOptions } from './server/listen-options.ts';
import { ask, send } from './test-client.fixture.ts';

const start = async (options: ListenOptions = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(mock.controlUrl + path, { method, ...(body && { body: JSON.stringify(body) }) });
    return response.json() as Promise<Record<string, never>>;
  };
  return { mock, control };
};

test('reset returns the clock to real time', async () => {
  const { mock, control } = await start();
  mock.clock.advance(3_600_000);
  mock.clock.freeze();
  await control('POST', '/reset');
  expect(mock.clock.isFrozen()).toBe(false);
  expect(Math.abs(mock.clock.now() - Date.now())).toBeLessThan(60_000);
  mock.faults.add('delay;ms=5');
  expect((await ask(mock, '/me')).status).toBe(200);
});

test('reset restores the time of an initially frozen clock', () => {
  const mock = createInnerMock({ frozenAt: 1_000 });
  mock.clock.advance(500);
  mock.clock.resume();
  mock.reset();
  expect([mock.clock.now(), mock.clock.isFrozen()]).toEqual([1_000, true]);
});

test('reset sends delayed responses immediately', async () => {
  const { mock } = await start();
  mock.clock.freeze();
  mock.faults.add('delay;ms=3600000');
  const late = ask(mock, '/me');
  await new Promise((resolve) => mock.journal.subscribe(resolve));
  await pause(5);
  mock.reset();
  expect((await late).status).toBe(200);
});

test('a delayed 429 that a reset sends requires no wait after the reset [S-84]', async () => {
  const mock = createInnerMock({ limit: 1 });
  const headers = { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' };
  send(mock, '/me');
  mock.faults.add('delay;ms=7200000');
  const late = mock.fetch('/api/v1/me', { headers });
  mock.clock.advance(3_600_000);
  mock.reset();
  expect((await late).status).toBe(429);
  expect(send(mock, '/me').status).toBe(200);
  expect(mock.journal.violations()).toEqual([]);
});

test.each([
  ['hanging connections', ['hang']],
  ['a connection that would hang after a delay', ['delay;ms=3600000', 'hang']],
])('reset ends %s', async (_, faults) => {
  const { mock } = await start();
  for (const fault of faults) mock.faults.add(fault);
  const hanging = ask(mock, '/me').catch((error: Error) => error.cause);
  await mock.journal.waitFor();
  await pause(5);
  mock.reset();
  expect(await hanging).toMatchObject({ code: 'UND_ERR_SOCKET' });
});

test('reset sends the rest of a dripping response immediately', async () => {
  const { mock } = await start();
  mock.faults.add('drip;ms=3600000');
  const dripping = ask(mock, '/me');
  await mock.journal.waitFor();
  await pause(5);
  mock.reset();
  expect((await dripping).body.data.user_id).toBe(4711);
});

test('reset cancels resets of idle connections', async () => {
  const { mock } = await start({ limit: 'off' });
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

test('removing all faults keeps the initial latency', async () => {
  const { mock, control } = await start({ latency: '20..30', limit: 'off' });
  const delay = () => send(innerOf(mock), '/me').delayMs;
  expect(await control('GET', '/faults')).toMatchObject({ faults: [] });
  await control('DELETE', '/faults');
  expect(delay()).toBeGreaterThanOrEqual(20);
  mock.reset();
  expect(delay()).toBeGreaterThanOrEqual(20);
});

test('changing the profile keeps the current limit and the initial settings', async () => {
  const { mock, control } = await start({ limit: 'off', set: { money: 'number' } });
  expect(await control('PATCH', '/settings', { profile: 'lenient' })).toMatchObject({
    limit: 'off',
    money: 'number',
    params: 'clamp',
  });
  mock.reset();
  mock.set({ limit: 5 });
  mock.setProfile('adversarial');
  expect(mock.settings()).toMatchObject({ limit: 5, money: 'number', window: 'slidingStrict' });
  mock.setProfile('strict', { limit: 7, money: 'string' });
  expect(mock.settings()).toMatchObject({ limit: 7, money: 'string' });
});

test('settings report the current profile', async () => {
  const { mock, control } = await start({ profile: 'lenient' });
  const named = async () => (await control('GET', '/settings')).profile;
  expect(await named()).toBe('lenient');
  await control('PATCH', '/settings', { profile: 'adversarial' });
  expect(await named()).toBe('adversarial');
  await control('PATCH', '/settings', { profile: 'nope' });
  await control('PATCH', '/settings', { set: { money: 'number' } });
  expect(await named()).toBe('adversarial');
  mock.reset();
  expect(await named()).toBe('lenient');
});
