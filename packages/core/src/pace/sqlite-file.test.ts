import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { service, setUp } from './sqlite-store.fixture.ts';
import { maxAtOnce, startWorkers } from './store-workers.fixture.ts';

test('if the folder is not writable, counts in memory at a quarter of the limit and reports an event', async () => {
  const folder = temporaryFolder();
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const path = join(folder, 'state', 'rate-limit.sqlite');
  mkdirSync(dirname(path), { mode: 0o555 });
  const order = { ...service, path, requests: 8, windowMs: 300, guardMs: 0, tripMs: 5, count: 6 };
  const workers = await startWorkers([{ ...order, ...(uid && { uid }) }]);
  expect(await workers[0]?.ended).toBe(true);
  expect(workers[0]?.events).toEqual([
    {
      type: 'store_unavailable',
      store: 'sqlite',
      requests: 2,
      problem: expect.stringMatching(/EACCES.*belongs to another user, such as root/),
    },
  ]);
  expect(maxAtOnce(workers, 300)).toBe(2);
  expect(workers[0]?.output()).toBe('');
});

test.skipIf(process.platform !== 'linux')('counts in memory if no folder can be created, as below /proc', async () => {
  const path = '/proc/missing/order-license/rate-limit.sqlite';
  const order = { ...service, path, requests: 8, windowMs: 300, guardMs: 0, tripMs: 5, count: 1 };
  const [worker] = await startWorkers([order]);
  expect(await worker?.ended).toBe(true);
  const problem = expect.stringContaining("mkdir '/proc/missing'");
  expect(worker?.events).toEqual([{ type: 'store_unavailable', store: 'sqlite', requests: 2, problem }]);
});

test('does not change a file that isn’t a store, counts in memory and reports an event', async () => {
  const { path, clock, events, take } = setUp({ path: join(temporaryFolder(), 'letter.txt'), requests: 4 });
  writeFileSync(path, 'Dear reader, '.repeat(100));
  expect(await take()).toHaveProperty('id');
  expect(await take()).toBeGreaterThan(clock.at);
  expect(events).toEqual([
    {
      type: 'store_unavailable',
      store: 'sqlite',
      requests: 1,
      problem: expect.stringMatching(/letter\.txt: .*choose another path, or delete the file/),
    },
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(/^Dear reader/);
});

const damages: Record<string, (bytes: Buffer) => Buffer> = {
  'pages overwritten': (bytes) => bytes.fill(0xff, 4096),
  'zeros after a power failure': (bytes) => bytes.fill(0),
  'half of it lost': (bytes) => bytes.subarray(0, 6_000),
};

test.each(Object.entries(damages))('empties a damaged file (%s) and uses it again', async (_, damage) => {
  const whole = setUp({ requests: 4 });
  const { path } = whole;
  await whole.take();
  writeFileSync(path, damage(readFileSync(path)));
  const one = setUp({ path, requests: 4 });
  expect(await one.take()).toHaveProperty('id');
  // The store keeps to a quarter of the limit for a while: others may hold permits that the file no longer contains.
  expect(await one.take()).toBeGreaterThan(one.clock.at);
  one.clock.at += 5_000;
  await one.take();
  const problem = `${path}: the file was damaged and has been emptied`;
  expect(one.events).toEqual([
    { type: 'store_unavailable', store: 'sqlite', requests: 1, problem },
    { type: 'store_available', store: 'sqlite' },
  ]);
  // The process that had the file open keeps to its quarter, too.
  expect(await whole.take()).toBeGreaterThan(whole.clock.at);
  const other = setUp({ path, requests: 2 });
  expect(await other.take()).toHaveProperty('id');
  expect(other.events).toEqual([]);
});

test('does not change another program’s database, even if it is in WAL mode or empty', async () => {
  for (const sql of ['create table letters (text)', 'pragma journal_mode = wal; create table letters (text)', '']) {
    const path = join(temporaryFolder(), 'theirs.sqlite');
    const theirs = new DatabaseSync(path);
    theirs.exec(`pragma application_id = 7; ${sql}`);
    theirs.close();
    const before = readFileSync(path);
    const { take, events } = setUp({ path });
    await take();
    expect(events).toMatchObject([{ problem: expect.stringContaining('the file is not a rate-limit store') }]);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
});

test('reports a file with another table, as another version may have made it', async () => {
  const { path, store, take } = setUp();
  await take();
  await store.close();
  const db = new DatabaseSync(path);
  db.exec('drop table permits; create table permits (key text)');
  db.close();
  const later = setUp({ path });
  await later.take();
  expect(later.events).toMatchObject([
    { problem: expect.stringMatching(/another version of this package made the file/) },
  ]);
});

test('does not change another program’s damaged database', async () => {
  const path = join(temporaryFolder(), 'theirs.sqlite');
  const theirs = new DatabaseSync(path);
  theirs.exec('create table letters (text); insert into letters values (randomblob(9000))');
  theirs.close();
  const damaged = readFileSync(path).fill(0xff, 4096);
  writeFileSync(path, damaged);
  const { take, events } = setUp({ path });
  await take();
  expect(events).toMatchObject([{ type: 'store_unavailable' }]);
  expect(readFileSync(path).equals(damaged)).toBe(true);
});

test('if the file is deleted during use, all processes share the new file', async () => {
  const whole = setUp({ requests: 4 });
  await whole.take();
  rmSync(whole.path);
  const other = setUp({ path: whole.path, requests: 4 });
  await other.take();
  await whole.take();
  expect(whole.events.map(({ type }) => type)).toEqual(['store_unavailable', 'store_available']);
  const third = setUp({ path: whole.path, requests: 1 });
  expect(await third.take()).toBeGreaterThan(third.clock.at);
});

test.each(Object.keys(damages))(
  'four processes that find a damaged file (%s) end up sharing one file',
  async (name) => {
    const path = join(temporaryFolder(), 'rate-limit.sqlite');
    const before = setUp({ path });
    await before.take();
    await before.store.close();
    writeFileSync(path, damages[name]?.(readFileSync(path)) ?? '');
    const script = fileURLToPath(new URL('take-all.fixture.ts', import.meta.url));
    const children = Array.from({ length: 4 }, () => fork(script, [path, '100'], { execArgv: [] }));
    onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')));
    const message = async (child: ChildProcess) => (await once(child, 'message'))[0] as number;
    await Promise.all(children.map(message));
    for (const child of children) child.send('go');
    const taken = await Promise.all(children.map(message));
    expect(taken.reduce((sum, count) => sum + count)).toBe(100);
  },
);

test('counts in memory while another process keeps the file locked, then uses the file again', async () => {
  const { path, clock, events, store, take } = setUp({ requests: 4 });
  await take();
  const locker = new DatabaseSync(path);
  locker.exec('begin exclusive');
  const until = await take();
  expect(until).toBe(clock.at + 61_000);
  expect(events).toEqual([
    { type: 'store_unavailable', store: 'sqlite', requests: 1, problem: expect.stringContaining('locked') },
  ]);
  locker.exec('rollback');
  clock.at += 5_000;
  const other = setUp({ path, requests: 2 });
  expect(await take()).toBeGreaterThan(clock.at);
  expect(events[1]).toEqual({ type: 'store_available', store: 'sqlite' });
  await other.take();
  expect(await other.take()).toBeGreaterThan(other.clock.at);
  await store.close();
});
