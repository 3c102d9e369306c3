import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import type { Host } from '../base/host.ts';
import { createClient } from '../client/client.ts';
import { createSharedStore } from './shared-store.ts';
import { openSqliteRecord } from './sqlite-store.ts';
import type { RateLimitStore } from './store.ts';

const body = new TextEncoder().encode('{"status":200,"data":{}}');
let made = 0;

const setUp = () => {
  const clock = createVirtualClock(1);
  const sent: number[] = [];
  const host: Host = {
    now: clock.now,
    sleep: clock.sleep,
    async send() {
      await clock.sleep(100);
      sent.push(clock.now());
      return { status: 200, headers: {}, body };
    },
  };
  const service = { baseUrl: `https://reserve-${++made}.example/api/v1`, apiKey: 'key' };
  const path = join(temporaryFolder(), 'store.sqlite');
  const open = (key: string) => openSqliteRecord(path, key, clock.now);
  const fileStore = () => createSharedStore({ ...service, now: clock.now }, { kind: 'sqlite', open, explain: String });
  const newClient = (store?: RateLimitStore) => createClient({ ...service, host, store, rateLimit: { reserve: 8 } });
  return { clock, sent, fileStore, newClient };
};

test.each(['memory', 'one SQLite file'])(
  'with a store in %s, 95% of interactive calls wait at most two seconds during 5,000 bulk calls by four clients',
  async (kind) => {
    const { clock, sent, fileStore, newClient } = setUp();
    const stores = Array.from({ length: 4 }, () => (kind === 'memory' ? undefined : fileStore()));
    const clients = stores.map(newClient);
    let bulk = 0;
    for (const client of clients) {
      for (let call = 0; call < 1_250; call++) {
        client.getMe({ priority: 'bulk' }).then(
          () => {
            bulk += 1;
          },
          () => undefined,
        );
      }
    }
    const waits: number[] = [];
    const calls: Promise<unknown>[] = [];
    for (let call = 0; call < 160; call++) {
      const askedAt = clock.now();
      calls.push(clients[call % 4]?.getMe().then(() => waits.push(clock.now() - askedAt)) ?? Promise.resolve());
      await clock.advance(7_500);
    }
    await clock.run(Promise.all(calls));
    expect(waits).toHaveLength(160);
    expect(waits.toSorted((a, b) => a - b)[Math.floor(0.95 * 160)]).toBeLessThan(2_000);
    expect(bulk).toBeGreaterThanOrEqual(20 * 42);
    for (const at of sent) expect(sent.filter((other) => at <= other && other < at + 60_000).length).toBeLessThan(61);
    await clock.run(Promise.all([...clients, ...stores].map((one) => one?.close())));
  },
);

test('bulk calls continue, more slowly, while another process uses the whole limit for interactive calls', async () => {
  const { clock, fileStore, newClient } = setUp();
  const stores = [fileStore(), fileStore()] as const;
  const [busy, other] = [newClient(stores[0]), newClient(stores[1])];
  const until = 20 * 60_000;
  const people = Array.from({ length: 6 }, async () => {
    while (clock.now() < until) await busy.getMe();
  });
  const servedAt = [0];
  const bulk = async () => {
    for (; clock.now() < until; servedAt.push(clock.now())) await other.getMe({ priority: 'bulk' });
  };
  await clock.run(Promise.all([...people, bulk()]));
  const gaps = servedAt.slice(1).map((at, index) => at - (servedAt[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(4 * 61_000);
  expect(servedAt.length).toBeGreaterThan(10);
  await clock.run(Promise.all([busy, other, ...stores].map((one) => one.close())));
});
