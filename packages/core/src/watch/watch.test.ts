import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChangesState } from '../base/changes-state.ts';
import { createWatchedShop } from './watched-shop.fixture.ts';

let onSave: () => void = () => undefined;
afterEach(() => {
  onSave = () => undefined;
  vi.useRealTimers();
});

const setUp = () => {
  const shop = createWatchedShop({ orders: 5 });
  const saved: ChangesState[] = [];
  const watch = (signal?: AbortSignal) =>
    shop.client.watch({
      events: ['newOrder'],
      load: () => saved.at(-1),
      save(state) {
        saved.push(state);
        onSave();
      },
      intervalMs: 30_000,
      signal,
    });
  return { shop, saved, watch };
};

test('saves a poll’s state only when the caller requests the next event after its last one', async () => {
  const { shop, saved, watch } = setUp();
  await shop.client.changes({ events: ['newOrder'] }).then(({ state }) => saved.push(state));
  const ids = [1, 2].map(() => shop.mock.state.insertOrder('business', {}).id);
  const events = watch();
  expect((await events.next()).value).toMatchObject({ eventId: `new-order:${ids[0]}` });
  expect((await events.next()).value).toMatchObject({ eventId: `new-order:${ids[1]}` });
  expect(saved).toHaveLength(1);
  onSave = () => shop.mock.state.insertOrder('business', {});
  expect((await events.next()).value).toMatchObject({ event: 'newOrder' });
  expect(saved).toHaveLength(2);
});

test('a program that stops between two events gets both again, with the same IDs', async () => {
  const { shop, saved, watch } = setUp();
  await shop.client.changes({ events: ['newOrder'] }).then(({ state }) => saved.push(state));
  for (let n = 0; n < 2; n++) shop.mock.state.insertOrder('business', {});
  const first: string[] = [];
  for await (const { eventId } of watch()) if (first.push(eventId) === 2) break;
  const again: string[] = [];
  for await (const { eventId } of watch()) if (again.push(eventId) === 2) break;
  expect(again).toEqual(first);
});

test('after ten minutes of failing polls, saves the progress, throws, and starts the ten minutes over', async () => {
  const { shop, saved, watch } = setUp();
  await shop.client.changes({ events: ['newOrder'] }).then(({ state }) => saved.push(state));
  shop.breakAfter(0);
  const error: unknown = await watch()
    .next()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'connection', state: { silentSince: expect.any(Number) } });
  expect(saved.at(-1)).toMatchObject({ silentSince: null });
  expect(saved.at(-1)?.state).toEqual((error as { state: ChangesState }).state.state);
  for (const text of [JSON.stringify(error), inspect(error)]) expect(text).not.toContain('silentSince');
});

test('rejects an interval that no timer can wait for', async () => {
  const { shop, saved } = setUp();
  const options = { load: () => undefined, save: () => undefined, events: ['newOrder' as const] };
  for (const intervalMs of [-1, Number.NaN, Infinity, 2 ** 31]) {
    await expect(shop.client.watch({ ...options, intervalMs }).next()).rejects.toMatchObject({ code: 'configuration' });
  }
  expect([saved, shop.sent()]).toEqual([[], 0]);
});

test('ends when the signal aborts', async () => {
  const { shop, saved, watch } = setUp();
  const stop = new AbortController();
  const seen: string[] = [];
  saved.push((await shop.client.changes({ events: ['newOrder'] })).state);
  shop.mock.state.insertOrder('business', {});
  for await (const { eventId } of watch(stop.signal)) {
    seen.push(eventId);
    stop.abort();
  }
  expect(seen).toHaveLength(1);
  expect(saved).toHaveLength(2);
});

test('ends when the signal aborts during a poll', async () => {
  const { shop, saved, watch } = setUp();
  const stop = new AbortController();
  const unsubscribe = shop.mock.journal.subscribe(() => stop.abort());
  expect(await watch(stop.signal).next()).toEqual({ done: true, value: undefined });
  unsubscribe();
  expect(saved).toEqual([]);
});
