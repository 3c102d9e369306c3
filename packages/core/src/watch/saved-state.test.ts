import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIds, readState, saveIds, saveState } from './saved-state.ts';
import { type Codes, newState, type WatchState } from './state.ts';

test('an ID list is read back as saved, in the same order', () => {
  const id = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '-5', '007', '123456789012345678901', 'x'));
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      expect(readIds(saveIds(ids))).toEqual(ids);
    }),
  );
});

const filled = (): WatchState => {
  const state = { ...newState(), now: 7, systemNow: 9, hasCodes: true };
  state.head = { from: 5, total: undefined, seen: new Map([['9', null]]) };
  const sweep = { page: 2, pages: 3, readAt: 7, isKnown: true, excess: 1 };
  state.lists.set('bezahlt', { ...sweep, seen: new Set(['9', '8']), unseen: new Set(['3']) });
  const codes: Codes = { since: 0, delivery: 'abc', known: ['1:7', '1:a.1'] };
  state.orders.set('9', { status: 'bezahlt', reached: 1, codes: { ...codes, before: 'whole' } });
  state.orders.set('8', { status: 'bezahlt', reached: 1, codes });
  state.orders.set('3', { status: 'bezahlt', reached: 2, codes: undefined });
  state.orders.set('4', { status: 'other-x', reached: 2, codes: undefined });
  state.toRead.set('4', { due: 99, isUrgent: true, tries: 2 });
  state.held.push({ event: 'statusChanged', id: '3', status: 'bezahlt', previousStatus: 'ausstehend', since: 4 });
  return state;
};

test('a state is read back from JSON as it was saved', () => {
  const state = filled();
  expect(readState(JSON.parse(JSON.stringify(saveState(state))))).toEqual(state);
});

const changed = (part: object) => {
  const saved = saveState(newState());
  return { ...saved, state: { ...(saved.state as object), ...part } };
};

test.each([
  ...[
    undefined,
    null,
    7,
    'text',
    {},
    { version: 99 },
    { version: 3 },
    { ...saveState(newState()), silentSince: undefined },
  ],
  ...[null, 7, 'text', {}, []].map((state) => ({ version: 3, state })),
  changed({ orders: null }),
  changed({ orders: { pairs: 7 } }),
  changed({ orders: { pairs: [['1', null]] } }),
  changed({ lists: { pairs: [['bezahlt', {}]] } }),
  changed({ lists: { runs: [7] } }),
  changed({ head: {} }),
  changed({ held: {} }),
  changed({ now: '7' }),
])('rejects %j as a state', (state) => {
  expect(readState(state)).toBeUndefined();
});

test('a saved state with 25,000 paid orders is at most 100 kB long', () => {
  const state = filled();
  const ids = Array.from({ length: 25_000 }, (_, n) => String(500_000 - 8 * n - (n % 3)));
  const codes: Codes = { since: 1_893_456_000, delivery: 'abcdefg', known: [], before: 'unread' };
  for (const id of ids) state.orders.set(id, { status: 'bezahlt', reached: 1, codes: { ...codes } });
  state.lists.get('bezahlt')?.unseen.clear();
  for (const id of ids) state.lists.get('bezahlt')?.unseen.add(id);
  expect(JSON.stringify(saveState(state)).length).toBeLessThan(100_000);
});
