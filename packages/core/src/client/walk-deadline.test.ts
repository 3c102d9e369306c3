import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

/** A client of an API with 1,200 orders (24 pages), in which each request takes 2 s. */
const slowService = (options = {}) => {
  const { clock, mock, client } = setUpVirtual(options, { orders: 1_200 }, { tripMs: () => 1_000 });
  const finder = client.orderFinder();
  const find = (findOptions: { deadlineMs?: number; maxRequests?: number; signal?: AbortSignal } = {}) =>
    errorOf(finder.find('no such number', findOptions));
  return { clock, mock, client, find };
};

const detail = 'The `deadlineMs` of 7000 ms is over';

test.each<[string, (client: Client, deadlineMs?: number) => Promise<unknown>]>([
  ['a walk', (client, deadlineMs) => Array.fromAsync(client.orders({ deadlineMs }))],
  ['findOrder', (client, deadlineMs) => client.findOrder('no such number', { deadlineMs })],
])('the deadline of %s covers all of its requests', async (_, read) => {
  const ended = { code: 'timeout', detail, operation: 'listOrders', attempts: 1 };
  for (const [ofClient, ofCall] of [[undefined, 7_000], [7_000]]) {
    const { clock, client } = slowService(ofClient === undefined ? {} : { deadlineMs: ofClient });
    await expect(clock.run(read(client, ofCall))).rejects.toMatchObject(ended);
    expect(clock.now()).toBeLessThanOrEqual(7_001);
  }
});

test('the caller’s time between two steps counts toward the deadline of a walk', async () => {
  const { clock, mock, client } = slowService();
  const walk = client.orderPages({ deadlineMs: 7_000 });
  await clock.run(walk.next());
  await clock.run(clock.sleep(6_000));
  const sent = mock.journal.total();
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
  while ((await clock.run(goOn().catch(({ code }) => code))) === 'timeout') failures += 1;
  expect(ids.size).toBe(1_200);
  expect(failures).toBeGreaterThan(3);
});

test.each([0, Number.NaN, '50' as never])(
  'rejects a walk or a search with the deadline %j before anything is sent',
  async (deadlineMs) => {
    const { client, mock, find } = slowService();
    expect(() => client.orderPages({ deadlineMs })).toThrow(expect.objectContaining({ code: 'configuration' }));
    expect(await find({ deadlineMs })).toMatchObject({ code: 'configuration' });
    expect(mock.journal.total()).toBe(0);
  },
);

test('a `find` call that waits for another one has its whole deadline for its own requests', async () => {
  const { clock, mock, find } = slowService();
  const [first, second] = [find({ maxRequests: 3 }), find({ deadlineMs: 5_000 })];
  expect(await clock.run(first)).toMatchObject({ code: 'not_located', search: { requests: 3 } });
  const startedAt = clock.now();
  expect(await clock.run(second)).toMatchObject({ code: 'timeout' });
  expect(clock.now() - startedAt).toBeCloseTo(5_000, -2);
  expect(mock.journal.total()).toBe(3 + 2);
});

test('aborting a `find` call that waits for another one takes effect once that one ends', async () => {
  const { clock, mock, find } = slowService();
  const abort = new AbortController();
  const [first, second] = [find({ maxRequests: 3 }), find({ signal: abort.signal })];
  abort.abort();
  expect(await clock.run(first)).toMatchObject({ code: 'not_located' });
  expect(await second).toMatchObject({ code: 'aborted' });
  expect(mock.journal.total()).toBe(3);
});

test('a `find` call that waits for another one sends nothing once the client is closed', async () => {
  const { clock, mock, client, find } = slowService();
  const [first, second] = [find(), find()];
  await clock.advance(500);
  await clock.run(client.close());
  expect(await first).toMatchObject({ code: 'configuration' });
  expect(await second).toMatchObject({ code: 'configuration' });
  expect(mock.journal.total()).toBe(1);
});
