import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIds, saveIds } from './id-list';

test('saves adjacent IDs as small numbers', () => {
  expect(saveIds(['10003', '10001', '10002'])).toEqual([10_001, 1, 1]);
});

test('saves IDs that are not exact integers as strings [U-25]', () => {
  const ids = ['7', '007', '-3', '123456789012345678901'];
  expect(readIds(saveIds(ids)).sort()).toEqual(ids.sort());
});

test('reads back what it saved', () => {
  const id = fc.oneof(fc.nat().map(String), fc.maxSafeNat().map(String), fc.string());
  fc.assert(
    fc.property(fc.uniqueArray(id), (ids) => {
      expect(readIds(saveIds(ids)).sort()).toEqual(ids.sort());
    }),
  );
});
