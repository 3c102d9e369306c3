import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ChangesState } from '../base/changes-state.ts';
import { createWatchedShop, type WatchedShop } from './watched-shop.fixture.ts';

/** A shop with a saved state; `onSave` is called after each further save. */
const setUp = async (onSave: (shop: WatchedShop) => void = () => undefined) => {
  const shop = createWatchedShop({ orders: 5 });
  const saved = [(await shop.client.changes({ events: ['newOrder'] })).state];
  const watch = (signal?: AbortSignal) =>
    shop.client.watch({
      events: ['newOrder'],
      load: () => saved.at(-1),
      save(state) {
        saved.push(state);
        onSave(shop);
      },
      intervalMs: 30_000,
      signal,
    });
  return { shop, saved, watch };
};

test('saves a poll’s state only when the caller requests the event after that poll’s last one', async () => {
  const { shop, saved, watch } = await setUp(({ insert }) => insert());
  const ids = shop.insertMany(2);
  const events = watch();
  expect((await events.next()).value).toMatchObject({ eventId: `new-order:${ids[0]}` });
  expect((await events.next()).value).toMatchObject({ eventId: `new-order:${ids[1]}` });
  expect(saved).toHaveLength(1);
  expect((await events.next()).value).toMatchObject({ event: 'newOrder' });
  expect(saved).toHaveLength(2);
});

test('a program that stops between two events gets both again, with the same IDs', async () => {
  const { shop, watch } = await setUp();
  shop.insertMany(2);
  const first: string[] = [];
  for await (const { eventId } of watch()) if (first.push(eventId) === 2) break;
  const again: string[] = [];
  for await (const { eventId } of watch()) if (again.push(eventId) === 2) break;
  expect(again).toEqual(first);
});

test('after ten minutes of failing polls, saves the progress, throws, and starts the ten minutes over', async () => {
  const { shop, saved, watch } = await setUp();
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
  const { shop } = await setUp();
  const options = { load: () => undefined, save: () => undefined, events: ['newOrder' as const] };
  const before = shop.sent();
  for (const intervalMs of [-1, Number.NaN, Infinity, 2 ** 31]) {
    await expect(shop.client.watch({ ...options, intervalMs }).next()).rejects.toMatchObject({ code: 'configuration' });
  }
  expect(shop.sent()).toBe(before);
});

test('ends when the signal aborts', async () => {
  const { shop, saved, watch } = await setUp();
  const stop = new AbortController();
  const seen: string[] = [];
  shop.insert();
  for await (const { eventId } of watch(stop.signal)) {
    seen.push(eventId);
    stop.abort();
  }
  expect(seen).toHaveLength(1);
  expect(saved).toHaveLength(2);
});

test('ends when the signal aborts during a poll', async () => {
  const { shop, saved, watch } = await setUp();
  const stop = new AbortController();
  const unsubscribe = shop.mock.journal.subscribe(() => stop.abort());
  expect(await watch(stop.signal).next()).toEqual({ done: true, value: undefined });
  unsubscribe();
  expect(saved).toHaveLength(1);
});
