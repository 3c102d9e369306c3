import { expect, test } from 'vitest';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';
import { createMemoryStore } from './permits.ts';

const setUp = () => {
  const api = { set: { limit: 'off' }, journalSize: 10_000 } as const;
  const { clock, mock, newClient } = setUpVirtual({ rateLimit: { reserve: 8 } }, api);
  const memory = createMemoryStore({ requests: 60, holdMs: 61_000 }, clock.now);
  /** A client that shares the limit but not the queue, as in another process. */
  const newProcess = () => newClient({ store: { ...memory, take: async (reserve) => memory.take(reserve) } });
  return { clock, mock, newClient: () => newClient(), newProcess };
};

test.each(['one process', 'four processes'])(
  'with four clients in %s, 95 in 100 interactive calls wait at most two seconds during bulk calls',
  async (where) => {
    const { clock, mock, newClient, newProcess } = setUp();
    const clients = Array.from({ length: 4 }, where === 'one process' ? newClient : newProcess);
    let bulk = 0;
    for (const client of Array.from({ length: 400 }, () => clients).flat()) {
      errorOf(client.getMe({ priority: 'bulk' }).then(() => bulk++));
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
    expect(bulk).toBeGreaterThanOrEqual(20 * 42);
    expect(bulk).toBeLessThan(4 * 400); // bulk calls waited until the end
    const sent = mock.journal.entries().map(({ at }) => at);
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
