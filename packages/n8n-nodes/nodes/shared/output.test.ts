import type { LicenseCode, Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyOrder, orderItems, withoutItems } from './output';

const simple = { simplify: true, licenseKeys: 'full' } as const;
const raw = { simplify: false, licenseKeys: 'full' } as const;
const choices = ['orders', 'lineItems', 'licenseCodes'] as const;

const codeWith = (licenseKey: string): LicenseCode => ({
  id: 1,
  license_key: licenseKey,
  code_typ: 'retail',
  download_url_64: null,
  download_url_32: null,
  aktivierungen_bestellung: 1,
});

const orderWith = (...codes: LicenseCode[]) =>
  ({
    id: 10_001,
    bestellnummer: 'B-1',
    status: 'bezahlt',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    items: [{ id: 5, product_name: 'P', menge: 1, einzelpreis_brutto: '1.00', license_codes: codes }],
    billing_address: {},
  }) as Order;

test('every output contains the complete license key [U-51 S-29]', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1+1', ' a ', 'user:pass\n', 'ß🔑')),
      (key) => {
        const order = orderWith(codeWith(key));
        const [code] = orderItems(order, 'licenseCodes', simple);
        expect(code?.licenseKey).toBe(key);
        expect(orderItems(order, 'licenseCodes', raw)[0]?.license_code).toEqual(codeWith(key));
        expect(orderItems(order, 'lineItems', simple)[0]?.licenseCodes).toMatchObject([{ licenseKey: key }]);
        expect(orderItems(order, 'orders', raw)).toEqual([order]);
      },
    ),
  );
});

test('never converts amounts to numbers, whatever they look like [S-20 U-22]', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), (amount) => {
      const order = { ...orderWith(), gesamtpreis_brutto: amount } as unknown as Order;
      expect(orderItems(order, 'orders', simple)[0]?.grossTotal).toBe(amount);
    }),
  );
});

test('fields of any shape cause no error, and raw output is unchanged [U-59]', () => {
  const anything = fc.anything({ maxDepth: 3, withNullPrototype: false });
  const lineItem = fc.record({ id: anything, license_codes: fc.oneof(anything, fc.array(anything)) });
  const shape = fc.record(
    {
      id: fc.nat(),
      status: fc.string(),
      created_at: anything,
      items: fc.oneof(anything, fc.array(fc.oneof(anything, lineItem))),
    },
    { requiredKeys: ['id'] },
  );
  fc.assert(
    fc.property(shape, fc.constantFrom(...choices), (order, choice) => {
      const sent = order as unknown as AnyOrder;
      expect(() => orderItems(sent, choice, simple)).not.toThrow();
      const items = orderItems(sent, choice, raw);
      if (choice === 'orders') expect(items).toEqual([order]);
      expect('items' in withoutItems(sent)).toBe(false);
    }),
  );
});

test.each([
  ['bezahlt', 'paid'],
  ['verschickt', null],
  ['constructor', null],
  ['__proto__', null],
  ['', null],
])('every simplified item with the status %j has the English name %j [U-54]', (status, statusInEnglish) => {
  for (const choice of choices) {
    const [item] = orderItems({ ...orderWith(codeWith('K')), status }, choice, simple);
    expect(item).toMatchObject({ status, statusInEnglish });
  }
});
