import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { timeoutError } from '../base/host-errors.ts';
import { createClient } from './client.ts';

let made = 0;
/** A client of an API with 1,200 orders (24 pages), in which each request takes 2 s. */
const setUp = () => {
  const { clock, mock, host } = createInProcessHost({ orders: 1_200 }, { tripMs: () => 1_000, timeoutError });
  const apiKey = mock.keys.business;
  const baseUrl = `https://finder-${++made}.example/api/v1`;
  const client = createClient({ baseUrl, apiKey, host: host(apiKey) });
  const finder = client.orderFinder();
  /** Starts a search that waits while another search with the same finder has a request in flight. */
  const findSecond = (options: { deadlineMs?: number; signal?: AbortSignal } = {}) => {
    const first = finder.find('first').catch((error: unknown) => error);
    const second = finder.find('second', options).catch((error: unknown) => error);
    return { first, second };
  };
  return { clock, client, finder, findSecond };
};

test('a `find` call that waits for another one ends at its own deadline', async () => {
  const { clock, findSecond } = setUp();
  const { second } = findSecond({ deadlineMs: 500 });
  expect(await clock.run(second)).toMatchObject({ code: 'timeout' });
  expect(clock.now()).toBeLessThanOrEqual(501);
});

test('a `find` call waits for another one even if its deadline is longer than any timer', async () => {
  const { clock, mock, host } = createInProcessHost({ orders: 1_200 }, { tripMs: () => 1_000 });
  // Fires after 1 ms if the delay is too long, as a Node timer does.
  const sleep: typeof clock.sleep = (ms, signal) => clock.sleep(ms < 2 ** 31 ? ms : 1, signal);
  const apiKey = mock.keys.business;
  const baseUrl = `https://finder-${++made}.example/api/v1`;
  const finder = createClient({ baseUrl, apiKey, host: { ...host(apiKey), sleep } }).orderFinder();
  const find = () => finder.find('missing', { deadlineMs: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => error);
  const finds = Promise.all([find(), find()]);
  await clock.advance(1_500);
  expect(mock.journal.total()).toBe(1);
  await clock.run(finds);
});

test('a `find` call that waits for another one ends at once when aborted', async () => {
  const { clock, findSecond } = setUp();
  const abort = new AbortController();
  const { second } = findSecond({ signal: abort.signal });
  await clock.advance(500);
  abort.abort();
  expect(await second).toMatchObject({ code: 'aborted' });
});

test('a `find` call that waits for another one ends when the client closes', async () => {
  const { clock, client, findSecond } = setUp();
  const { second } = findSecond();
  await clock.advance(500);
  const closed = client.close();
  expect(await second).toMatchObject({ code: 'aborted', reason: 'closed' });
  await clock.run(closed);
});

test('rejects invalid options before anything is sent', async () => {
  const { clock, finder } = setUp();
  await expect(finder.find('B-1', { deadlineMs: 0 })).rejects.toMatchObject({ code: 'configuration' });
  await expect(finder.find('B-1', { maxRequests: 0 })).rejects.toMatchObject({ code: 'bad_request' });
  expect(clock.now()).toBe(0);
});
