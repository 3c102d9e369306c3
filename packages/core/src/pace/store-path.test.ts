import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import { createSqliteStore, defaultStorePath } from './sqlite-store.ts';

test('the default file is in the user’s state folder, on each platform', () => {
  expect(defaultStorePath('linux', {}, () => '/home/a')).toBe('/home/a/.local/state/order-license/rate-limit.sqlite');
  expect(defaultStorePath('linux', { XDG_STATE_HOME: '/state' }, () => '/home/a')).toBe(
    '/state/order-license/rate-limit.sqlite',
  );
  expect(defaultStorePath('darwin', {}, () => '/Users/a')).toBe(
    '/Users/a/Library/Application Support/order-license/rate-limit.sqlite',
  );
  expect(defaultStorePath('win32', { LOCALAPPDATA: 'D:\\Local' }, () => 'C:\\Users\\a')).toBe(
    'D:\\Local\\order-license\\rate-limit.sqlite',
  );
  expect(defaultStorePath('win32', {}, () => 'C:\\Users\\a')).toBe(
    'C:\\Users\\a\\AppData\\Local\\order-license\\rate-limit.sqlite',
  );
});

test('ignores a relative path in the environment', () => {
  const path = defaultStorePath('linux', { XDG_STATE_HOME: 'state' }, () => '/home/a');
  expect(path).toBe('/home/a/.local/state/order-license/rate-limit.sqlite');
});

test('needs no home folder if the environment sets the state folder', () => {
  const noHome = (): string => {
    throw new Error('no home folder');
  };
  expect(defaultStorePath('linux', { XDG_STATE_HOME: '/state' }, noHome)).toBe(
    '/state/order-license/rate-limit.sqlite',
  );
});

test('counts requests in memory for a user without a home folder', async () => {
  for (const name of ['XDG_STATE_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, undefined);
  vi.spyOn(os, 'homedir').mockImplementation(() => {
    throw new Error('uv_os_homedir returned ENOENT');
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const events: ClientEvent[] = [];
  const store = createSqliteStore({
    baseUrl: 'https://shop.example/api/v1',
    apiKey: 'a-key',
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => store.close());
  expect(await store.take()).toHaveProperty('permit');
  const problem = "the user's state folder: uv_os_homedir returned ENOENT";
  expect(events).toMatchObject([{ type: 'store_unavailable', problem, requests: 15 }]);
});
