import { createVirtualClock } from '@order-license/testing/virtual-clock';
import { expect, test } from 'vitest';
import type { Host } from '../base/host.ts';
import { createClient } from '../client/client.ts';
import { createMemoryStore } from './permits.ts';
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
  const service = { baseUrl: `https://reserve-${++made}.example/api/v1`, apiKey: 'key', host };
  const newClient = (store?: RateLimitStore) => createClient({ ...service, store, rateLimit: { reserve: 8 } });
  const memory = createMemoryStore({ requests: 60, holdMs: 61_000 }, clock.now);
  /** A client that shares the limit but not the queue, as in another process. */
  const newProcess = () => newClient({ ...memory, take: async (reserve) => memory.take(reserve) });
  return { clock, sent, newClient: () => newClient(), newProcess };
};

test.each(['one process', 'four processes'])(
  'with four clients in %s, 95 in 100 interactive calls wait at most two seconds during bulk calls',
  async (where) => {
    const { clock, sent, newClient, newProcess } = setUp();
    const clients = Array.from({ length: 4 }, where === 'one process' ? newClient : newProcess);
    const bulk: unknown[] = [];
    for (const client of clients) {
      for (let call = 0; call < 400; call++) {
        client.getMe({ priority: 'bulk' }).then(
          (me) => bulk.push(me),
          () => undefined,
        );
      }
    }
    const waits: number[] = [];
    const calls: unknown[] = [];
    for (let call = 0; call < 160; call++) {
      const askedAt = clock.now();
      calls.push(clients[call % 4]?.getMe().then(() => waits.push(clock.now() - askedAt)));
      await clock.advance(7_500);
    }
    await clock.run(Promise.all(calls));
    expect(waits).toHaveLength(160);
    expect(waits.toSorted((a, b) => a - b)[Math.floor(0.95 * 160)]).toBeLessThan(2_000);
    expect(bulk.length).toBeGreaterThanOrEqual(20 * 42);
    expect(bulk.length).toBeLessThan(4 * 400); // bulk calls waited until the end
    for (const at of sent) expect(sent.filter((other) => at <= other && other < at + 60_000).length).toBeLessThan(61);
    await clock.run(Promise.all(clients.map((client) => client.close())));
  },
);

test('bulk calls continue, more slowly, while another process uses the whole limit for interactive calls', async () => {
  const { clock, newProcess } = setUp();
  const [busy, other] = [newProcess(), newProcess()];
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
});
