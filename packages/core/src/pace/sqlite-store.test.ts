import { readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import { service, setUp } from './sqlite-store.fixture.ts';
import { createSqliteStore, defaultStorePath, openSqliteRecord } from './sqlite-store.ts';
import { maxAtOnce, startWorkers } from './store-workers.fixture.ts';

test('no window exceeds the limit with four processes on one file, one of them killed while it writes [U-37]', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const order = { ...service, path, requests: 12, windowMs: 500, guardMs: 20, tripMs: 20, count: 12 };
  const workers = await startWorkers([order, order, order, { ...order, tripMs: 0, count: 1_000 }]);
  const [victim] = workers.slice(-1);
  await victim?.granted(5);
  victim?.process.kill('SIGKILL');
  const finished = await Promise.all(workers.map(({ ended }) => ended));
  expect(workers.flatMap(({ events }) => events)).toEqual([]);
  expect(finished).toEqual([true, true, true, false]);
  expect(maxAtOnce(workers, 520)).toBe(12);
  expect(new DatabaseSync(path).prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

test('only the user can open the folder, and neither its files nor their names contain the API key [S-70]', async () => {
  const { path, store, take } = setUp();
  await take();
  await store.pause(60_000);
  const folder = dirname(path);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const contents = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'latin1'));
  expect(contents.join()).toContain('permits');
  expect(contents.join()).not.toContain(service.apiKey);
});

test('setting the wall clock back an hour or forward a day does not affect the wait', async () => {
  const { clock, events, take } = setUp({ requests: 1 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await take();
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await take()).toBeCloseTo(clock.at + 61_000, -2);
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(await take()).toBeCloseTo(clock.at + 61_000, -2);
  expect(events).toEqual([]);
});

test('the first write for a key removes other keys’ records that have expired', async () => {
  const path = join(temporaryFolder(), 'rate-limit.sqlite');
  const clock = { at: 1_000_000 };
  const write = async (key: string) => {
    const record = await openSqliteRecord(path, key, () => clock.at);
    await record.update(() => ({ text: '{}', keptMs: 2_000 }));
    record.close();
  };
  const keys = () => {
    using db = new DatabaseSync(path);
    const rows = db.prepare('select key from permits order by key').all();
    return rows.map(({ key }) => key);
  };
  await write('first');
  clock.at += 1_500;
  await write('second');
  expect(keys()).toEqual(['first', 'second']);
  clock.at += 1_000;
  await write('third');
  expect(keys()).toEqual(['second', 'third']);
});

const noHome = (): string => {
  throw new Error('uv_os_homedir returned ENOENT');
};

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, () => string, string]>([
  ['linux', {}, () => '/home/a', '/home/a/.local/state/order-license/rate-limit.sqlite'],
  ['linux', { XDG_STATE_HOME: '/state' }, noHome, '/state/order-license/rate-limit.sqlite'],
  // A relative path is ignored, as the XDG specification requires.
  ['linux', { XDG_STATE_HOME: 'state' }, () => '/home/a', '/home/a/.local/state/order-license/rate-limit.sqlite'],
  ['darwin', {}, () => '/Users/a', '/Users/a/Library/Application Support/order-license/rate-limit.sqlite'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, noHome, 'D:\\Local\\order-license\\rate-limit.sqlite'],
  ['win32', {}, () => 'C:\\Users\\a', 'C:\\Users\\a\\AppData\\Local\\order-license\\rate-limit.sqlite'],
])('the default file is in the user’s state folder: %s %j', (platform, env, home, path) => {
  expect(defaultStorePath(platform, env, home)).toBe(path);
});

test('counts requests in memory for a user without a home folder', async () => {
  for (const name of ['XDG_STATE_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, undefined);
  vi.spyOn(os, 'homedir').mockImplementation(noHome);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const events: ClientEvent[] = [];
  const store = createSqliteStore({ ...service, onEvent: (event) => events.push(event) });
  onTestFinished(() => store.close());
  expect(await store.take()).toHaveProperty('permit');
  const problem = "the user's state folder: uv_os_homedir returned ENOENT";
  expect(events).toMatchObject([{ type: 'store_unavailable', problem, requests: 15 }]);
});
