import { expect, test } from 'vitest';
import { isOrderLicenseError } from '../base/errors.ts';
import type { Client } from './client.ts';
import { setUpVirtual } from './virtual-client.fixture.ts';

/** A client of an API with 1,200 orders (24 pages), in which each request takes 2 s. */
const slowService = (options = {}) => {
  const { clock, mock, newClient } = setUpVirtual(options, { orders: 1_200 }, { tripMs: () => 1_000 });
  return { clock, mock, client: newClient() };
};

test.each<[string, (client: Client, deadlineMs?: number) => Promise<unknown>]>([
  ['a walk', (client, deadlineMs) => Array.fromAsync(client.orders({ deadlineMs }))],
  ['findOrder', (client, deadlineMs) => client.findOrder('no such number', { deadlineMs })],
])('the deadline of %s covers all of its requests', async (_, read) => {
  const ended = {
    code: 'timeout',
    detail: 'The `deadlineMs` of 7000 ms is over',
    operation: 'listOrders',
    attempts: 1,
  };
  const perCall = slowService();
  await expect(perCall.clock.run(read(perCall.client, 7_000))).rejects.toMatchObject(ended);
  expect(perCall.clock.now()).toBeLessThanOrEqual(7_001);

  const perClient = slowService({ deadlineMs: 7_000 });
  await expect(perClient.clock.run(read(perClient.client))).rejects.toMatchObject(ended);
  expect(perClient.clock.now()).toBeLessThanOrEqual(7_001);
});

test('the caller’s time between two steps counts toward the deadline of a walk', async () => {
  const { clock, mock, client } = slowService();
  const walk = client.orderPages({ deadlineMs: 7_000 });
  await clock.run(walk.next());
  await clock.run(clock.sleep(6_000));
  const sent = mock.journal.total();
  const detail = 'The `deadlineMs` of 7000 ms is over';
  await expect(clock.run(walk.next())).rejects.toMatchObject({ code: 'timeout', detail, attempts: 0 });
  expect(mock.journal.total()).toBe(sent);
});

test('a walk resumed after its deadline has the full deadline again', async () => {
  const { clock, client } = slowService();
  const walk = client.orders({ deadlineMs: 7_000 });
  const ids = new Set<number>();
  const goOn = async () => {
    for await (const { id } of walk) ids.add(id);
  };
  let failures = 0;
  for (let done = false; !done; ) {
    try {
      await clock.run(goOn());
      done = true;
    } catch (error) {
      if (!isOrderLicenseError(error) || error.code !== 'timeout') throw error;
      failures += 1;
    }
  }
  expect(ids.size).toBe(1_200);
  expect(failures).toBeGreaterThan(3);
});

test.each([0, Number.NaN, '50' as never])(
  'rejects a walk with the deadline %j before anything is sent',
  (deadlineMs) => {
    const { client, mock } = slowService();
    expect(() => client.orderPages({ deadlineMs })).toThrow(expect.objectContaining({ code: 'configuration' }));
    expect(mock.journal.total()).toBe(0);
  },
);
