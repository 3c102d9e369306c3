import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import { createClient } from '../node/node-client.ts';
import { client } from './redis-client.fixture.ts';
import { type RedisModule, type SendCommand, withTimeout } from './redis-connection.ts';
import { startRedis } from './redis-server.fixture.ts';
import { createRedisStore } from './redis-store.ts';
import { service } from './sqlite-store.fixture.ts';

type Redis = { redis: string; client: () => Promise<RedisModule> } | { redis: SendCommand };

const setUp = (redis: Redis) => {
  const events: ClientEvent[] = [];
  const store = createRedisStore({
    ...service,
    ...redis,
    requests: 4,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => store.close());
  return { events, store };
};

/** A server that replies to every command with `reply`. */
const serve = async (reply: string): Promise<Redis> => {
  const { port } = await listenOnLoopback(createServer((socket) => socket.on('data', () => socket.write(reply))));
  return { redis: `redis://user:pass-word@127.0.0.1:${port}`, client };
};

const outOfMemory = () => Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."));
const notInstalled = 'no-such-package';

const lost = (problem: string) => ({ type: 'store_unavailable', store: 'redis', problem, requests: 1 });

test.each<[string, () => Redis | Promise<Redis>, string]>([
  ['no Redis responds', () => ({ redis: 'redis://user:pass-word@127.0.0.1:9/0', client }), 'Redis: ECONNREFUSED'],
  [
    'Redis rejects the password',
    () => serve('-WRONGPASS pass-word\r\n'),
    'Redis: WRONGPASS; the user name or the password is wrong or missing, or Redis expects none',
  ],
  ['Redis takes longer than a second', () => serve(''), 'Redis: ETIMEDOUT'],
  [
    'the caller’s client fails',
    () => ({ redis: () => Promise.reject(new Error('pass-word')) }),
    'Redis cannot be used',
  ],
  [
    'the package is not installed',
    () => ({ redis: 'redis://127.0.0.1:9', client: () => import(notInstalled) }),
    'Redis: the package that `client` imports is not installed',
  ],
])('if %s, counts in memory and reports why, without the address or password', async (_, redis, problem) => {
  const { events, store } = setUp(await redis());
  expect(await store.take()).toHaveProperty('permit');
  expect(await store.take()).toHaveProperty('retryAt');
  expect(events).toEqual([lost(problem)]);
});

/** The client as in version 5, where closing a closed connection throws. */
const olderClient = async (): Promise<RedisModule> => {
  const { createClient } = await client();
  return {
    createClient(options) {
      const made = createClient(options);
      const destroy = made.destroy.bind(made);
      return Object.assign(made, {
        destroy() {
          if (!made.isOpen) throw new Error('The client is closed');
          destroy();
        },
      });
    },
  };
};

test.each([
  ['6', client],
  ['5', olderClient],
])('a connection that Redis closes while it is idle costs nothing, with version %s of its client', async (_, load) => {
  const { port, closeConnections } = await startRedis();
  const { events, store } = setUp({ redis: `redis://127.0.0.1:${port}`, client: load });
  expect(await store.take()).toHaveProperty('permit');
  closeConnections();
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (let taken = 1; taken < 4; taken++) expect(await store.take()).toHaveProperty('permit');
  expect(await store.take()).toMatchObject({ reduced: false });
  expect(events).toEqual([]);
});

test('without a handler, an unusable store causes one process warning', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  let at = 0;
  const store = createRedisStore({ ...service, redis: outOfMemory, now: () => at });
  onTestFinished(() => store.close());
  for (; at < 20_000; at += 10_000) await store.take();
  const text = expect.stringContaining('The shared rate-limit store cannot be used (Redis: OOM).');
  expect(warned.mock.calls).toEqual([[text, { type: 'OrderLicenseWarning' }]]);
});

test('without a handler of its own, a store reports to the latest client that has an `onEvent`', async () => {
  const store = createRedisStore({ ...service, redis: outOfMemory, requests: 4 });
  onTestFinished(() => store.close());
  const events: ClientEvent[] = [];
  const fetch = async () => new Response('{"status":200,"data":{}}');
  createClient({ ...service, fetch, store, onEvent: () => expect.unreachable() });
  createClient({ ...service, fetch, store, onEvent: (event) => events.push(event) });
  await createClient({ ...service, fetch, store }).getMe();
  expect(events).toEqual([lost('Redis: OOM')]);
});

test('a store with a handler of its own reports only to that', async () => {
  const { events, store } = setUp({ redis: outOfMemory });
  const fetch = async () => new Response('{"status":200,"data":{}}');
  const seen: string[] = [];
  await createClient({ ...service, fetch, store, onEvent: ({ type }) => seen.push(type) }).getMe();
  expect(events).toEqual([lost('Redis: OOM')]);
  expect(seen).not.toContain('store_unavailable');
});

test('rejects an invalid address, and for an address without `client`, says what to pass', () => {
  expect(() => setUp({ redis: 'localhost:6379', client })).toThrow(expect.objectContaining({ code: 'configuration' }));
  const advice = "Install `@redis/client` and pass `client: () => import('@redis/client')`.";
  // @ts-expect-error: an address needs a client
  const create = () => createRedisStore({ ...service, redis: 'redis://:pass-word@127.0.0.1' });
  expect(create).toThrow(expect.objectContaining({ code: 'configuration', advice }));
});

test('`close` waits until calls that have ended are recorded', async () => {
  let recorded = 0;
  const slow = async (...words: string[]): Promise<unknown> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const isWrite = words.length > 4;
    if (isWrite) recorded += 1;
    return isWrite ? 'OK' : ['null', '1', '0'];
  };
  const { store } = setUp({ redis: slow });
  const result = await store.take();
  if (!('permit' in result)) throw new Error('There is no permit.');
  expect(recorded).toBe(1);
  const settled = store.settle(result.permit);
  await store.close();
  expect(recorded).toBe(2);
  await settled;
});

/** Resolves after so many turns of the event loop: connecting to Redis and its replies take several. */
const afterTurns = async (turns: number): Promise<string> => {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  return 'OK';
};

test('a reply that arrived while this process was busy does not time out', async () => {
  const reply = withTimeout(afterTurns(5), 20);
  const busyUntil = performance.now() + 200;
  while (performance.now() < busyUntil);
  expect(await reply).toBe('OK');
});
