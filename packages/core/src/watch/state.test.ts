import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hash } from '../base/hash.ts';
import { type Codes, newState, readIds, readState, saveIds, saveState, statusName, type WatchState } from './state.ts';

test('an ID list is read back as saved, in the same order', () => {
  const id = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '-5', '007', '123456789012345678901', 'x'));
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      expect(readIds(saveIds(ids))).toEqual(ids);
    }),
  );
});

test('a status that cannot be converted to text has a name [U-59]', () => {
  expect(statusName(JSON.parse('[[{"toString": null}]]'))).toMatch(/^other-/);
});

const filled = (): WatchState => {
  const state = { ...newState(), now: 7, hasCodes: true };
  state.head = { from: 5, seen: new Map([['9', null]]), gap: { newest: 9, oldest: 7 } };
  state.lists.set('bezahlt', { page: 2, sweptAt: 5, nextAt: 7, failed: 2 });
  const codes: Codes = { since: 0, delivery: 'abc', known: ['1:7', '1:a.1'] };
  const failed = { since: 3, retryAt: 99 };
  state.orders.set('9', { status: 'bezahlt', reached: 1, codes: { ...codes, undecidedSince: 3 } });
  state.orders.set('8', { status: 'bezahlt', reached: 1, codesAt: 60, codes });
  state.orders.set('3', { status: 'bezahlt', reached: 2 });
  state.orders.set('4', { status: 'other-x', reached: 2, readAt: 3, backAt: 9, failed, leftAt: 3 });
  return state;
};

test('a state is read back from JSON as it was saved', () => {
  const state = filled();
  expect(readState(JSON.parse(JSON.stringify(saveState(state))))).toEqual(state);
});

test('a state that lost its null fields is read back', () => {
  const { silentSince: _, ...saved } = saveState(filled());
  expect(readState(saved)).toEqual(filled());
});

const changed = (part: object) => {
  const saved = saveState(newState());
  return { ...saved, state: { ...(saved.state as object), ...part } };
};

test.each([
  ...[undefined, null, 7, 'text', {}, { version: 99 }, { version: 3 }, { version: 4 }],
  ...[null, 7, 'text', {}, []].map((state) => ({ version: 4, state })),
  changed({ orders: null }),
  changed({ orders: { runs: 7 } }),
  changed({ lists: 7 }),
])('rejects %j as a state', (state) => {
  expect(readState(state)).toBeUndefined();
});

test.each([25_000, 100_000])('a saved state with %i orders takes at most four bytes per order', (count) => {
  const state = filled();
  const delivery = ['offen', 'teilgeliefert', 'geliefert'].map((text) => hash(text));
  for (let n = 0; n < count; n++) {
    const isPending = n % 10 === 3;
    const codes: Codes = { since: 0, undecidedSince: 0, delivery: delivery[(n * 7) % 3] };
    const readAt = n % 500 === 0 ? n : undefined;
    state.orders.set(String(5_000_000 - 8 * n - (n % 3)), {
      status: isPending ? 'ausstehend' : 'bezahlt',
      reached: isPending ? 0 : 1,
      isUnlisted: n > count / 2 ? (true as const) : undefined,
      readAt,
      ...(!isPending && { codes }),
    });
  }
  const saved = JSON.stringify(saveState(state));
  expect(saved.length).toBeLessThan(4 * count);
  expect(readState(JSON.parse(saved))?.orders).toEqual(state.orders);
});
