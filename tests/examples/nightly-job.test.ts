import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listen, type MockServer } from '@order-license/mock-api';
import { createRandom } from '@order-license/testing/random';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';

const guide = readFileSync(new URL('../../docs/integrating.md', import.meta.url), 'utf8');
const [, recipe = ''] = /## Every night: new completed orders\n.*?```ts\n(.*?)```/s.exec(guide) ?? [];

/** The recipe of the guide, with a client that has permits enough, and a clock that can be some nights ahead. */
const programFor = (file: string): string => `
import { createClient } from '@order-license/core';
const { ORDER_LICENSE_BASE_URL: baseUrl, ORDER_LICENSE_API_KEY: apiKey, NIGHT } = process.env;
const client = createClient({ baseUrl, apiKey, rateLimit: { requests: 10_000, minGapMs: 0 } });
const systemNow = Date.now;
Date.now = () => systemNow() + Number(NIGHT) * 86_400_000;
${recipe.replace("'orders.sqlite'", JSON.stringify(file))}
await client.close();
`;

const setUp = async () => {
  const mock = await listen({ orders: 0, limit: 'off' });
  onTestFinished(() => mock.close());
  const file = join(temporaryFolder(), 'orders.sqlite');
  let night = 0;
  const start = () => {
    const args = ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', programFor(file)];
    return spawn(process.execPath, args, {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: {
        ...process.env,
        ORDER_LICENSE_BASE_URL: mock.baseUrl,
        ORDER_LICENSE_API_KEY: mock.keys.business,
        NIGHT: `${night}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const runJob = async (expected = 0): Promise<string> => {
    const job = start();
    const [[code], errors] = await Promise.all([once(job, 'exit'), text(job.stderr)]);
    expect(code, errors).toBe(expected);
    night += 1;
    return errors;
  };
  /** Kills the job when it sends a request. */
  const killJob = async (requests: number): Promise<void> => {
    const job = start();
    let left = requests;
    const stop = mock.journal.subscribe(() => {
      left -= 1;
      if (left === 0) job.kill('SIGKILL');
    });
    await once(job, 'exit');
    stop();
    expect(job.signalCode).toBe('SIGKILL');
  };
  const rows = (sql: string): Record<string, unknown>[] => {
    const database = new DatabaseSync(file);
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };
  return { mock, runJob, killJob, rows };
};

const insertPaid = ({ state }: MockServer, count: number, delivered: number): number[] =>
  Array.from({ length: count }, () => {
    const items = [{ menge: 2, license_codes: 2 }];
    return state.insertOrder('business', { status: 'bezahlt', items, delivered }).id;
  });

test('if killed at any moment, the nightly job of the guide stores each completed order once, reads none again, and later reads late codes', async () => {
  const random = createRandom(7);
  const { mock, runJob, killJob, rows } = await setUp();
  const early = insertPaid(mock, 30, 2);
  await runJob();
  expect(rows('SELECT * FROM orders')).toEqual([]);
  const late = insertPaid(mock, 5, 1);
  const ids = [...early, ...insertPaid(mock, 60, 2), ...late];
  for (const id of ids) mock.state.setStatus(id, 'abgeschlossen');
  const kills = 8;
  for (let killed = 0; killed < kills; killed++) await killJob(1 + Math.floor(random() * 16));
  expect(rows('SELECT id FROM orders WHERE missing IS NULL').length).toBeGreaterThan(0);
  expect(rows('SELECT id FROM orders WHERE missing = 0').length).toBeGreaterThan(0);
  expect(await runJob()).toBe('');

  const find = (missing: number) =>
    rows(`SELECT id FROM orders WHERE missing = ${missing}`).map(({ id }) => Number(id));
  expect(rows('SELECT id FROM orders')).toHaveLength(ids.length);
  expect(find(1).sort()).toEqual(late.sort());
  const read = mock.journal.entries().map(({ path }) => Number(/orders\/(\d+)/.exec(path)?.[1]));
  // Only the read that a kill interrupts is repeated.
  const whole = ids.filter((id) => !late.includes(id));
  expect(read.filter((id) => whole.includes(id)).length).toBeLessThanOrEqual(whole.length + kills);

  for (const id of late) mock.state.deliverCodes(id, 1);
  await runJob();
  expect(find(0).sort()).toEqual(ids.sort());
  const keys = rows('SELECT license_key FROM keys').map(({ license_key }) => license_key);
  expect(keys).toHaveLength(2 * ids.length);
  expect(new Set(keys).size).toBe(keys.length);
  const reads = mock.journal.total();
  await runJob();
  const last = mock.journal.entries().slice(reads - mock.journal.total());
  expect(last.filter(({ path }) => /orders\/\d/.test(path))).toEqual([]);
});

test('the nightly job of the guide continues after an order that cannot be read, and reads it in the next run', async () => {
  const { mock, runJob, rows } = await setUp();
  const ids = insertPaid(mock, 3, 2);
  await runJob();
  for (const id of ids) mock.state.setStatus(id, 'abgeschlossen');
  mock.faults.add({ kind: '404', id: ids[1], times: 1 });
  expect(await runJob(1)).toContain(`The next run reads order ${ids[1]} again`);
  expect(rows('SELECT id FROM orders WHERE missing = 0')).toHaveLength(2);
  await runJob();
  expect(rows('SELECT id FROM orders WHERE missing = 0')).toHaveLength(3);
});
