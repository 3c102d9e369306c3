import { expect, test } from 'vitest';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

/** A client of an API with 1,200 orders (24 pages), in which each request takes 2 s. */
const setUp = () => {
  const { clock, mock, newClient } = setUpVirtual({}, { orders: 1_200 }, { tripMs: () => 1_000 });
  const client = newClient();
  const finder = client.orderFinder();
  const find = (options: { deadlineMs?: number; maxRequests?: number; signal?: AbortSignal } = {}) =>
    errorOf(finder.find('no such number', options));
  return { clock, mock, client, find };
};

test('a `find` call that waits for another one has its whole deadline for its own requests', async () => {
  const { clock, mock, find } = setUp();
  const [first, second] = [find({ maxRequests: 3 }), find({ deadlineMs: 5_000 })];
  expect(await clock.run(first)).toMatchObject({ code: 'not_located', search: { requests: 3 } });
  const startedAt = clock.now();
  expect(await clock.run(second)).toMatchObject({ code: 'timeout' });
  expect(clock.now() - startedAt).toBeCloseTo(5_000, -2);
  expect(mock.journal.total()).toBe(3 + 2);
});

test('an abort of a `find` call that waits for another one takes effect when that one has ended', async () => {
  const { clock, mock, find } = setUp();
  const abort = new AbortController();
  const [first, second] = [find({ maxRequests: 3 }), find({ signal: abort.signal })];
  abort.abort();
  expect(await clock.run(first)).toMatchObject({ code: 'not_located' });
  expect(await second).toMatchObject({ code: 'aborted' });
  expect(mock.journal.total()).toBe(3);
});

test('a `find` call that waits for another one sends nothing once the client is closed', async () => {
  const { clock, mock, client, find } = setUp();
  const [first, second] = [find(), find()];
  await clock.advance(500);
  await clock.run(client.close());
  expect(await first).toMatchObject({ code: 'configuration' });
  expect(await second).toMatchObject({ code: 'configuration' });
  expect(mock.journal.total()).toBe(1);
});

test('rejects an invalid deadline before anything is sent', async () => {
  const { mock, find } = setUp();
  expect(await find({ deadlineMs: 0 })).toMatchObject({ code: 'configuration' });
  expect(mock.journal.total()).toBe(0);
});
