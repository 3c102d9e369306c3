import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { isRateLimitError } from '../../portable/base/errors.ts';
import type { ClientEvent } from '../../portable/base/events.ts';
import { acquire } from '../../portable/rate-limit/acquire.fixture.ts';
import { createPacer } from '../../portable/rate-limit/pacer.ts';
import type { Permit } from '../../portable/rate-limit/store.ts';
import type { PermitTable } from './permit-table.ts';
import { createSharedStore, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteTable } from './sqlite-table.ts';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };

/** Stores on one file, as several processes have them, on a clock that the test moves. */
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
    /** Takes until there is no more. */
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
  /** The table is gone, with all that it knew, and cannot be made again. */
  const breakStore = async () => {
    isBroken = true;
    rmSync(folder, { recursive: true, force: true });
  };
  const mendStore = () => {
    isBroken = false;
  };
  /** The table is empty, and has to be opened again. */
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

test('a permit with which nothing was sent counts no longer, for any process', async () => {
  const { start } = setUp(2);
  const [one, other] = [start(), start()];
  const [first] = await one.takeAll();
  expect(await other.takeAll()).toEqual([]);
  await one.store.giveBack?.(first as Permit);
  expect(await other.takeAll()).toHaveLength(1);
  expect(await one.takeAll()).toEqual([]);
});

test('a store that fails once and is opened again is told of: for a while there is a quarter alone', async () => {
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
  expect(events).toEqual([{ ...lost(2), problem: 'it had to be opened again' }, found]);
  const answers = [await store.take(), await store.take()];
  expect(answers.at(-1)).toMatchObject({ reduced: true });
});

test('without its store a process takes a quarter of the limit, and at least one', async () => {
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

test('what it took from the store before counts in memory too', async () => {
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

test('the store is asked again every five seconds, and the two events come once each', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  await breakStore();
  const { store, events, takeAll } = start();
  await takeAll();
  expect(await store.take()).toEqual({ retryAt: clock.at + 5_000, reduced: true });
  clock.at += 4_999;
  mendStore();
  expect(await store.take()).toEqual({ retryAt: clock.at + 1, reduced: true });
  expect(events).toEqual([lost(2)]);
  clock.at += 1;
  expect(await store.take()).toEqual({ retryAt: clock.at + 61_000, reduced: true });
  expect(events).toEqual([lost(2), found]);
});

test('without the store, who cannot wait for the quarter to come back is told so at once, and for how long [S-84]', async () => {
  const { clock, start, breakStore } = setUp(8);
  await breakStore();
  const { store } = start();
  const sleep = async (ms: number) => {
    clock.at += ms;
  };
  const host = { now: () => clock.at, sleep };
  const pacer = createPacer({ store, host, minGapMs: 0, concurrency: 4, reserve: 0 });
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

test('without the store, the quarter is divided like the limit, and somebody who may use the reserve gets the rest', async () => {
  const { start, breakStore } = setUp(8);
  await breakStore();
  const { store } = start();
  expect(await store.take(4)).toHaveProperty('permit');
  expect(await store.take(4)).toMatchObject({ reduced: true });
  expect(await store.take()).toHaveProperty('permit');
  expect(await store.take()).toMatchObject({ reduced: true });
});

test('once the store is back, what was taken without it counts for everybody', async () => {
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
  expect(await other.store.take()).toEqual({ retryAt: clock.at - 5_000 + 61_000 });
  clock.at += 56_000;
  expect(await other.takeAll()).toHaveLength(1);
  if (inFlight) await one.store.settle(inFlight);
  expect(await other.store.take()).toEqual({ retryAt: clock.at + 61_000 });
});

test('a store that comes back empty is filled again by those who used it, who meanwhile keep to a quarter', async () => {
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

test('if the limit was full when the store was last heard, all of that comes back before anything is sent', async () => {
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

test('the same if it comes back empty before anybody has missed it', async () => {
  const { clock, start, restartStore } = setUp(8);
  const [one, other] = [start(), start()];
  for (const permit of await one.takeAll()) {
    await one.store.settle(permit);
    clock.at += 1_000;
  }
  expect(await other.takeAll()).toEqual([]);
  restartStore();
  expect(await other.store.take()).toEqual({ retryAt: clock.at + 60_000, reduced: true });
  clock.at += 59_999;
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await other.takeAll()).toHaveLength(2);
  expect(other.events).toEqual([{ ...lost(2), problem: 'it had to be opened again' }, found]);
});

test('a pause without the store holds here at once, and for everybody once it is back [S-84]', async () => {
  const { clock, start, breakStore, mendStore } = setUp(8);
  await breakStore();
  const [one, other] = [start(), start()];
  await one.store.take();
  await one.store.pause(clock.at + 61_000);
  clock.at += 4_000;
  expect(await one.takeAll()).toEqual([]);
  mendStore();
  clock.at += 1_000;
  expect(await one.store.take()).toEqual({ retryAt: clock.at + 56_000, reduced: false });
  expect(await other.store.take()).toEqual({ retryAt: clock.at + 56_000 });
});

test('a pause that another process entered still holds when the store is gone [S-84]', async () => {
  const { clock, start, breakStore } = setUp(8);
  const [one, other] = [start(), start()];
  await one.store.pause(clock.at + 61_000);
  expect(await other.store.take()).toEqual({ retryAt: clock.at + 61_000 });
  await breakStore();
  expect(await other.takeAll()).toEqual([]);
  clock.at += 61_000;
  expect(await other.takeAll()).toHaveLength(2);
});

test('a store that was closed during a call opens nothing again', async () => {
  const { start, opened } = setUp(2);
  const { store, events, take } = start();
  const [settled, unused] = [await take(), await take()];
  await store.close();
  await store.settle(settled);
  await store.giveBack?.(unused);
  await store.pause(0);
  await expect(store.take()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('has been closed'),
  });
  expect(opened).toEqual({ times: 1, now: 0 });
  expect(events).toEqual([]);
});

test('a store that is closed while it is being opened stays closed', async () => {
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

test('the wait of one far back in the queue counts those before, without asking the store [U-60]', async () => {
  const { clock, start, breakStore } = setUp(2);
  const [one, other] = [start(), start()];
  await one.store.settle(await one.take());
  clock.at += 1_000;
  await one.store.settle(await one.take());
  await other.store.take();
  await breakStore();
  const forecasts = [0, 1, 2, 3].map(await other.store.forecast());
  expect(forecasts.map((at) => at - clock.at)).toEqual([60_000, 61_000, 121_000, 122_000]);
  expect(other.events).toEqual([]);
});

test('options that cannot be right are refused before anything is opened, without the API key', () => {
  const { start } = setUp();
  expect(() => start({ apiKey: ' ' })).toThrow('API key is missing');
  expect(() => start({ baseUrl: 'shop.example' })).toThrow(expect.objectContaining({ code: 'configuration' }));
  expect(() => start({ requests: 0 })).toThrow('`requests` has to be a number from 1');
  expect(() => start({ windowMs: Number.NaN })).toThrow('`windowMs` has to be a number from 1');
});
