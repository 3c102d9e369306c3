import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { afterEach, expect, test, vi } from 'vitest';
import * as fetchEntry from './fetch.ts';
import * as nodeEntry from './index.ts';
import { startMock } from './serve.fixture.ts';

afterEach(() => vi.useRealTimers());

test.each([
  ['Node', nodeEntry.createClient],
  ['fetch', fetchEntry.createClient],
] as const)('the %s entry point waits in real time while a test fakes the timers', async (_, createClient) => {
  const { mock, service } = await startMock({ orders: 60 });
  vi.useFakeTimers();
  const client = createClient({ ...service, timeoutMs: 200 });
  expect(await Array.fromAsync(client.orders({ limit: 60 }))).toHaveLength(60);
  mock.faults.add({ kind: 'hang', times: 1 });
  await expect(client.getMe({ retries: 0 })).rejects.toMatchObject({ code: 'timeout' });
});

test('a connection opened before a test fakes the timers does not delay requests', async () => {
  const { mock, service } = await startMock({ orders: 60 });
  const client = nodeEntry.createClient({ ...service, retries: 0 });
  await client.getMe();
  await new Promise((resolve) => setTimeout(resolve, 20)); // until the connection is idle
  vi.useFakeTimers();
  for (let call = 0; call < 3; call++) await client.getMe({ timeoutMs: 500 });
  expect(mock.journal.total()).toBe(4);
});

test('a shared store waits in real time while a test fakes the timers', async () => {
  const { mock, service } = await startMock({ orders: 60 });
  const path = join(temporaryFolder(), 'permits.sqlite');
  await using store = nodeEntry.createSqliteStore({ ...service, path, requests: 1, windowMs: 50, guardMs: 0 });
  vi.useFakeTimers();
  await using client = nodeEntry.createClient({ ...service, store });
  await client.getMe();
  await client.getMe();
  expect(mock.journal.total()).toBe(2);
});

test('the client uses the date that a test has set', async () => {
  const { mock, service } = await startMock({ orders: 60 });
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  const client = nodeEntry.createClient({ ...service, maxWaitMs: 0 });
  mock.faults.add({ kind: 'status', status: 429, retryAfter: 10, times: 1 });
  const error = await client.getMe().catch((error: unknown) => error);
  expect(nodeEntry.isRateLimitError(error) && error.retryAt.getUTCFullYear()).toBe(2030);
});
