import { expect, test } from 'vitest';
import { traceOf } from './answer-trace.ts';

const code = { id: 31, license_key: '****' };
const order = { id: 7, bestellnummer: 'B-7', items: [{ id: 71, license_codes: [code, code] }] };

test.each([
  ['an order', order, [7], 2],
  ['several orders and an error', { orders: [order, { id: 8, error: { code: 'not_found' } }] }, [7], 2],
  ['a page of the list', { orders: [{ id: 1, bestellnummer: 'B-1' }], pagination: { page: 1 } }, [1], 0],
  [
    'rows of orders',
    {
      columns: ['id', 'bestellnummer'],
      rows: [
        [1, 'B-1'],
        [2, 'B-2'],
      ],
    },
    [1, 2],
    0,
  ],
  [
    'rows of codes',
    {
      id: 7,
      bestellnummer: 'B-7',
      license_codes: {
        columns: ['id', 'license_key'],
        rows: [
          [1, 'A'],
          [2, 'B'],
        ],
      },
    },
    [7],
    2,
  ],
  ['an order without a number', { id: '900719925474099312', items: [] }, ['900719925474099312'], 0],
  ['an invalid ID', { id: 'AAAA-BBBB', bestellnummer: 'x' }, [], 0],
  ['the account', { user_id: 7, name: 'x' }, [], 0],
])('finds the orders and counts the license codes in %s', (_, answer, orderIds, codes) => {
  expect(traceOf(answer)).toEqual({ orderIds, codes });
});
