import { expect, test } from 'vitest';
import { checkOrderNumber, compareOrderNumbers, foldOrderNumber } from './order-number.ts';

test.each([
  ['B-2026-000042', 'B-2026-000041', 1],
  ['B-2025-009999', 'B-2026-000001', -1],
  ['B-2026-10', 'B-2026-9', 1],
  ['B-2026-010', 'B-2026-9', 1],
  ['10023', '10023', 0],
  ['B-2026-2394', 'B-2026-002394', 0],
  ['99999999999999999999', '100000000000000000000', -1],
])('compares %s with %s by their digits', (a, b, expected) => {
  expect(compareOrderNumbers(a, b)).toBe(expected);
});

test.each([
  ['B-2026-1', 'C-2026-1'],
  ['B-2026-1', 'B-2026'],
  ['Müller', 'Maier'],
])('does not compare %s with %s', (a, b) => {
  expect(compareOrderNumbers(a, b)).toBeUndefined();
});

test.each([
  '#B-2026-1034',
  '"B-2026-1034"',
  '„b-2026-1034“',
  "'B-2026-1034'.",
  ' B-2026-1034 ',
  '\u200BB-2026\u00AD-1034',
  'B–2026—1034',
])('normalizes %j to the order number it stands for', (written) => {
  expect(foldOrderNumber(written)).toBe('b-2026-1034');
  expect(checkOrderNumber(written)).toBe(written.trim());
});

test('keeps an order number that consists only of punctuation', () => {
  expect(foldOrderNumber(' ## ')).toBe('##');
});

test.each([
  ['B-2026-*', '*'],
  ['B-2026-1, B-2026-2', ','],
  ['={{ $json.number }}', '='],
  ['B-2026%1034', '%'],
  ['B-2026\n1034', '\n'],
])('rejects %j, and names the character that no order number has', (written, odd) => {
  expect(() => checkOrderNumber(written)).toThrow(`${JSON.stringify(odd)} cannot be part of an order number`);
});
