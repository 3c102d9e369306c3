import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectToService } from '../testing/moving-service.fixture.ts';

const any = fc.jsonValue();
const anyFields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, any]));
const id = fc.integer({ min: 1 }).chain((number) => fc.constantFrom(number, String(number)));
// A count that is text becomes a number.
const count = any.filter((value) => typeof value !== 'string' || !/^\d+$/.test(value));
const pagination = fc.record(
  { pages: fc.nat(), page: count, per_page: count, total: count },
  { requiredKeys: ['pages'] },
);
const entry = fc.record(
  {
    id,
    ...anyFields('bestellnummer', 'status', 'zahlungsstatus', 'lieferstatus', 'created_at', 'further'),
    gesamtpreis_brutto: fc.oneof(fc.constantFrom('0.10', '1234567.89', '90071992547409.93'), any),
  },
  { requiredKeys: ['id'] },
);
const code = fc.record({ id, ...anyFields('license_key', 'download_url_64') }, { requiredKeys: [] });
const license_codes = fc.oneof(fc.array(fc.oneof(code, any)), any);
const item = fc.record({ id, menge: any, license_codes }, { requiredKeys: [] });
const order = fc.record(
  {
    id: fc.constantFrom(7, '7'),
    items: fc.oneof(fc.array(fc.oneof(item, any)), any),
    ...anyFields('status', 'zahlungsstatus', 'further'),
  },
  { requiredKeys: ['id'] },
);
const account = fc.record(
  {
    ...anyFields('user_id', 'email', 'name', 'company', 'vat_id', 'further'),
    api_version: fc.constantFrom('1.0', '1.1', '2.0'),
  },
  { requiredKeys: [] },
);
const answers = fc.oneof(
  fc.tuple(fc.constant('get_me'), account),
  fc.tuple(fc.constant('list_orders'), fc.record({ orders: fc.array(entry), pagination })),
  fc.tuple(fc.constant('get_order'), order),
);

test('returns every field of a response that core accepts, and requires no others [S-15 S-20 S-22 S-24 S-27 S-87 S-88 U-46 U-59]', async () => {
  let data: unknown;
  const { call } = await connectToService({ respond: () => data });
  await fc.assert(
    fc.asyncProperty(answers, async ([tool, sent]) => {
      data = sent;
      const answer = await call(tool, tool === 'get_order' ? { id: 7 } : {});
      const { advice } = answer.data;
      // The advice says that only the list has this field.
      expect(`${advice}`.includes('zahlungsstatus')).toBe(tool === 'get_order' && !('zahlungsstatus' in sent));
      expect(answer.text).toBe(JSON.stringify({ ...JSON.parse(JSON.stringify(sent)), advice }));
      expect(answer.isError).toBe(false);
    }),
    { numRuns: 300 },
  );
});
