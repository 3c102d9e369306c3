import { expect, test } from 'vitest';
import { configurationError } from '../base/errors.ts';
import { createMemoryStore } from '../pace/permits.ts';
import type { PortableClientOptions } from './client-options.ts';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

const setUp = (options: Partial<PortableClientOptions> = {}) =>
  setUpVirtual(options, { orders: 500, journalSize: 10_000 });

test('if the store fails, the error of each walk says how far that walk got', async () => {
  const { clock, newClient } = setUp({ retries: 0 });
  const memory = createMemoryStore({ requests: 2, holdMs: 61_000 }, clock.now);
  let isClosed = false;
  const take = async () => (isClosed ? Promise.reject(configurationError('closed')) : memory.take());
  const client = newClient({ store: { ...memory, take } });
  const walks = [client.orders({ status: 'bezahlt' }), client.orders({ createdFrom: new Date(0) })];
  const read = walks.map((): string[] => []);
  const walked = walks.map(async (walk, index) => {
    for await (const { created_at } of walk) read[index]?.push(created_at);
  });
  const errors = Promise.all(walked.map(errorOf));
  await clock.advance(30_000);
  isClosed = true;
  const found = await clock.run(errors);
  expect(found).toMatchObject(read.map((dates) => ({ code: 'configuration', oldest: dates.at(-1) })));
});

test('two walks take turns', async () => {
  const { clock, client } = setUp({ rateLimit: { requests: 2 } });
  const ends: string[] = [];
  const walk = async (name: string, limit: number) => {
    await Array.fromAsync(client.orders({ limit }));
    ends.push(name);
  };
  await clock.run(Promise.all([walk('long', 500), walk('short', 150)]));
  expect(ends).toEqual(['short', 'long']);
  expect(clock.now()).toBeGreaterThan(5 * 61_000);
});

test('calls with the same consumer name are queued as one consumer, even across clients', async () => {
  const { clock, mock, newClient } = setUp({ rateLimit: { requests: 1 } });
  const [one, other] = [newClient(), newClient()];
  const consumer = 'export';
  await clock.run(one.getMe());
  const orders = [one.getOrder(1_000, { consumer }), other.getOrder(1_001, { consumer })].map(errorOf);
  await clock.run(Promise.all([...orders, one.listOrders({ perPage: 1 })]));
  expect(mock.journal.entries().map(({ operation }) => operation)).toEqual(['me', 'order', 'list', 'order']);
});

test('reports the priority of waiting calls, and the time until the next permit', async () => {
  const { clock, events, client } = setUp({ rateLimit: { requests: 2, reserve: 1 } });
  await clock.run(client.getMe());
  const calls = [
    Array.fromAsync(client.orders({ limit: 1 })),
    client.getMe({ priority: 'background' }),
    client.getMe(),
    client.getMe(),
  ];
  await clock.run(Promise.all(calls));
  const waits = events.filter((event) => event.type === 'wait');
  expect(waits.map(({ operation, priority }) => `${operation} ${priority}`).toSorted()).toEqual([
    'getMe background',
    'getMe interactive',
    'listOrders bulk',
  ]);
  for (const { waitMs } of waits) expect(waitMs).toBeGreaterThan(50_000);
});

test('`requestsLeft` is the number of free permits of the key, across clients', async () => {
  const { clock, newClient } = setUp();
  const [client, other] = [newClient(), newClient()];
  expect(await client.requestsLeft()).toBe(60);
  await clock.run(client.getMe());
  await clock.run(other.listOrders());
  expect(await client.requestsLeft()).toBe(58);
  await clock.advance(62_000);
  expect(await client.requestsLeft()).toBe(60);
});

test('`requestsLeft` is 0 during a pause', async () => {
  const { clock, mock, client } = setUp({ retries: 0 });
  mock.faults.add({ kind: '429', times: 1 });
  const call = client.getMe().catch(() => undefined);
  await clock.advance(1_000);
  expect(await client.requestsLeft()).toBe(0);
  await clock.run(call);
});
