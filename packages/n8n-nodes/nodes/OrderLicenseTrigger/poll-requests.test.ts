import { createClient } from '@order-license/core/portable';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { createPollRequests, type Urgency } from './poll-requests';

/** A key with ten permits a minute, two of them in reserve, of which an export takes all that it can get. */
const setUp = async ({ budgetMs = 30_000, isHurried = false } = {}) => {
  const { clock, mock, host } = createInProcessHost({ orders: 60, limit: 'off' });
  const baseUrl = `https://shop-${Math.random()}.example/api/v1`;
  const options = { host: host(mock.keys.business), baseUrl, apiKey: mock.keys.business };
  const client = createClient({ ...options, rateLimit: { requests: 10, reserve: 2 } });
  const exported = Promise.all(Array.from({ length: 40 }, () => client.listOrders({ priority: 'bulk' })));
  await clock.advance(20_000);
  const startedAt = clock.now();
  const requests = createPollRequests({
    client,
    consumer: 'workflow/node',
    endsAt: startedAt + budgetMs,
    now: clock.now,
    answers: { ask: (_, send) => send() },
    isHurried: () => isHurried,
  });
  const ask = async (urgency: Urgency) => {
    const from = clock.now();
    const answer = await clock.run(requests.listOrders({ page: 1, perPage: 1 }, urgency));
    return { isAnswered: answer !== undefined, ms: clock.now() - from };
  };
  return { clock, exported, ask };
};

test('the head of the list is read at once beside an export: it may use the reserve', async () => {
  const { ask } = await setUp();
  expect(await ask('head')).toEqual({ isAnswered: true, ms: expect.any(Number) });
});

test('a routine request that has no turn within the poll is not sent', async () => {
  const { ask } = await setUp();
  expect((await ask('routine')).isAnswered).toBe(false);
});

test('a routine request waits for its turn where the poll has the time', async () => {
  const { ask } = await setUp({ budgetMs: 50_000 });
  const { isAnswered, ms } = await ask('routine');
  expect(isAnswered).toBe(true);
  expect(ms).toBeGreaterThan(30_000);
  expect(ms).toBeLessThan(50_000);
});

test('once there are events, only they are worth a wait', async () => {
  const { ask } = await setUp({ budgetMs: 50_000, isHurried: true });
  expect(await ask('routine')).toEqual({ isAnswered: false, ms: 0 });
  expect((await ask('event')).isAnswered).toBe(true);
});

test('spare requests never wait', async () => {
  const { ask } = await setUp({ budgetMs: 50_000 });
  expect(await ask('spare')).toEqual({ isAnswered: false, ms: 0 });
});

test('nothing is sent in the last moments of a poll', async () => {
  const { ask } = await setUp({ budgetMs: 1_000 });
  expect(await ask('head')).toEqual({ isAnswered: false, ms: 0 });
});
