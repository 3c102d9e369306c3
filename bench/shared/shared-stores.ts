// Measures how four processes share one key.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findServers, startRedis } from '../../e2e/redis/redis-server.ts';
import { startMock } from '../mock-process.ts';
import { table } from '../table.ts';
import { type Job, sharedPacers } from './shared-pacers.ts';

const processes = 4;
const inFlight = 4;
const windows = ['sliding', 'lockout'];
const script = fileURLToPath(new URL('shared-store-process.ts', import.meta.url));

/**
 * Bottleneck's clustered reservoir refreshes in steps of five seconds, and rate-limiter-flexible counts in whole seconds,
 * so the window cannot be shorter.
 */
const windowMs = 10_000;
/** Requests per process. */
const requests = 60;

const message = (child: ChildProcess) => once(child, 'message').then(([first]) => first);

const race = async (pacer: string, window: string, redis: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-'));
  const mock = await startMock('--window', window, '--window-ms', String(windowMs), '--set', 'rateHeaders=retryAfter');
  const { baseUrl, apiKey } = mock;
  const job: Job = { pacer, baseUrl, apiKey, windowMs, requests, inFlight, redis, path: join(folder, 'store.sqlite') };
  const children = Array.from({ length: processes }, () => fork(script, [JSON.stringify(job)]));
  try {
    await Promise.all(children.map(message));
    const startedAt = performance.now();
    for (const child of children) child.send('go');
    const rejected = await Promise.all(children.map(async (child) => (await message(child)).rejected as number));
    const minMs = ((processes * requests) / 60 - 1) * windowMs;
    const ratio = (performance.now() - startedAt) / minMs;
    return `${ratio.toFixed(3)} / ${rejected.reduce((sum, count) => sum + count)}`;
  } finally {
    for (const child of children) child.kill();
    mock.stop();
    rmSync(folder, { recursive: true });
  }
};

/**
 * Measures the ratio of time to theoretical minimum, and the 429s, for each way to share a key and for two readings of
 * "60 per minute".
 */
const benchSharedStores = async (): Promise<string> => {
  const program = findServers().get('redis-server');
  if (!program) throw new Error("redis-server was found neither on the PATH nor among this system's packages.");
  const rows: string[][] = [];
  for (const pacer of Object.keys(sharedPacers)) {
    const redis = await startRedis(program);
    try {
      rows.push([pacer, ...(await Promise.all(windows.map((window) => race(pacer, window, redis.url))))]);
    } finally {
      await redis.kill();
    }
  }
  return table([`${processes} × ${requests} requests, ${inFlight} in flight, ${windowMs / 1_000} s`, ...windows], rows);
};

console.log(await benchSharedStores());
