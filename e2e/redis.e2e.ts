import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ClientEvent } from '../packages/core/src/base/events.ts';
import { client } from '../packages/core/src/pace/redis-client.fixture.ts';
import { createRedisStore, type RedisStoreOptions } from '../packages/core/src/pace/redis-store.ts';
import { maxAtOnce, startWorkers } from '../packages/core/src/pace/store-workers.fixture.ts';
import { findServers, type RedisServer, send as sendTo, startRedis } from './redis/redis-server.ts';

const apiKey = 'canary-key-0c7f1d';
const service = { baseUrl: 'https://shop.example/api/v1', apiKey };

/** The events that a client emits if it loses its store and finds it available again at once. */
const reopened = (requests: number): ClientEvent[] => [
  { type: 'store_unavailable', store: 'redis', problem: 'the store lost its content', requests },
  { type: 'store_available', store: 'redis' },
];

describe.each([...findServers()])('%s', (_name, program) => {
  let server: RedisServer;
  const send = (...words: string[]) => sendTo(server.url, ...words);

  beforeAll(async () => {
    server = await startRedis(program);
  });
  beforeEach(() => send('FLUSHALL'));
  afterAll(() => server.kill());

  const start = (options: Partial<RedisStoreOptions> = {}) => {
    const events: ClientEvent[] = [];
    const store = createRedisStore({
      ...service,
      onEvent: (event) => events.push(event),
      ...({ redis: server.url, client, ...options } as RedisStoreOptions),
    });
    onTestFinished(() => store.close());
    const take = async () => {
      const answer = await store.take();
      if ('retryAt' in answer) throw new Error(`no permit for ${answer.retryAt - performance.now()} ms`);
      return answer.permit;
    };
    return { events, store, take };
  };

  test('if one of four processes that share a key is killed, no window has more requests than the limit [U-37]', async () => {
    const order = { ...service, redis: server.url, requests: 12, windowMs: 600, guardMs: 20, tripMs: 20 };
    const workers = await startWorkers([18, 18, 18, 1_000].map((count) => ({ ...order, count })));
    const victim = workers.at(-1);
    await victim?.granted(5);
    victim?.process.kill('SIGKILL');
    const finished = await Promise.all(workers.map(({ ended }) => ended));
    expect(finished).toEqual([true, true, true, false]);
    expect(workers.flatMap(({ events }) => events)).toEqual([]);
    expect(maxAtOnce(workers, 620)).toBe(12);
  });

  /** Starts four processes, and waits until they have reached the limit and each has been rejected. */
  const startFour = async (count: number, windowMs: number) => {
    const order = { ...service, redis: server.url, requests: 12, windowMs, guardMs: 20, tripMs: 20, count };
    const workers = await startWorkers([order, order, order, order]);
    await Promise.all(workers.map(({ rejected }) => rejected));
    return workers;
  };

  test('if Redis crashes, four processes continue slowly until Redis is back, and together never exceed the limit [U-37]', async () => {
    const workers = await startFour(30, 1_000);
    await server.kill();
    while (workers.some(({ events }) => events.length === 0)) await setTimeout(50);
    await server.start();
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([true, true, true, true]);
    for (const { events } of workers) {
      expect(events).toEqual([
        { type: 'store_unavailable', store: 'redis', problem: expect.stringMatching(/^Redis: E/), requests: 3 },
        { type: 'store_available', store: 'redis' },
      ]);
    }
    expect(maxAtOnce(workers, 1_020)).toBeLessThanOrEqual(12);
    expect(workers.map(({ output }) => output()).join('')).toBe('');
  });

  test('if Redis crashes and restarts at once without data, the limit is not exceeded [U-37]', async () => {
    const workers = await startFour(13, 2_000);
    await server.kill();
    await server.start();
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([true, true, true, true]);
    for (const { events } of workers) expect(events).toEqual(reopened(3));
    expect(maxAtOnce(workers, 2_020)).toBeLessThanOrEqual(12);
  });

  test('if Redis loses its content while processes are connected, the limit is not exceeded [U-37]', async () => {
    const workers = await startFour(13, 2_000);
    await send('FLUSHALL');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([true, true, true, true]);
    // On a busy machine, a process can make its next request so late that everything it knew about the store has
    // expired. The process then does not notice the loss.
    const noticed = workers.filter(({ events }) => events.length > 0);
    expect(noticed.length).toBeGreaterThan(0);
    for (const { events } of noticed) expect(events).toEqual(reopened(3));
    expect(maxAtOnce(workers, 2_020)).toBeLessThanOrEqual(12);
  });

  test('if the Redis key expires after all permits have returned, the store does not report it as lost', async () => {
    const [one, other] = [start({ windowMs: 200, guardMs: 0 }), start({ windowMs: 200, guardMs: 0 })];
    for (let round = 0; round < 3; round++) {
      const permits = [await one.take(), await one.take()];
      await other.store.settle(await other.take());
      for (const permit of permits) await one.store.settle(permit, round === 1);
      await setTimeout(210);
      expect(await send('KEYS', '*')).toEqual([]);
    }
    expect([...one.events, ...other.events]).toEqual([]);
  });

  test('uses one Redis key, which expires by itself; neither its name nor its value contains the API key', async () => {
    const { take, store } = start({ requests: 3, windowMs: 300, guardMs: 0 });
    for (const permit of [await take(), await take(), await take()]) await store.settle(permit);
    await store.pause(performance.now() + 200);
    const [cursor, keys] = (await send('SCAN', '0', 'COUNT', '1000')) as [string, string[]];
    expect([cursor, keys]).toEqual(['0', [expect.stringMatching(/^order-license:\{[0-9a-f]{64}\}$/)]]);
    const contents = await Promise.all(keys.map((key) => send('DUMP', key)));
    expect(String(contents)).toContain('pause');
    expect(String([keys, contents])).not.toContain(apiKey);
    await setTimeout(400);
    expect(await send('EXISTS', ...keys)).toBe(0);
  });

  test('replaces a connection that fails silently, even while another store uses it', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    const proxy = createServer((socket) => {
      const onward = connect(Number(port), hostname);
      socket
        .on('error', () => onward.destroy())
        .pipe(onward)
        .on('error', () => socket.destroy())
        .pipe(socket);
      sockets.push(socket, onward);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    });
    const redis = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const [one, other] = [start({ redis }), start({ redis, apiKey: 'another-key' })];
    await one.take();
    await other.take();
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.unpipe().pause();
    await one.take();
    await other.take();
    expect(sockets).toHaveLength(4);
    expect([one.events, other.events]).toEqual([[], []]);
  });

  test('accepts the caller’s own Redis client instead of an address', async () => {
    const [one, other] = [start({ requests: 1, redis: send }), start({ requests: 1 })];
    await one.take();
    expect(await other.store.take()).toHaveProperty('retryAt');
    expect(one.events).toEqual([]);
  });
});
