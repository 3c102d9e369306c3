import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { service, setUp } from './sqlite-store.fixture.ts';
import { maxAtOnce, startWorkers } from './store-workers.fixture.ts';

const readOnlyFolder = () => {
  const folder = join(temporaryFolder(), 'state');
  mkdirSync(folder, { mode: 0o555 });
  return { path: join(folder, 'rate-limit.sqlite'), ...(process.getuid?.() === 0 && { uid: 65_534 }) };
};

test.each([
  ['is not writable', readOnlyFolder, /EACCES.*belongs to another user, such as root/],
  ['cannot be created, as below /proc', () => ({ path: '/proc/missing/a/rate-limit.sqlite' }), /mkdir '\/proc/],
])('if the folder %s, counts in memory at a quarter of the limit and reports it', async (_, make, why) => {
  const order = { ...service, ...make(), requests: 8, windowMs: 300, guardMs: 0, tripMs: 5, count: 3 };
  const workers = await startWorkers([order]);
  expect(await workers[0]?.ended).toBe(true);
  const problem = expect.stringMatching(why);
  expect(workers[0]?.events).toEqual([{ type: 'store_unavailable', store: 'sqlite', requests: 2, problem }]);
  expect(maxAtOnce(workers, 300)).toBe(2);
  expect(workers[0]?.output()).toBe('');
});

/** Makes a database as another program would. */
const writeDatabase = (path: string, sql: string): void => {
  using db = new DatabaseSync(path);
  db.exec(sql);
};

test.each<[string, (path: string) => void]>([
  ['a letter', (path) => writeFileSync(path, 'Dear reader, '.repeat(100))],
  ['another program’s database', (path) => writeDatabase(path, 'pragma application_id = 7; create table a (b)')],
  ['a database in WAL mode', (path) => writeDatabase(path, 'pragma journal_mode = wal; create table a (b)')],
  ['a database without tables', (path) => writeDatabase(path, 'pragma application_id = 7')],
  [
    'a damaged database',
    (path) => {
      writeDatabase(path, 'create table a (b); insert into a values (randomblob(9000))');
      writeFileSync(path, readFileSync(path).fill(0xff, 4096));
    },
  ],
])('does not change %s that it finds, counts in memory and reports it', async (_, write) => {
  const path = join(temporaryFolder(), 'theirs');
  write(path);
  const before = readFileSync(path);
  const { clock, events, take } = setUp({ path, requests: 4 });
  expect(await take()).toHaveProperty('id');
  expect(await take()).toBeGreaterThan(clock.at);
  const problem = expect.stringMatching(
    /theirs: the file is not a rate-limit store.*choose another path, or delete the/,
  );
  expect(events).toEqual([{ type: 'store_unavailable', store: 'sqlite', requests: 1, problem }]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['pages overwritten', (bytes) => bytes.fill(0xff, 4096)],
  ['zeros after a power failure', (bytes) => bytes.fill(0)],
  ['half of it lost', (bytes) => bytes.subarray(0, 6_000)],
])('empties a damaged file (%s) and uses it again', async (_, damage) => {
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

test('reports a file with another table, as another version may have made it', async () => {
  const { path, store, take } = setUp();
  await take();
  await store.close();
  writeDatabase(path, 'drop table permits; create table permits (key text)');
  const later = setUp({ path });
  await later.take();
  expect(later.events).toMatchObject([
    { problem: expect.stringMatching(/another version of this package made the file/) },
  ]);
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

test('opens or replaces the file only while no other process does', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const other = new DatabaseSync(`${path}-lock`);
  other.exec('begin immediate');
  const { store, take } = setUp({ path });
  const taking = take();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(existsSync(path)).toBe(false);
  other.close();
  expect(await taking).toHaveProperty('id');
  expect(existsSync(path)).toBe(true);
  await store.close();
});

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
