import { expect, test } from 'vitest';
import type { ChangesState } from '../base/changes-state.ts';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';
import type { ChangesOptions } from './changes.ts';
import { changeNames } from './events.ts';
import {
  createProgram,
  createWatchedShop,
  everything,
  hourMs,
  idsOf,
  type WatchedShop,
} from './watched-shop.fixture.ts';

/** Calls `changes` until it is complete. */
const runJob = async (
  shop: WatchedShop,
  options: Omit<ChangesOptions, 'state'>,
  saved?: ChangesState,
  requests = Infinity,
) => {
  const found: string[] = [];
  let state = saved;
  for (let calls = 1; calls <= 60; calls++) {
    shop.limit(requests);
    const { complete, events, state: next } = await shop.client.changes({ ...options, state });
    state = next;
    found.push(...idsOf(events));
    if (complete) return { calls, found, state };
    if (Number.isFinite(requests)) shop.pass(51_000);
  }
  throw new Error('The job does not end.');
};

test('with free permits, one call reports 500 orders completed overnight, with their list entries', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(500, { status: 'bezahlt' });
  const options: ChangesOptions = { events: ['completed', 'statusChanged'] };
  const { state } = await runJob(shop, options);
  shop.pass(8 * hourMs);
  shop.setStatus(ids, 'abgeschlossen');
  const before = shop.sent();
  const { events, complete } = await shop.client.changes({ ...options, state });
  expect(complete).toBe(true);
  expect(events).toHaveLength(1_000);
  expect(events.filter(({ order }) => order.created_at === null)).toEqual([]);
  expect(shop.sent() - before).toBeLessThan(25);
});

test('finds 1,000 orders completed overnight with fewer than 500 requests, even if a call gets only 55 permits', async () => {
  const shop = createWatchedShop({ orders: 0 });
  shop.insertMany(500, { status: 'abgeschlossen' });
  const ids = shop.insertMany(1_000, { status: 'bezahlt' });
  const program = createProgram(shop, { events: ['completed'] });
  await program.poll();
  shop.pass(8 * hourMs);
  shop.setStatus(ids, 'abgeschlossen');
  const before = shop.sent();
  for (let calls = 0; program.told.length < ids.length && calls < 30; calls++) await program.poll({ requests: 55 });
  expect(program.orderIds().toSorted()).toEqual(ids);
  expect(shop.sent() - before).toBeLessThan(500);
});

test('a poll each night reports the 450 completions of that day, even if the state has those of the day before', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const program = createProgram(shop, { events: ['completed'] });
  let paid = shop.insertMany(450, { status: 'bezahlt' });
  await program.poll();
  for (let night = 1; night <= 3; night++) {
    shop.pass(16 * hourMs);
    shop.setStatus(paid, 'abgeschlossen');
    paid = shop.insertMany(450, { status: 'bezahlt' });
    const before = shop.sent();
    await program.poll();
    expect(program.told).toHaveLength(450 * night);
    expect(shop.sent() - before).toBeLessThan(50);
  }
});

test('finds every change after a night by looping until complete, with few permits a call', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(300, { status: 'bezahlt', codes: 1, delivered: 1 });
  const { state } = await runJob(shop, everything);
  shop.pass(8 * hourMs);
  const completed = ids.slice(20, 200);
  shop.setStatus(completed, 'abgeschlossen');
  const added = shop.insertMany(120);
  const { calls, found } = await runJob(shop, everything, state, 8);
  expect(found.filter((id) => id.startsWith('completed:'))).toHaveLength(completed.length);
  expect(found.filter((id) => id.startsWith('new-order:')).sort()).toEqual(added.map((id) => `new-order:${id}`).sort());
  expect(new Set(found).size).toBe(found.length);
  expect(calls).toBeGreaterThan(1);
});

test('after a night, a loop reads all pages of a list even if `total` is unchanged and permits are few', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(1_000, { status: 'bezahlt' });
  const [enters = 0, completed = 0] = ids;
  shop.setStatus(enters, 'storniert');
  const options: ChangesOptions = { events: ['completed'] };
  const { state } = await runJob(shop, options);
  shop.pass(8 * hourMs);
  shop.setStatus(completed, 'abgeschlossen');
  shop.setStatus(enters, 'bezahlt');
  const { found } = await runJob(shop, options, state, 8);
  expect(found).toEqual([`completed:${completed}`]);
});

test('after a night, a poll reads all orders that wait for codes even if no list field shows the codes', async () => {
  const shop = createWatchedShop({ orders: 0, set: { lieferstatus: ['-', '-', '-'] } });
  const options: ChangesOptions = { events: ['licenseCodeAvailable'] };
  const baseline = await runJob(shop, options);
  const ids = shop.insertMany(20, { status: 'bezahlt', codes: 1, delivered: 0 });
  const { state } = await runJob(shop, options, baseline.state);
  shop.pass(8 * hourMs);
  shop.deliver(ids, 1);
  const { events, complete } = await shop.client.changes({ ...options, state });
  expect(events.map(({ order }) => order.id).sort()).toEqual(ids);
  expect(complete).toBe(true);
});

test('a loop until `complete` ends even if an order and a page of a catch-up always fail', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(10);
  const options: ChangesOptions = { events: changeNames, includeDetails: true };
  const { state } = await runJob(shop, options);
  shop.setStatus(ids.slice(0, 5), 'storniert');
  for (const id of ids.slice(0, 2)) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  const first = await runJob(shop, options, state);
  expect(first.found).toEqual(ids.slice(2, 5).map((id) => `status:${id}:storniert`));
  const fresh = shop.insertMany(80);
  shop.mock.faults.add({ kind: '500', operation: 'list', page: 2, times: 'always' });
  const second = await runJob(shop, options, first.state);
  expect(second.found).toEqual(fresh.slice(30).map((id) => `new-order:${id}`));
});

test('`watch` polls again at once while polls are incomplete and find something', async () => {
  const shop = createWatchedShop({ orders: 20 });
  const events: ChangesOptions['events'] = ['newOrder'];
  let { state } = await shop.client.changes({ events });
  shop.insertMany(120);
  const startedAt = shop.mock.clock.now();
  const stop = new AbortController();
  shop.limit(2);
  const watched = shop.client.watch({
    events,
    load: () => state,
    save: (next) => {
      state = next;
      shop.limit(10);
      shop.pass(51_000);
    },
    intervalMs: hourMs,
    signal: stop.signal,
  });
  let count = 0;
  let endedAt = 0;
  for await (const _ of watched) {
    endedAt = shop.mock.clock.now();
    if (++count === 120) stop.abort();
  }
  expect(count).toBe(120);
  expect(endedAt - startedAt).toBeLessThan(hourMs);
});

test.each([
  ['newOrder', { events: ['newOrder'] }, 1_500],
  ['everything', everything, 3_300],
] as const)('an idle day costs at most its budget of requests [%s]', async (_, options, budget) => {
  const shop = createWatchedShop({ orders: 0 });
  shop.insertMany(100);
  shop.insertMany(40, { status: 'bezahlt', codes: 1, delivered: 1 });
  const program = createProgram(shop, options);
  await program.pollFor(30);
  const before = shop.sent();
  // Every hour costs the same, so a quarter of the day shows it.
  await program.pollFor(1_440 / 4);
  expect(shop.sent() - before).toBeLessThanOrEqual(budget / 4);
  expect(program.told).toEqual([]);
});

test('a poll that gets no permit waits until its time is up, is not complete, and causes no warning', async () => {
  const shop = createWatchedShop({ orders: 20 });
  const { state } = await runJob(shop, everything);
  shop.limit(0);
  const startedAt = shop.mock.clock.now();
  const found = await shop.client.changes({ ...everything, state, deadlineMs: 20_000 });
  expect(found).toMatchObject({ complete: false, events: [], warnings: [] });
  expect(shop.mock.clock.now() - startedAt).toBe(20_000);
});

test('a poll that waits for a permit ends as soon as its signal aborts', async () => {
  let isPaused = false;
  const take = async () => (isPaused ? { retryAt: clock.now() + hourMs } : { permit: { id: 1 } });
  const store = { take, settle: async () => undefined, pause: async () => undefined };
  const { clock, newClient } = setUpVirtual({ store }, { orders: 5, limit: 'off' });
  const client = newClient();
  const { state } = await clock.run(client.changes(everything));
  isPaused = true;
  const startedAt = clock.now();
  const stop = new AbortController();
  const found = errorOf(client.changes({ ...everything, state, signal: stop.signal }));
  await clock.advance(10_000);
  stop.abort();
  expect(await clock.run(found)).toMatchObject({ code: 'aborted' });
  expect(clock.now() - startedAt).toBe(10_000);
});
