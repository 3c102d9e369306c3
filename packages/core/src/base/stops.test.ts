import { expect, test } from 'vitest';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';
import { createMemoryStore } from '../pace/permits.ts';

test('a client that was disposed of or closed rejects calls, and closing it again has no effect', async () => {
  const { mock, client } = setUpVirtual();
  await client[Symbol.asyncDispose]();
  await client.close();
  await expect(client.getMe()).rejects.toMatchObject({ code: 'configuration' });
  await expect(client.orders()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'configuration' });
  expect(mock.journal.total()).toBe(0);
});

test('`close` lets requests in flight finish and ends waiting calls as `aborted` at once', async () => {
  const { clock, mock, newClient } = setUpVirtual();
  const client = newClient({ concurrency: 1 });
  const underWay = client.getMe();
  const waiting = [client.getMe(), client.getMe({ signal: new AbortController().signal })].map(errorOf);
  await clock.advance(10);
  let isClosed = false;
  const closing = client.close().then(() => {
    isClosed = true;
  });
  for (const call of waiting) {
    expect(await call).toMatchObject({ code: 'aborted', attempts: 0, message: expect.stringContaining('closed') });
  }
  expect(isClosed).toBe(false);
  await expect(clock.run(underWay)).resolves.toHaveProperty('user_id');
  await closing;
  expect(mock.journal.total()).toBe(1);
});

test('a closed client does not retry a failed attempt', async () => {
  const { clock, mock, newClient } = setUpVirtual();
  mock.faults.add({ kind: 'status', status: 500, times: 'always' });
  const [waiting, underWay] = [newClient(), newClient()];
  const beforeRetry = errorOf(waiting.getMe());
  await clock.advance(150);
  const first = errorOf(underWay.getMe());
  await clock.advance(50);
  await waiting.close();
  expect(await beforeRetry).toMatchObject({ code: 'aborted', attempts: 1 });
  await clock.run(underWay.close());
  expect(await first).toMatchObject({ code: 'server', attempts: 1 });
});

test('closing a client leaves other clients with the same key and the caller’s own store open', async () => {
  const { clock, newClient } = setUpVirtual();
  const store = createMemoryStore({ requests: 60, holdMs: 61_000 }, clock.now);
  const [one, other, third] = [newClient({ store }), newClient({ store }), newClient()];
  const calls = Promise.all([other.getMe(), third.getMe()]);
  await one.close();
  await clock.run(calls);
  expect(store.free?.()).toBe(59);
});
