import { expect, onTestFinished, test, vi } from 'vitest';
import { ask, started } from '../test-client.fixture.ts';
import { createClock } from './clock.ts';

/** Lets a woken sleeper run. */
const turn = async () => {
  for (let n = 0; n < 2; n++) await Promise.resolve();
};

test('a frozen clock moves only when advanced, and wakes due sleepers [S-82]', async () => {
  const clock = createClock(1000);
  const woken: string[] = [];
  void clock.sleep(10).then(() => woken.push('ten'));
  void clock.sleep(20).then(() => woken.push('twenty'));
  clock.advance(10);
  await turn();
  expect([clock.now(), clock.isFrozen(), woken]).toEqual([1010, true, ['ten']]);
  clock.advance(10);
  await turn();
  expect(woken).toEqual(['ten', 'twenty']);
});

test('a running clock follows real time and can be advanced, frozen and resumed [S-82]', () => {
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
});

test('aborting the signal ends a sleep [S-82]', async () => {
  const clock = createClock(0);
  const stop = new AbortController();
  const asleep = clock.sleep(1000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
});

test("a test's fake timers don't stop the mock [S-82]", async () => {
  const mock = await started({ latency: 5 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect((await ask(mock, '/me')).status).toBe(200);
});

const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
test.each<unknown>(['60000', Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300, null, last + 1, new Date(5), 5n])(
  'rejects the time %s, which is outside the date range, without changing the clock [S-82]',
  (given) => {
    const clock = createClock(1000);
    const value = given as number;
    expect(() => createClock(value)).toThrow(/^frozenAt must be a time in ms since 1970/);
    expect(() => clock.freeze(value)).toThrow(/^freeze must be a time in ms since 1970/);
    expect(() => clock.advance(value)).toThrow(/^advance (must be a number|would move the clock)/);
    expect(clock.now()).toBe(1000);
  },
);

test('a clock ends with the year 9999 [S-82]', () => {
  const clock = createClock(1000);
  clock.advance(last - 1000);
  expect(clock.now()).toBe(last);
  const running = createClock();
  expect(() => running.advance(last)).toThrow('advance would move the clock past the year 9999');
  expect(Math.abs(running.now() - Date.now())).toBeLessThan(1000);
});

test('a clock can be frozen at a UTC time given as text', () => {
  const at = Date.UTC(2026, 2, 31, 14, 5);
  const clock = createClock('2026-03-31 14:05:00');
  expect([clock.now(), clock.isFrozen()]).toEqual([at, true]);
  clock.freeze('2026-03-31T14:06:00Z');
  expect(clock.now()).toBe(at + 60_000);
  clock.reset();
  expect(clock.now()).toBe(at);
  expect(() => clock.freeze('2026-02-30 00:00:00')).toThrow(
    /or a UTC time such as 2026-03-31 14:05:00, not "2026-02-30/,
  );
});

test('advances by fractions of a millisecond add up, and now() returns whole milliseconds [S-82]', async () => {
  const clock = createClock(0);
  let awake = false;
  void clock.sleep(0.9).then(() => {
    awake = true;
  });
  for (const [now, due] of [
    [0, false],
    [1, true],
  ] as const) {
    clock.advance(0.5);
    await turn();
    expect([clock.now(), awake]).toEqual([now, due]);
  }
});
