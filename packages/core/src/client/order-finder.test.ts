import { expect, test } from 'vitest';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

/** A client of an API with 1,200 orders (24 pages), in which each request takes 2 s. */
const setUp = () => {
  const { clock, mock, host, newClient } = setUpVirtual({}, { orders: 1_200 }, { tripMs: () => 1_000 });
  const client = newClient();
  const finder = client.orderFinder();
  /** Starts a search that waits while another search with the same finder has a request in flight. */
  const findSecond = (options: { deadlineMs?: number; signal?: AbortSignal } = {}) => {
    errorOf(finder.find('first'));
    return errorOf(finder.find('second', options));
  };
  return { clock, mock, host, client, newClient, finder, findSecond };
};

test('a `find` call that waits for another one ends at its own deadline', async () => {
  const { clock, findSecond } = setUp();
  const second = findSecond({ deadlineMs: 500 });
  expect(await clock.run(second)).toMatchObject({ code: 'timeout' });
  expect(clock.now()).toBeLessThanOrEqual(501);
});

test('a `find` call waits for another one even if its deadline is longer than any timer', async () => {
  const { clock, mock, host, newClient } = setUp();
  // Fires after 1 ms if the delay is too long, as a Node timer does.
  const sleep: typeof clock.sleep = (ms, signal) => clock.sleep(ms < 2 ** 31 ? ms : 1, signal);
  const finder = newClient({ host: { ...host(mock.keys.business), sleep } }).orderFinder();
  const find = () => errorOf(finder.find('missing', { deadlineMs: Number.MAX_SAFE_INTEGER }));
  const finds = Promise.all([find(), find()]);
  await clock.advance(1_500);
  expect(mock.journal.total()).toBe(1);
  await clock.run(finds);
});

test('a `find` call that waits for another one ends at once when aborted', async () => {
  const { clock, findSecond } = setUp();
  const abort = new AbortController();
  const second = findSecond({ signal: abort.signal });
  await clock.advance(500);
  abort.abort();
  expect(await second).toMatchObject({ code: 'aborted' });
});

test('a `find` call that waits for another one ends when the client closes', async () => {
  const { clock, client, findSecond } = setUp();
  const second = findSecond();
  await clock.advance(500);
  const closed = client.close();
  expect(await second).toMatchObject({ code: 'aborted', reason: 'closed' });
  await clock.run(closed);
});

test('rejects an invalid deadline before anything is sent', async () => {
  const { mock, finder } = setUp();
  await expect(finder.find('B-1', { deadlineMs: 0 })).rejects.toMatchObject({ code: 'configuration' });
  expect(mock.journal.total()).toBe(0);
});
