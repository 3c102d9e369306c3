import { expect, test } from 'vitest';
import { connectToService } from '../testing/moving-service.fixture.ts';

const further = { of: [1, 'a', null, { b: 0.1 }], toString: 'x' };
const amounts = ['0.00', '0.10', '1234567.89', '90071992547409.93', 7, null];
const entries = amounts.map((gesamtpreis_brutto, n) => ({
  id: n % 2 ? n + 1 : String(n + 1),
  created_at: n % 2 ? '2026-03-29 02:30:00' : { date: 'x' },
  ...{ zahlungsstatus: 'unerhört', lieferstatus: n, status: null, gesamtpreis_brutto, further },
}));
const code = { id: 5, license_key: 'KEY-1', download_url_64: 7, further };
const items = [{ id: 1, menge: '2', license_codes: [code, 'KEY-2', 3] }, { license_codes: { 1: code } }, null, 'item'];

test.each<[string, object, object]>([
  ['get_me', {}, { user_id: 1, email: null, name: 7, company: '', vat_id: 'DE1', api_version: '1.1', further }],
  ['get_me', {}, { company: 'x', api_version: '2.0' }],
  ['get_me', {}, {}],
  ['list_orders', {}, { orders: entries, pagination: { page: 'x', total: null, pages: 1, further } }],
  ['list_orders', {}, { orders: [{ id: 1 }], pagination: { pages: 3 } }],
  ['get_order', { id: 7 }, { id: '7', status: 'unerhört', zahlungsstatus: 'x', items, further }],
  ['get_order', { id: 7 }, { id: 7, items: 'none' }],
  ['get_order', { id: 7 }, { id: 7 }],
])(
  '%s with %j returns every field of a response that core accepts, and requires no others: %j [S-15 S-20 S-22 S-24 S-27 S-87 S-88 U-46 U-59]',
  async (tool, args, sent) => {
    const { call } = await connectToService({ respond: () => sent });
    const { text, data, isError } = await call(tool, args);
    // The advice says that only the list has this field.
    expect(`${data.advice}`.includes('zahlungsstatus')).toBe(tool === 'get_order' && !('zahlungsstatus' in sent));
    expect(text).toBe(JSON.stringify({ ...sent, advice: data.advice }));
    expect(isError).toBe(false);
  },
);
