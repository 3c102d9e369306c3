import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { setUp } from './shared-store.fixture.ts';

const lost = (requests: number) => ({ type: 'store_unavailable', store: 'sqlite', problem: 'no file', requests });
const found = { type: 'store_available', store: 'sqlite' };

/** A store that is unavailable from the beginning. */
const setUpLost = async (requests = 8) => {
  const all = setUp(requests);
  await all.breakStore();
  return { ...all, ...all.start() };
};

test.each([
  [60, 15],
  [8, 2],
  [3, 1],
  [1, 1],
])('of %i requests per window, a process without its store uses %i', async (requests, share) => {
  const { events, takeAll } = await setUpLost(requests);
  expect(await takeAll()).toHaveLength(share);
  expect(events).toEqual([lost(share)]);
});

test('queries a lost store at most every five seconds, and reports its loss and its return once each', async () => {
  const { clock, repairStore, store, events, takeAll } = await setUpLost();
  await takeAll();
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 61_000, reduced: true });
  clock.at += 4_999;
  repairStore();
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 61_000, reduced: true });
  expect(events).toEqual([lost(2)]);
  clock.at += 1;
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 61_000, reduced: true });
  expect(events).toEqual([lost(2), found]);
});

test('without the store, the reduced limit has a proportional reserve for callers that may use it', async () => {
  const { store } = await setUpLost(16);
  for (let taken = 0; taken < 3; taken++) expect(await store.take(4)).toHaveProperty('permit');
  expect(await store.take(4)).toMatchObject({ reduced: true });
  expect(await store.take()).toHaveProperty('permit');
  expect(await store.take()).toMatchObject({ reduced: true });
});

test('uses a quarter of the limit for one window plus the guard after an emptied store is available again', async () => {
  const { clock, start, breakStore, repairStore } = setUp(8);
  const [one, other] = [start(), start()];
  const permits = [await one.take()];
  await breakStore();
  permits.push(...(await one.takeAll()));
  expect(permits).toHaveLength(2);
  expect(await other.takeAll()).toHaveLength(2);
  repairStore();
  clock.at += 5_000;
  for (const permit of permits) await one.store.settle(permit);
  expect(await one.takeAll()).toEqual([]); // the other store's two permits are not in the table
  clock.at += 60_999;
  expect(await one.takeAll()).toEqual([]);
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await one.takeAll()).toHaveLength(8);
});

test.each([
  ['is gone', 'breakStore', [lost(2)]],
  ['was emptied', 'restartStore', [{ ...lost(2), problem: 'the store lost its content' }, found]],
] as const)('if the store %s, the permits that it last contained count, whoever took them', async (_, how, events) => {
  const { clock, start, ...change } = setUp(8);
  // The clock of the store is ahead of that of this process, as the clock of a Redis can be.
  const now = () => clock.at - 7_000;
  const [one, other] = [start(), start({ now })];
  for (const permit of await one.takeAll()) {
    await one.store.settle(permit);
    clock.at += 1_000;
  }
  expect(await other.takeAll()).toEqual([]);
  await change[how]();
  expect(await other.store.take()).toMatchObject({ retryAt: now() + 59_000, reduced: true });
  clock.at += 58_999;
  expect(await other.takeAll()).toEqual([]);
  clock.at += 1;
  expect(await other.takeAll()).toHaveLength(1); // one of the eight permits has not returned yet
  clock.at += 1_000;
  expect(await other.takeAll()).toHaveLength(1);
  expect(other.events).toEqual(events);
});

test('a pause during a store failure applies to this process, even after the store is available again [S-84]', async () => {
  const { clock, repairStore, store, takeAll } = await setUpLost();
  await store.take();
  await store.pause(clock.at + 61_000);
  clock.at += 4_000;
  expect(await takeAll()).toEqual([]);
  repairStore();
  clock.at += 1_000;
  expect(await store.take()).toMatchObject({ retryAt: clock.at + 56_000, reduced: false });
});

/** Loses the content but keeps the connection, as when Redis evicts the key or is flushed. */
const loseContent = (path: string): void => {
  using db = new DatabaseSync(path);
  db.exec('delete from permits');
};

const contentLost = (requests: number) => ({ ...lost(requests), problem: 'the store lost its content' });

test.each([
  ['is gone', false],
  ['was replaced by another process', true],
])(
  'if the record %s, reports that, and uses a quarter of the limit for one window plus the guard',
  async (_, isReplaced) => {
    const { clock, start, path } = setUp(8);
    const [one, other, newcomer] = [start(), start(), start()];
    const permits = [await one.take(), await one.take(), await one.take()];
    await other.take();
    loseContent(path);
    if (isReplaced) await newcomer.take();
    expect(await one.store.take()).toMatchObject({ retryAt: clock.at + 61_000, reduced: true });
    await other.store.take();
    const reported = [contentLost(2), found];
    expect([one.events, other.events, newcomer.events]).toEqual([reported, reported, []]);
    for (const permit of permits) await one.store.settle(permit);
    expect(await one.takeAll()).toEqual([]);
    clock.at += 61_000;
    expect(await one.takeAll()).toHaveLength(2);
    clock.at += 5_000;
    expect((await one.takeAll()).length).toBeGreaterThan(2);
  },
);

test('does not treat a record as lost if everything in it had expired', async () => {
  const { clock, start, path } = setUp(8);
  const [one, other] = [start(), start()];
  await one.store.settle(await one.take());
  await other.store.settle(await other.take(), false);
  clock.at += 61_000;
  loseContent(path);
  expect(await one.takeAll()).toHaveLength(8);
  expect([...one.events, ...other.events]).toEqual([]);
});

test('a pause continues after the record that contained it is lost [S-84]', async () => {
  const { clock, start, path } = setUp(8);
  const [one, other] = [start(), start()];
  await one.store.pause(clock.at + 300_000);
  await other.store.take();
  clock.at += 100_000;
  loseContent(path);
  expect(await other.store.take()).toMatchObject({ retryAt: clock.at + 200_000 });
});

test('concurrent calls do not exceed the reduced limit', async () => {
  const { clock, breakStore, repairStore, store } = await setUpLost();
  const takeThree = async () =>
    (await Promise.all([store.take(), store.take(), store.take()])).filter((result) => 'permit' in result).length;
  expect(await takeThree()).toBe(2);
  repairStore();
  clock.at += 190_000;
  await breakStore();
  await store.pause(0);
  repairStore();
  clock.at += 5_000;
  expect(await takeThree()).toBe(2);
});

const otherClock = 'machines with different clocks use the same file; use Redis, or one file for each machine';

test('two machines that use one file notice it, report it once each, and keep to a quarter of the limit', async () => {
  const { clock, start } = setUp(8);
  const ahead = 5_000_000;
  const here = start();
  const there = start({ now: () => clock.at + ahead });
  /** Runs a step on the clock of the other machine. */
  const onOther = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    clock.at += ahead;
    const result = await step();
    clock.at -= ahead;
    return result;
  };
  for (let round = 0; round < 12; round++) {
    for (const permit of await here.takeAll()) await here.store.settle(permit);
    const permits = await onOther(() => there.takeAll());
    for (const permit of permits) await onOther(() => there.store.settle(permit));
    if (round > 2) expect(permits.length).toBeLessThanOrEqual(2);
    clock.at += 61_000;
  }
  expect(await here.takeAll()).toHaveLength(2);
  expect(here.events).toEqual([{ ...lost(2), problem: otherClock }]);
  expect(there.events).toEqual([{ ...lost(2), problem: otherClock }]);
});
