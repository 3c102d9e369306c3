// Runs the packed client on runtimes that have no undici: Bun and Deno as programs, Workers in workerd.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { faultOf } from '../packages/testing/src/odd-responses.ts';
import { install, pack } from './packages/tarball.ts';
import { type Runtime, startRuntimes } from './runtimes/runtimes.ts';

const folder = install([pack('core').path]);
let mock: MockServer;
let runtimes: Record<string, Runtime>;
beforeAll(async () => {
  mock = await listen({ limit: 'off', orders: 180 });
  runtimes = await startRuntimes(folder);
});
afterEach(() => {
  mock.faults.clear();
  mock.journal.clear();
});
afterAll(async () => {
  for (const { close } of Object.values(runtimes ?? {})) close();
  await mock?.close();
});

/** The result of a step, which the runtime returns as JSON. */
type Result = Record<string, unknown> & { waitedMs: number; tookMs: number };

const run = (runtime: string, step: string): Promise<Result> =>
  (runtimes[runtime] as Runtime).run({
    name: step,
    baseUrl: mock.baseUrl,
    apiKey: mock.keys.business,
  }) as Promise<Result>;

describe.each(['bun', 'deno', 'workerd'])('%s', (runtime) => {
  test('resolves the default entry to the client on `fetch`', async () => {
    const { names } = await run(runtime, 'names');
    expect(names).toContain('createClient');
    expect(names).not.toContain('createSqliteStore');
  });

  test('sends the three requests as the API docs require', async () => {
    const { me, ...read } = await run(runtime, 'reads');
    expect(me).toMatchObject({ user_id: 4711 });
    expect(read).toMatchObject({ listed: 3, id: true });
    expect(mock.journal.violations()).toEqual([]);
    expect(mock.journal.total()).toBe(3);
  });

  test('walks the whole list', async () => {
    const { ids } = await run(runtime, 'walk');
    expect(new Set(ids as number[]).size).toBe((ids as number[]).length);
    expect(ids).toHaveLength(180);
  });

  test('waits after a 429, and then succeeds', async () => {
    mock.faults.add({ kind: 'status', status: 429, retryAfter: 1, times: 1 });
    expect((await run(runtime, 'limited')).waitedMs).toBeGreaterThanOrEqual(1_000);
    expect(mock.journal.total()).toBe(2);
  });

  test("paces a client's calls", async () => {
    expect((await run(runtime, 'paced')).tookMs).toBeGreaterThanOrEqual(640);
  });

  test('ends a call at once when it is aborted', async () => {
    mock.faults.add({ kind: 'hang', times: 1 });
    expect(await run(runtime, 'abort')).toMatchObject({ code: 'aborted' });
  });

  test('ends a call without a response after its timeout', async () => {
    mock.faults.add({ kind: 'hang', times: 1 });
    expect(await run(runtime, 'timeout')).toMatchObject({ code: 'timeout', attempts: 1 });
  });

  test.each([
    ['resetBefore', 'connection'],
    ['truncate', 'connection'],
    ['html', 'server'],
    ['redirect', 'invalid_response'],
    ['hugeBody', 'invalid_response'],
  ] as const)('reports the fault %s as %s', async (kind, code) => {
    mock.faults.add({ ...faultOf(kind), times: 1 });
    expect(await run(runtime, 'once')).toMatchObject({ code, attempts: 1 });
  });

  test('reports an address that cannot be reached', async () => {
    expect(await run(runtime, 'unreached')).toMatchObject({ code: 'connection' });
  });
});

describe('six parallel requests to a Worker with three permits per window', () => {
  test('do not wait for each other if each request has its own client', async () => {
    const results = await parallel('ownClient');
    expect(results).toHaveLength(6);
    expect(mock.journal.total()).toBe(6);
  });

  // Although the clients share the store, each waits with its own timer.
  test.each(['oneStore', 'oneClient'])('are paced together if they share `%s`', async (way) => {
    const start = performance.now();
    await parallel(way);
    expect(performance.now() - start).toBeGreaterThanOrEqual(400);
    expect(mock.journal.total()).toBe(6);
  });
});

const parallel = (way: string): Promise<unknown[]> => Promise.all(Array.from({ length: 6 }, () => run('workerd', way)));
