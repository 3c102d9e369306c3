import { expect, test } from 'vitest';
import { compareOrderNumbers } from './order-number.ts';

test.each([
  ['B-2026-000042', 'B-2026-000041', 1],
  ['B-2025-009999', 'B-2026-000001', -1],
  ['B-2026-10', 'B-2026-9', 1],
  ['B-2026-010', 'B-2026-9', 1],
  ['10023', '10023', 0],
  ['99999999999999999999', '100000000000000000000', -1],
])('compares %s with %s by their digits', (a, b, expected) => {
  expect(compareOrderNumbers(a, b)).toBe(expected);
});

test.each([
  ['B-2026-1', 'C-2026-1'],
  ['B-2026-1', 'B-2026'],
  ['Müller', 'Maier'],
  ['B-01', 'B-1'],
])('does not compare %s with %s', (a, b) => {
  expect(compareOrderNumbers(a, b)).toBeUndefined();
});
