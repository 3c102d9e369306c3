import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Memory, newMemory, readIds, readState, saveIds, saveState } from './state.ts';

test('an ID list is read as it was saved, in its order', () => {
  const id = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '-5', '007', '123456789012345678901', 'x'));
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      expect(readIds(saveIds(ids))).toEqual(ids);
    }),
  );
});

const filled = (): Memory => {
  const memory = newMemory();
  memory.head = { from: 5, total: undefined, seen: new Map([['9', null]]) };
  const list = { page: 2, pages: 3, readAt: 7, isKnown: true, tolerated: 1 };
  memory.lists.set('bezahlt', { ...list, above: ['9', '8'], below: ['3'] });
  for (const [id, delivery] of [
    ['9', 'abc'],
    ['8', ''],
  ] as const) {
    memory.orders.set(id, { status: 'bezahlt', reached: 1, before: { delivery, isRead: id === '9' } });
  }
  memory.orders.set('3', { status: 'bezahlt', reached: 2, before: undefined });
  memory.orders.set('4', { status: 'other-x', reached: 2, before: undefined });
  memory.toRead.set('4', { at: 7, due: 99, isUrgent: true, tries: 2 });
  memory.held.push({ event: 'statusChanged', id: '3', status: 'bezahlt', previousStatus: 'ausstehend', since: 4 });
  memory.hasCodes = true;
  memory.orders.set('5', { status: 'bezahlt', reached: 1, codes: { since: 1, states: 's', known: ['1:7', '1:a.1'] } });
  return memory;
};

test('a state is read as it was saved, through JSON', () => {
  const memory = filled();
  expect(readState(JSON.parse(JSON.stringify(saveState(memory))))).toEqual(memory);
});

test.each([undefined, null, 7, 'text', {}, { version: 99 }])('%j is not a state', (state) => {
  expect(readState(state)).toBeUndefined();
});

test('25,000 paid orders take at most 100 kB', () => {
  const memory = filled();
  const ids = Array.from({ length: 25_000 }, (_, n) => String(500_000 - 8 * n - (n % 3)));
  const before = { delivery: 'abcdefg', isRead: false };
  for (const id of ids) memory.orders.set(id, { status: 'bezahlt', reached: 1, before });
  memory.lists.set('bezahlt', { ...(memory.lists.get('bezahlt') as never as object), below: ids } as never);
  expect(JSON.stringify(saveState(memory)).length).toBeLessThan(100_000);
});
