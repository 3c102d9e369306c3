// Measures in real time how long users wait while an export makes thousands of calls with the same key.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findServers, startRedis } from '../../e2e/redis/redis-server.ts';
import { startMock } from '../mock-process.ts';
import { table } from '../table.ts';
import type { Job, Result } from './shares-process.ts';

const minutes = 3;
const perMinute = 8;
const bulk = 5_000;
const script = fileURLToPath(new URL('shares-process.ts', import.meta.url));

const message = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0];

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const measure = async (store: Job['store'], processes: number, reserve: number, redis: string): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-'));
  const mock = await startMock('--window', 'sliding');
  const everyMs = (processes * 60_000) / perMinute;
  const children = Array.from({ length: processes }, (_, index) => {
    const job: Job = {
      baseUrl: mock.baseUrl,
      apiKey: mock.apiKey,
      store,
      path: join(folder, 'store.sqlite'),
      redis,
      reserve,
      bulk: bulk / processes,
      interactive: (minutes * perMinute) / processes,
      // Interactive calls start after the first burst, and never two at the same time.
      firstMs: 5_000 + (index * everyMs) / processes,
      everyMs,
    };
    return fork(script, [JSON.stringify(job)]);
  });
  try {
    await Promise.all(children.map(message));
    const startedAt = performance.now();
    for (const child of children) child.send('go');
    const results = await Promise.all(children.map((child) => message<Result>(child)));
    const spentMinutes = (performance.now() - startedAt) / 60_000;
    const waits = results.flatMap(({ waits }) => waits).toSorted((a, b) => a - b);
    const at = (share: number) => seconds(waits[Math.min(waits.length - 1, Math.floor(share * waits.length))] ?? NaN);
    const sum = (pick: (result: Result) => number) => results.reduce((sum, result) => sum + pick(result), 0);
    const name = `${store}, ${processes === 1 ? 'one process' : `${processes} processes`}, \`reserve: ${reserve}\``;
    return [
      name,
      at(0.5),
      at(0.95),
      at(1),
      (sum((result) => result.bulk) / spentMinutes).toFixed(0),
      String(sum((result) => result.rejected)),
    ];
  } finally {
    for (const child of children) child.kill();
    mock.stop();
    rmSync(folder, { recursive: true });
  }
};

/** Measures how long users wait for a response during thousands of bulk calls, with each store. */
export const benchShares = async (): Promise<string> => {
  const program = findServers().get('redis-server');
  if (!program) throw new Error("redis-server was found neither on the PATH nor among this system's packages.");
  const redis = await startRedis(program);
  try {
    const rows = await Promise.all([
      measure('memory', 1, 0, redis.url),
      measure('memory', 1, 8, redis.url),
      measure('sqlite', 4, 8, redis.url),
      measure('redis', 4, 8, redis.url),
    ]);
    const head = `${bulk} bulk calls, ${perMinute} interactive calls a minute`;
    return table([head, 'median, s', '95th percentile, s', 'longest, s', 'bulk calls a minute', '429'], rows);
  } finally {
    await redis.kill();
  }
};

if (import.meta.main) console.log(await benchShares());
