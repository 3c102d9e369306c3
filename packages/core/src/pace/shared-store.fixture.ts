import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { onTestFinished } from 'vitest';
import type { ClientEvent } from '../base/events.ts';
import { createSharedStore, type SharedRecord, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteRecord } from './sqlite-store.ts';
import type { Permit } from './store.ts';

export const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };

/** Creates stores on one file, as several processes would, with a clock that the test controls. */
export const setUp = (requests = 8) => {
  const folder = join(temporaryFolder(), 'state');
  const path = join(folder, 'store.sqlite');
  const clock = { at: 1_000_000 };
  const stores: SharedStore[] = [];
  const opened = { times: 0, now: 0 };
  let isBroken = false;
  let restarts = 0;
  const rejectIfBroken = (openedIn = restarts) => {
    if (isBroken || openedIn !== restarts) throw new Error('the table is gone');
  };
  const open = async (key: string): Promise<SharedRecord> => {
    rejectIfBroken();
    const record = await openSqliteRecord(path, key, () => clock.at);
    opened.times += 1;
    opened.now += 1;
    const openedIn = restarts;
    return {
      async update(change) {
        rejectIfBroken(openedIn);
        return record.update(change);
      },
      close() {
        opened.now -= 1;
        record.close();
      },
    };
  };
  const start = (options: Partial<SharedStoreOptions> = {}) => {
    const events: ClientEvent[] = [];
    const store = createSharedStore(
      { ...service, requests, now: () => clock.at, onEvent: (event) => events.push(event), ...options },
      { kind: 'sqlite', open, explain: () => 'no file' },
    );
    stores.push(store);
    const take = async () => {
      const result = await store.take();
      if ('retryAt' in result) throw new Error(`no permit for ${result.retryAt - clock.at} ms`);
      return result.permit;
    };
    const takeAll = async () => {
      const permits: Permit[] = [];
      for (let taken = await store.take(); 'permit' in taken; taken = await store.take()) permits.push(taken.permit);
      return permits;
    };
    return { store, events, take, takeAll };
  };
  /** Deletes the table with its data, and prevents its recreation. */
  const breakStore = async () => {
    isBroken = true;
    rmSync(folder, { recursive: true, force: true });
  };
  const repairStore = () => {
    isBroken = false;
  };
  /** Deletes the table with its data, so that the stores must open the file again. */
  const restartStore = () => {
    restarts += 1;
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return { clock, start, opened, path, breakStore, repairStore, restartStore };
};
