import { type Settings, settingDefinitions } from '@order-license/mock-api';
import { expect, test } from 'vitest';
import { errorOf, setUpVirtual } from './client/virtual-client.fixture.ts';
import { createMemoryStore } from './pace/permits.ts';

const models = settingDefinitions.window.values as readonly Settings['window'][];

test.each(models)(
  '600 bulk calls, 8 at once, get no 429 and take at most 3% longer than the theoretical minimum under the window model `%s` [S-76 S-78 S-84 U-37 U-60]',
  async (window) => {
    let turn = 0;
    const uneven = () => 30 + ((turn++ * 37) % 90);
    const api = { window, journalSize: 2_000 };
    const { clock, client, statuses } = setUpVirtual({ concurrency: 8 }, api, { tripMs: uneven });
    await clock.run(Promise.all(Array.from({ length: 600 }, () => client.getMe({ priority: 'bulk' }))));
    expect(statuses()).toHaveLength(600);
    expect(new Set(statuses())).toEqual(new Set([200]));
    expect(clock.now()).toBeLessThan(1.03 * 540_000);
  },
);

test.each(models)(
  'under the window model `%s`, a call succeeds after a 429 caused by another client [S-84 U-37]',
  async (window) => {
    const { clock, mock, events, newClient } = setUpVirtual({}, { window });
    const spend = async () => {
      for (let request = 0; request < 61; request++) {
        await mock.fetch('http://mock/api/v1/me', { headers: { authorization: `Bearer ${mock.keys.business}` } });
      }
    };
    await spend();
    const me = await clock.run(newClient().getMe());
    expect(me).toHaveProperty('user_id');
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
    expect(clock.now()).toBeLessThan(62_000);
    expect(events.map(({ type }) => type)).toEqual(['rate_limited', 'retry', 'wait']);
    const [rejected, granted] = mock.journal.entries().slice(-2);
    expect((granted?.at ?? 0) - (rejected?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(granted?.violations).toEqual([]);
  },
);

test('waits out three 429s, then throws `rate_limited` with `retryAt` [S-84]', async () => {
  const { clock, mock, newClient, statuses } = setUpVirtual();
  mock.faults.add({ kind: 'status', status: 429, times: 'always' });
  const error = await clock.run(errorOf(newClient().getMe()));
  const limited = { code: 'rate_limited', source: 'server', status: 429, attempts: 4, retryAfterMs: 60_000 };
  expect(error).toMatchObject(limited);
  expect(statuses()).toEqual([429, 429, 429, 429]);
  expect(clock.now()).toBeGreaterThanOrEqual(3 * 60_000);
});

test.each(['rateLimit', 'store'] as const)(
  'after a 429, a client adds the guard of `%s` to the pause [S-84]',
  async (of) => {
    const { clock, mock, events, newClient } = setUpVirtual();
    const store = { ...createMemoryStore({ requests: 60, holdMs: 65_000 }, clock.now), guardMs: 5_000 };
    mock.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
    await clock.run(newClient(of === 'store' ? { store } : { rateLimit: { guardMs: 5_000 } }).getMe());
    expect(events).toContainEqual(expect.objectContaining({ type: 'rate_limited', pauseMs: 6_000 }));
  },
);

test('two clients in one process share the 60 requests of their key; clients with different keys do not [S-80]', async () => {
  const { clock, mock, newClient, statuses } = setUpVirtual({ concurrency: 50 }, { journalSize: 500 });
  const [first, second] = [newClient(), newClient()];
  await clock.run(Promise.all(Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).getMe())));
  expect(clock.now()).toBeLessThan(5_000);
  await clock.run(first.getMe());
  expect(clock.now()).toBeGreaterThanOrEqual(60_000);
  expect(new Set(statuses())).toEqual(new Set([200]));
  expect(mock.journal.total()).toBe(61);
});

test('retries API failures with growing delays, at most `retries` times, and reports each retry [S-77 U-58]', async () => {
  const { clock, mock, events, newClient, statuses } = setUpVirtual();
  for (const status of [500, 502, 503, 504]) {
    events.length = 0;
    mock.journal.clear();
    mock.faults.add({ kind: 'status', status, times: 3 });
    const error = await clock.run(errorOf(newClient().getMe()));
    expect(error).toMatchObject({ code: 'server', status, attempts: 3, retryable: true });
    expect(statuses()).toEqual([status, status, status]);
    const delays = events.map((event) => (event.type === 'retry' ? event.delayMs : 0));
    expect(delays.map(Number.isInteger)).toEqual([true, true]);
    expect(delays[0]).toBeGreaterThanOrEqual(500);
    expect(delays[0]).toBeLessThanOrEqual(1_000);
    expect(delays[1]).toBeGreaterThanOrEqual(1_000);
    expect(delays[1]).toBeLessThanOrEqual(2_000);
  }
});
