import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedAnswers } from './shared-answers';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

let keys = 0;
/** Triggers of one key, and a service that counts requests. */
const setUp = (isBusy = true) => {
  const key = `key ${++keys}`;
  let sent = 0;
  const trigger = () => {
    const { ask } = createSharedAnswers(key, { latest: 0 }, () => isBusy);
    return (request: string) =>
      ask(request, async () => {
        vi.advanceTimersByTime(100);
        return ++sent;
      });
  };
  return { trigger, sent: () => sent };
};

test('triggers of a busy key share an answer for half a minute', async () => {
  const { trigger } = setUp();
  const [first, second, third] = [trigger(), trigger(), trigger()];
  expect(await first('head')).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(await second('head')).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(await third('head')).toBe(2);
});

test('a trigger does not reuse an answer older than its own', async () => {
  const { trigger, sent } = setUp();
  const [first, second] = [trigger(), trigger()];
  await first('pending');
  await second('head');
  expect(await second('pending')).toBe(3);
  expect(sent()).toBe(3);
});

test('a trigger can reuse several answers of another one', async () => {
  const { trigger, sent } = setUp();
  const [first, second] = [trigger(), trigger()];
  await first('head');
  await first('pending');
  await second('head');
  await second('pending');
  expect(sent()).toBe(2);
});

test('each trigger sends its own requests while no export needs the key', async () => {
  const { trigger, sent } = setUp(false);
  await trigger()('head');
  await trigger()('head');
  expect(sent()).toBe(2);
});
