import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { isRateLimitError } from '../base/errors.ts';
import type { ClientEvent } from '../base/events.ts';
import { acquire } from './acquire.fixture.ts';
import { createPacer } from './pacer.ts';
import type { PermitTable } from './permit-table.ts';
import { createSharedStore, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteTable } from './sqlite-table.ts';
import type { Permit } from './store.ts';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };

/** Stores on one file, as in several processes, with a clock that the test controls. */
const setUp = (requests = 8) => {
  const folder = join(temporaryFolder(), 'state');
  const clock = { at: 1_000_000 };
  const stores: SharedStore[] = [];
  const opened = { times: 0, now: 0 };
  let isBroken = false;
  let restarts = 0;
  const refuseIfBroken = (openedIn = restarts) => {
    if (isBroken || openedIn !== restarts) throw new Error('the table is gone');
  };
  const open = async (key: string, holdMs: number): Promise<PermitTable> => {
    refuseIfBroken();
    const table = await openSqliteTable({ path: join(folder, 'store.sqlite'), key, holdMs, clock: () => clock.at });
    opened.times += 1;
    opened.now += 1;
    const openedIn = restarts;
    return {
      async take(...given) {
        refuseIfBroken(openedIn);
        return table.take(...given);
      },
      async merge(update) {
        refuseIfBroken(openedIn);
        return table.merge(update);
      },
      close() {
        opened.now -= 1;
        table.close();
      },
    };
  };
  const start = (options: Partial<SharedStoreOptions> = {}) => {
    const events: ClientEvent[] = [];
    const store = createSharedStore(
      { ...service, requests, now: () => clock.at, onEvent: (event) => events.push(event), ...options },
      {
        kind: 'sqlite',
        open,
        explain: () => 'no file',
      },
    );
    stores.push(store);
    const take = async () => {
      const answer = await store.take();
      if ('retryAt' in answer) throw new Error(`no permit for ${answer.retryAt - clock.at} ms`);
      return answer.permit;
    };
    /** Takes permits until none is left. */
    const takeAll = async () => {
      const permits = [];
      for (;;) {
        const answer = await store.take();
        if ('retryAt' in answer) return permits;
        permits.push(answer.permit);
      }
    };
    return { store, events, take, takeAll };
  };
  /** The table and its data are gone, and it cannot be recreated. */
  const breakStore = async () => {
    isBroken = true;
    rmSync(folder, { recursive: true, force: true });
  };
  const mendStore = () => {
    isBroken = false;
  };
  /** The table is empty and must be reopened. */
  const restartStore = () => {
    restarts += 1;
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return { clock, start, opened, breakStore, mendStore, restartStore };
};

const lost = (requests: number) => ({ type: 'store_unavailable', store: 'sqlite', problem: 'no file', requests });
const found = { type: 'store_available', store: 'sqlite' };

test('an unused permit stops counting for every process', async () => {
  const { start } = setUp(2);
  const [one, other] = [start(), start()];
  const [first] = await one.takeAll();
  expect(await other.takeAll()).toEqual([]);
  await one.store.settle(first as Permit, false);
  expect(await other.takeAll()).toHaveLength(1);
  expect(await one.takeAll()).toEqual([]);
});

test('reports a store that fails once and reopens, and uses only a quarter of the limit for a while', async () => {
  const { clock } = setUp();
  const events: ClientEvent[] = [];
  let failures = 0;
  const table: PermitTable = {
    async take() {
      if (failures-- > 0) throw new Error('connection lost');
      return 'granted';
    },
    merge: async () => undefined,
    close: () => undefined,
  };
  const store = createSharedStore(
    { ...service, requests: 8, now: () => clock.at, onEvent: (event) => events.push(event) },
    { kind: 'sqlite', open: async () => table, explain: () => 'no file' },
  );
  await store.take();
  expect(events).toEqual([]);
  failures = 1;
  await store.take();
  expect(events).toEqual([{ ...lost(2), problem: 'it had to be reopened' }, found]);
  const answers = [await store.take(), await store.take()];
  expect(answers.at(-1)).toMatchObject({ reduced: true });
});

test('a process without its store takes a quarter of the limit, and at least one', async () => {
  for (const [requests, share] of [
    [60, 15],
    [8, 2],
    [3, 1],
    [1, 1],
  ] as const) {
    const { start, breakStore } = setUp(requests);
    await breakStore();
    const { events, takeAll } = start();
    expect(await takeAll()).toHaveLength(share);
    expect(events).toEqual([lost(share)]);
  }
});

test('permits taken from the store earlier also count in memory', async () => {
  const { clock, start, breakStore } = setUp(8);
  const { store, take, takeAll } = start();
  const [first, second, third] = [await take(), await take(), await take()];
  await store.settle(first);
  await breakStore();
  expect(await takeAll()).toEqual([]);
  clock.at += 61_000;
  expect(await takeAll()).toEqual([]); // two of three are still in flight
  await store.settle(second);
  clock.at += 61_000;
  expect(await takeAll()).toHaveLength(1);
  await store.settle(third);
});

test('retries the store every five seconds and reports each of the two events once', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  await breakStore();
  const { store, events, takeAll } = start();
  await takeAll();
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 5_000, reduced: true });
  clock.at += 4_999;
  mendStore();
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 1, reduced: true });
  expect(events).toEqual([lost(2)]);
  clock.at += 1;
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 61_000, reduced: true });
  expect(events).toEqual([lost(2), found]);
});

test('without the store, refuses at once a caller that cannot wait for the quarter to return [S-84]', async () => {
  const { clock, start, breakStore } = setUp(8);
  await breakStore();
  const { store } = start();
  const sleep = async (ms: number) => {
    clock.at += ms;
  };
  const host = { now: () => clock.at, sleep };
  const pacer = createPacer({ store, host, minGapMs: 0, concurrency: 4, reserve: 0, windowMs: 60_000 });
  const take = () => acquire(pacer, host.now, { maxWaitMs: 20_000 });
  for (const permit of [await take(), await take()]) await pacer.settle(permit);
  const asked = clock.at;
  const refused = await take().catch((error: unknown) => error);
  expect(clock.at).toBe(asked);
  expect(isRateLimitError(refused) && refused.toJSON()).toMatchObject({
    source: 'local',
    retryAfterMs: 61_000,
    message: 'The shared rate-limit store is unavailable, and the reduced limit (25 %) is used up. Call again in 61 s.',
  });
});

test('without the store, the quarter is divided like the limit, and callers that may use the reserve get the rest', async () => {
  const { start, breakStore } = setUp(8);
  await breakStore();
  const { store } = start();
  expect(await store.take(4)).toHaveProperty('permit');
  expect(await store.take(4)).toMatchObject({ reduced: true });
  expect(await store.take()).toHaveProperty('permit');
  expect(await store.take()).toMatchObject({ reduced: true });
});

test('permits taken without the store count for every process once it is back', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  await breakStore();
  const [one, other] = [start(), start()];
  const [settled, inFlight] = await one.takeAll();
  if (settled) await one.store.settle(settled);
  mendStore();
  clock.at += 5_000;
  expect(await one.takeAll()).toEqual([]);
  expect(one.events).toEqual([lost(2), found]);
  expect(await other.takeAll()).toHaveLength(8 - 2);
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at - 5_000 + 61_000 });
  clock.at += 56_000;
  expect(await other.takeAll()).toHaveLength(1);
  if (inFlight) await one.store.settle(inFlight);
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at + 61_000 });
});

test('the users of a store that comes back empty refill it, and use a quarter of the limit until then', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  const [one, other] = [start(), start()];
  const permits = [await one.take()];
  await breakStore();
  permits.push(...(await one.takeAll()));
  expect(permits).toHaveLength(2);
  expect(await other.takeAll()).toHaveLength(2);
  mendStore();
  clock.at += 5_000;
  for (const permit of permits) await one.store.settle(permit);
  expect(await one.takeAll()).toEqual([]); // the other two are not in the table yet
  clock.at += 60_999;
  expect(await one.takeAll()).toEqual([]);
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await one.takeAll()).toHaveLength(8 - 2);
});

test('if the limit was full at the last contact with the store, waits for all of it to return before sending', async () => {
  const { clock, start, breakStore } = setUp(8);
  const [one, other] = [start(), start()];
  for (const permit of await one.takeAll()) {
    await one.store.settle(permit);
    clock.at += 1_000;
  }
  expect(await other.takeAll()).toEqual([]);
  await breakStore();
  clock.at += 52_999;
  expect(await other.takeAll()).toEqual([]);
  clock.at += 7_000;
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await other.takeAll()).toHaveLength(2);
});

test('if the store comes back empty before anyone notices the failure, also waits for the full limit to return', async () => {
  const { clock, start, restartStore } = setUp(8);
  const [one, other] = [start(), start()];
  for (const permit of await one.takeAll()) {
    await one.store.settle(permit);
    clock.at += 1_000;
  }
  expect(await other.takeAll()).toEqual([]);
  restartStore();
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at + 60_000, reduced: true });
  clock.at += 59_999;
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await other.takeAll()).toHaveLength(2);
  expect(other.events).toEqual([{ ...lost(2), problem: 'it had to be reopened' }, found]);
});

test('a pause during a store failure applies to this process at once, and to all once the store is back [S-84]', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  await breakStore();
  const [one, other] = [start(), start()];
  await one.store.take();
  await one.store.pause(clock.at + 61_000);
  clock.at += 4_000;
  expect(await one.takeAll()).toEqual([]);
  mendStore();
  clock.at += 1_000;
  expect(await one.store.take()).toMatchObject({ retryAt: clock.at + 56_000, reduced: false });
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at + 56_000 });
});

test('a pause recorded by another process still applies when the store fails [S-84]', async () => {
  const { clock, start, breakStore } = setUp(8);
  const [one, other] = [start(), start()];
  await one.store.pause(clock.at + 61_000);
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at + 61_000 });
  await breakStore();
  expect(await other.takeAll()).toEqual([]);
  clock.at += 61_000;
  expect(await other.takeAll()).toHaveLength(2);
});

test('a store closed during a call does not reopen', async () => {
  const { start, opened } = setUp(2);
  const { store, events, take } = start();
  const [settled, unused] = [await take(), await take()];
  await store.close();
  await store.settle(settled);
  await store.settle(unused, false);
  await store.pause(0);
  await expect(store.take()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('has been closed'),
  });
  expect(opened).toEqual({ times: 1, now: 0 });
  expect(events).toEqual([]);
});

test('a store closed while it opens stays closed', async () => {
  const { start, opened } = setUp(2);
  const { store, events } = start();
  const taking = store.take();
  await store.close();
  await expect(taking).rejects.toMatchObject({ code: 'configuration' });
  expect(opened.now).toBe(0);
  expect(events).toEqual([]);
});

test('`await using` closes a store', async () => {
  const { start, opened } = setUp(2);
  {
    await using store = start().store;
    await store.take();
    expect(opened.now).toBe(1);
  }
  expect(opened.now).toBe(0);
});

test('the expected wait of a queued request counts those ahead, without querying the store [U-60]', async () => {
  const { clock, start, breakStore } = setUp(2);
  const [one, other] = [start(), start()];
  await one.store.settle(await one.take());
  clock.at += 1_000;
  await one.store.settle(await one.take());
  const denial = await other.store.take();
  await breakStore();
  const forecasts = [0, 1, 2, 3].map((ahead) => ('forecast' in denial && denial.forecast?.(ahead)) || 0);
  expect(forecasts.map((at) => at - clock.at)).toEqual([60_000, 61_000, 121_000, 122_000]);
  expect(other.events).toEqual([]);
});

test('refuses invalid options before opening anything, without the API key', () => {
  const { start } = setUp();
  expect(() => start({ apiKey: ' ' })).toThrow('API key is missing');
  expect(() => start({ baseUrl: 'shop.example' })).toThrow(expect.objectContaining({ code: 'configuration' }));
  expect(() => start({ requests: 0 })).toThrow('`requests` must be a number from 1');
  expect(() => start({ windowMs: Number.NaN })).toThrow('`windowMs` must be a number from 1');
});
