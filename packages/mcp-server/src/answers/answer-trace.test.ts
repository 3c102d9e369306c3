import { expect, test } from 'vitest';
import { traceOf } from './answer-trace.ts';

const code = { id: 31, license_key: '****' };
const order = { id: 7, bestellnummer: 'B-7', items: [{ id: 71, license_codes: [code, code] }] };
const table = (name: string, values: [number, string][]) => ({ columns: ['id', name], rows: values });
const orders = (values: [number, string][]) => table('bestellnummer', values);
const codes = (values: [number, string][]) => table('license_key', values);

test.each<[string, object, unknown[], number]>([
  ['an order', order, [7], 2],
  ['several orders and an error', { orders: [order, { id: 8, error: { code: 'not_found' } }] }, [7], 2],
  ['a page of the list', { orders: [{ id: 1, bestellnummer: 'B-1' }], pagination: { page: 1 } }, [1], 0],
  ['rows of orders', orders([1, 2].map((id) => [id, `B-${id}`])), [1, 2], 0],
  ['rows of codes', { id: 7, bestellnummer: 'B-7', license_codes: codes([1, 2].map((id) => [id, 'A'])) }, [7], 2],
  ['an order without a number', { id: '900719925474099312', items: [] }, ['900719925474099312'], 0],
  ['an invalid ID', { id: 'AAAA-BBBB', bestellnummer: 'x' }, [], 0],
  ['the account', { user_id: 7, name: 'x' }, [], 0],
])('finds the orders and counts the license codes in %s', (_, answer, orderIds, codes) => {
  expect(traceOf(answer)).toEqual({ orderIds, codes });
});
