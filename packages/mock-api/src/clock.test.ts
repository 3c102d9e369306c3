import { afterEach, expect, test, vi } from 'vitest';
import { createClock } from './clock.ts';
import { listen } from './server.ts';
import { ask } from './test-client.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('S-82 a frozen clock stands until it is advanced, and wakes who is due', async () => {
  const clock = createClock(1000);
  const woken: string[] = [];
  void clock.sleep(10).then(() => woken.push('ten'));
  void clock.sleep(20).then(() => woken.push('twenty'));
  clock.advance(10);
  await Promise.resolve();
  await Promise.resolve();
  expect([clock.now(), clock.isFrozen(), woken]).toEqual([1010, true, ['ten']]);
  clock.advance(10);
  await Promise.resolve();
  await Promise.resolve();
  expect(woken).toEqual(['ten', 'twenty']);
});

test('S-82 a running clock follows the real time, can be advanced, frozen and resumed', () => {
  const clock = createClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  clock.advance(3_600_000);
  expect(Math.abs(clock.now() - Date.now() - 3_600_000)).toBeLessThan(1000);
  clock.freeze(5000);
  expect(clock.now()).toBe(5000);
  clock.resume();
  expect(clock.isFrozen()).toBe(false);
  expect(clock.now() - 5000).toBeLessThan(1000);
  clock.resume();
  expect(() => clock.advance(-1)).toThrow(/from 0 up/);
  expect(() => clock.advance(Number.NaN)).toThrow(/from 0 up/);
});

test('S-82 sleeping ends with the signal', async () => {
  const clock = createClock(0);
  const stop = new AbortController();
  const asleep = clock.sleep(1000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
});

test('S-82 fake timers of a test do not stop the mock beside it', async () => {
  const mock = await listen({ latency: 5 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  expect((await ask(mock, '/me')).status).toBe(200);
  vi.useRealTimers();
  await mock.close();
});
