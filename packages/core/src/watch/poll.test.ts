import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test, vi } from 'vitest';
import type { ChangesState } from '../base/changes-state.ts';
import { timeoutError } from '../base/host-errors.ts';
import { createClient } from '../client/client.ts';
import { setUpVirtual } from '../client/virtual-client.fixture.ts';
import { type ChangeEvent, selectionOf } from './events.ts';
import { createPoll, isUnsent, type Urgency } from './poll.ts';
import { newState } from './state.ts';

/** A key with ten permits per minute, two of them reserved, and an export that uses the rest. */
const setUp = async (budgetMs: number) => {
  const rateLimit = { requests: 10, reserve: 2 };
  const { clock, newClient } = setUpVirtual({ rateLimit }, { orders: 60, limit: 'off' });
  const client = newClient();
  const exported = Promise.all(Array.from({ length: 40 }, () => client.listOrders({ priority: 'bulk' })));
  await clock.advance(20_000);
  const poll = createPoll({
    client: { ...client, now: clock.now, sleep: clock.sleep },
    options: { consumer: 'program' },
    deadlineMs: budgetMs,
    state: newState(),
    selection: selectionOf({ events: ['newOrder'] }),
    warn: () => undefined,
  });
  const ask = async (urgency: Urgency) => {
    const from = clock.now();
    const list = await clock.run(poll.listOrders({ page: 1, perPage: 1 }, urgency).catch((error: unknown) => error));
    return { isRead: !isUnsent(list), ms: clock.now() - from };
  };
  return { exported, poll, ask };
};

test('during an export, needed requests use the reserve, and others wait for three seconds at most', async () => {
  const { ask } = await setUp(50_000);
  expect(await ask('needed')).toMatchObject({ isRead: true });
  for (let look = 0; look < 2; look++) {
    const { isRead, ms } = await ask('soon');
    expect(isRead).toBe(false);
    expect(ms).toBeLessThanOrEqual(3_000);
  }
  const { isRead, ms } = await ask('needed');
  expect(isRead).toBe(true);
  expect(ms).toBeLessThanOrEqual(1_000);
});

test('during an export, a needed request waits for a permit until the poll ends', async () => {
  const { ask } = await setUp(50_000);
  for (let request = 0; request < 2; request++) await ask('needed');
  const { isRead, ms } = await ask('needed');
  expect(isRead).toBe(true);
  expect(ms).toBeGreaterThanOrEqual(30_000);
  expect(ms).toBeLessThanOrEqual(50_000);
});

test('once a poll has events, a needed request waits for three seconds at most', async () => {
  const { poll, ask } = await setUp(50_000);
  poll.events.push({} as ChangeEvent);
  for (let request = 0; request < 2; request++) await ask('needed');
  const { isRead, ms } = await ask('needed');
  expect(isRead).toBe(false);
  expect(ms).toBeLessThanOrEqual(3_000);
});

test('during an export, a routine request does not wait for a permit', async () => {
  const { ask } = await setUp(50_000);
  expect(await ask('routine')).toEqual({ isRead: false, ms: 0 });
});

test('nothing is sent just before a poll ends', async () => {
  const { ask } = await setUp(1_000);
  expect(await ask('needed')).toEqual({ isRead: false, ms: 0 });
});

test('a poll that cannot connect to the API in time says so, and does not count as cut short', async () => {
  const { clock, mock, host } = createInProcessHost({ orders: 1, limit: 'off' });
  const reachable = host(mock.keys.business);
  let { send } = reachable;
  const baseUrl = `https://shop-${Math.random()}.example/api/v1`;
  const client = createClient({
    host: { ...reachable, send: (request) => send(request) },
    baseUrl,
    apiKey: mock.keys.business,
  });
  const { state } = await clock.run(client.changes({ events: ['newOrder'] }));
  send = async ({ timeoutMs }) => {
    throw timeoutError(timeoutMs, { sent: false });
  };
  const { complete, warnings } = await clock.run(client.changes({ events: ['newOrder'], state }));
  expect(warnings.join()).toContain('No complete response arrived within 10000 ms');
  expect(complete).toBe(true);
});

test('looks at pending orders every minute, even while an export uses the permits', async () => {
  const rateLimit = { requests: 60, reserve: 8 };
  const { clock, mock, newClient } = setUpVirtual({ rateLimit }, { orders: 300, limit: 'off' });
  let looks = 0;
  mock.journal.subscribe(({ query }) => {
    if (query?.includes('status=ausstehend')) looks += 1;
  });
  const client = newClient();
  let { state } = await clock.run(client.changes({ events: ['paid'] }));
  const stop = new AbortController();
  const read = async (): Promise<void> => {
    while (!stop.signal.aborted) await client.getOrder(1, { priority: 'bulk' }).catch(() => undefined);
  };
  const exported = [read(), read(), read()];
  await clock.advance(3 * 60_000);
  looks = 0;
  for (let minute = 0; minute < 6; minute++) {
    ({ state } = await clock.run(client.changes({ events: ['paid'], state })));
    await clock.advance(60_000);
  }
  stop.abort();
  await clock.run(Promise.all(exported));
  expect(looks).toBeGreaterThanOrEqual(6);
});

test('if a hundred old orders are cancelled at once, reports them all within a few polls', async () => {
  const { clock, mock, requests, newClient } = setUpVirtual({}, { orders: 0, limit: 'off' });
  using _ = vi.spyOn(Date, 'now').mockImplementation(() => mock.clock.now());
  // IDs have gaps, which are smaller among new orders, so that no page can be computed from an ID.
  const old = Array.from({ length: 1_500 }, (_, index) => {
    const id = 20_000 + (index < 1_000 ? 30 * index : 29_000 + index);
    const created_at = new Date(mock.clock.now() - (2_000 - index) * 600_000).toISOString();
    const status = index < 1_000 && index % 10 === 0 ? 'ausstehend' : 'storniert';
    mock.state.insertOrder('business', { id, created_at, status, items: [] });
    return status === 'ausstehend' ? id : 0;
  }).filter((id) => id > 0);
  const client = newClient();
  const events: ChangeEvent[] = [];
  let state: ChangesState | undefined;
  const poll = async (): Promise<number> => {
    const before = requests.length;
    const found = await clock.run(client.changes({ events: ['statusChanged'], state }));
    state = found.state;
    events.push(...found.events);
    await clock.advance(60_000);
    return requests.length - before;
  };
  for (let minute = 0; minute < 4; minute++) await poll();
  for (const id of old) mock.state.setStatus(id, 'storniert');
  const sent: number[] = [];
  for (let minute = 0; minute < 15; minute++) sent.push(await poll());
  expect(events.map(({ order }) => order.id).sort()).toEqual(old.sort());
  // A poll searches the list for two of them, and finds others on the pages that it reads.
  expect(events.filter(({ order }) => order.created_at !== null).length).toBeGreaterThan(50);
  // The limit of the key. Each poll does as much as its permits allow.
  expect(Math.max(...sent)).toBeLessThanOrEqual(60);
});
