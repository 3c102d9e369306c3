import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { listen } from '@order-license/mock-api';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import { createClient } from '../node/node-client.ts';
import { createSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
import { openSqliteTable } from './sqlite-table.ts';
import { maxAtOnce, startWorkers } from './store-workers.fixture.ts';

const apiKey = 'canary-key-0c7f1d';
const service = { baseUrl: 'https://shop.example/api/v1', apiKey };

/** A store with a clock that the test controls. */
const setUp = (options: Partial<SqliteStoreOptions> = {}) => {
  const clock = { at: 0 };
  const events: ClientEvent[] = [];
  const path = options.path ?? join(temporaryFolder(), 'state', 'rate-limit.sqlite');
  const store = createSqliteStore({
    ...service,
    path,
    now: () => clock.at,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const take = async () => {
    const answer = await store.take();
    return 'permit' in answer ? answer.permit : answer.retryAt;
  };
  return { clock, events, path, store, take };
};

test('no window exceeds the limit with four processes on one file, one of them killed [U-37]', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const order = { ...service, path, requests: 12, windowMs: 500, guardMs: 20, tripMs: 20 };
  const workers = await startWorkers([12, 12, 12, 1_000].map((count) => ({ ...order, count })));
  const [victim] = workers.slice(-1);
  await victim?.granted(5);
  victim?.process.kill('SIGKILL');
  const finished = await Promise.all(workers.map(({ ended }) => ended));
  expect(workers.flatMap(({ events }) => events)).toEqual([]);
  expect(finished).toEqual([true, true, true, false]);
  expect(maxAtOnce(workers, 520)).toBe(12);
});

test('a reserve holds across processes: callers that may use it are never refused while three others take all they can', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const order = { ...service, path, requests: 12, windowMs: 500, guardMs: 20, tripMs: 20 };
  const [person, ...others] = await startWorkers([
    { ...order, count: 12, restMs: 200 },
    ...[1, 2, 3].map(() => ({ ...order, count: 1_000, reserve: 4 })),
  ]);
  expect(await person?.ended).toBe(true);
  expect(person?.refusals()).toBe(0);
  for (const other of others) expect(other.refusals()).toBeGreaterThan(0);
});

test('two clients, each with its own store on one file, are never refused [S-76 U-37]', async () => {
  const mock = await listen({ set: { window: 'sliding', windowMs: 500, limit: 10 } });
  onTestFinished(() => mock.close());
  const { baseUrl } = mock;
  const limit = { requests: 10, windowMs: 500, guardMs: 20 };
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const events: ClientEvent[] = [];
  const read = async () => {
    const key = { baseUrl, apiKey: mock.keys.business };
    const store = createSqliteStore({ ...key, ...limit, path });
    const onEvent = (event: ClientEvent) => event.type !== 'request' && events.push(event);
    const client = createClient({ ...key, rateLimit: { minGapMs: 1 }, store, onEvent });
    await Promise.all(Array.from({ length: 20 }, () => client.getMe()));
    await store.close();
  };
  await Promise.all([read(), read()]);
  expect(mock.journal.entries().map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['wait']));
});

test('a process killed while it writes leaves a file that the others can use', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  for (let victims = 0; victims < 4; victims++) {
    const order = { ...service, path, requests: 100_000, windowMs: 50, guardMs: 0, tripMs: 0, count: 100_000 };
    const [victim] = await startWorkers([order]);
    await victim?.granted(20 + victims);
    victim?.process.kill('SIGKILL');
    await victim?.ended;
  }
  const { events, take } = setUp({ path });
  expect(await take()).toHaveProperty('id');
  expect(events).toEqual([]);
  expect(new DatabaseSync(path).prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

test('only the user can open the folder, and neither its files nor their names contain the API key [S-70]', async () => {
  const { path, store, take } = setUp();
  for (let count = 0; count < 5; count++) {
    const permit = await take();
    if (typeof permit === 'object') await store.settle(permit);
  }
  await store.pause(60_000);
  const folder = dirname(path);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const contents = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'latin1'));
  expect(contents.join()).toContain('permits');
  expect(contents.join()).not.toContain(apiKey);
});

test('setting the wall clock back an hour or forward a day changes nothing', async () => {
  const { clock, take } = setUp({ requests: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    await take();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await take()).toBeCloseTo(clock.at + 61_000, -2);
    vi.setSystemTime(Date.now() + 86_400_000);
    expect(await take()).toBeCloseTo(clock.at + 61_000, -2);
  } finally {
    vi.useRealTimers();
  }
});

test('if the folder is not writable, counts in memory at a quarter of the limit and reports an event', async () => {
  const folder = temporaryFolder();
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const path = join(folder, 'state', 'rate-limit.sqlite');
  mkdirSync(dirname(path), { mode: 0o555 });
  const order = { ...service, path, requests: 8, windowMs: 300, guardMs: 0, tripMs: 5, count: 6 };
  const workers = await startWorkers([{ ...order, ...(uid && { uid }) }]);
  expect(await workers[0]?.ended).toBe(true);
  expect(workers[0]?.events).toEqual([
    { type: 'store_unavailable', store: 'sqlite', requests: 2, problem: expect.stringContaining('EACCES') },
  ]);
  expect(maxAtOnce(workers, 300)).toBe(2);
  expect(workers[0]?.output()).toBe('');
});

test('leaves a file that isn’t a store alone: counts in memory and reports an event', async () => {
  const { path, clock, events, take } = setUp({ path: join(temporaryFolder(), 'letter.txt'), requests: 4 });
  writeFileSync(path, 'Dear reader, '.repeat(100));
  expect(await take()).toHaveProperty('id');
  expect(await take()).toBeGreaterThan(clock.at);
  expect(events).toEqual([
    {
      type: 'store_unavailable',
      store: 'sqlite',
      requests: 1,
      problem: expect.stringMatching(/letter\.txt: .*delete it or choose another path/),
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
  // Limited to a quarter for a while: others may hold permits that the file no longer contains.
  expect(await one.take()).toBeGreaterThan(one.clock.at);
  one.clock.at += 5_000;
  await one.take();
  const problem = `${path}: the file was damaged and has been emptied`;
  expect(one.events).toEqual([
    { type: 'store_unavailable', store: 'sqlite', requests: 1, problem },
    { type: 'store_available', store: 'sqlite' },
  ]);
  // The process that had the file open records what it knows.
  expect(await whole.take()).toBeGreaterThan(whole.clock.at);
  const other = setUp({ path, requests: 2 });
  expect(await other.take()).toBeGreaterThan(other.clock.at);
  expect(other.events).toEqual([]);
});

test('empties any file at the library’s own path', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('XDG_STATE_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = join(folder, 'order-license', 'rate-limit.sqlite');
  mkdirSync(dirname(path));
  writeFileSync(path, 'no database');
  const store = createSqliteStore({ ...service, requests: 8 });
  await store.take();
  await store.close();
  const next = createSqliteStore({ ...service, requests: 8 });
  onTestFinished(() => next.close());
  for (let count = 0; count < 8; count++) expect(await next.take()).toHaveProperty('permit');
});

test('leaves another program’s damaged database alone', async () => {
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

test('if the file is deleted during use, all processes share the new one', async () => {
  const whole = setUp({ requests: 4 });
  await whole.take();
  rmSync(whole.path);
  const other = setUp({ path: whole.path, requests: 4 });
  await other.take();
  await whole.take();
  expect(whole.events.map(({ type }) => type)).toEqual(['store_unavailable', 'store_available']);
  const third = setUp({ path: whole.path, requests: 2 });
  expect(await third.take()).toBeGreaterThan(third.clock.at);
});

test.each(Object.keys(damages))(
  'eight processes that find a damaged file (%s) end up sharing one file',
  async (name) => {
    const path = join(temporaryFolder(), 'rate-limit.sqlite');
    const store = await openSqliteTable({ path, key: 'a key', holdMs: 61_000 });
    await store.take('before', 60);
    store.close();
    writeFileSync(path, damages[name]?.(readFileSync(path)) ?? '');
    const script = fileURLToPath(new URL('take-all.fixture.ts', import.meta.url));
    const children = Array.from({ length: 8 }, () => fork(script, [path, '100'], { execArgv: [] }));
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
  expect(until).toBe(clock.at + 5_000);
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
