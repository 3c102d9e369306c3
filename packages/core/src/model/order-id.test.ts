import { expect, test } from 'vitest';
import { readOrderId } from './order-id.ts';

test.each([
  [1, '1'],
  [' 42 ', '42'],
  ['90071992547409931', '90071992547409931'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['9'.repeat(30), '9'.repeat(30)],
])('accepts %o as an order ID [S-56 U-26]', (id, digits) => {
  expect(readOrderId(id)).toBe(digits);
});

const texts = ['', '0', '-1', '01', '1.5', '1e3', '9'.repeat(31), 'B-2026-0042', '４２', '%31', '1/../me'];

test.each([0, -1, 1.5, 2 ** 53, Number.NaN, ...texts, null, [42], Object.create(null)])(
  'rejects %o as an order ID [S-56 U-26]',
  (id) => {
    expect(readOrderId(id)).toBeUndefined();
  },
);
