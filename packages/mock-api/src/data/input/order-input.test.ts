import { expect, test } from 'vitest';
import type { ItemInput } from './item-input.ts';
import { inputOf, type OrderInput, orderFields, orderFromInput } from './order-input.ts';

const now = Date.UTC(2026, 6, 1, 12, 30, 15, 999);

test('every order field is optional, and the input of an order recreates it [S-28]', () => {
  const plain = orderFromInput({}, 10_009, now);
  expect(plain).toMatchObject({
    id: 10_009,
    totalCents: 24_900,
    plannedCodes: 1,
    status: 'abgeschlossen',
    currency: 'EUR',
    delivered: 1,
  });
  expect(plain.createdAt).toBe(Date.UTC(2026, 6, 1, 12, 30, 15));
  const full: OrderInput = {
    id: 7,
    bestellnummer: 'SH 7/2026',
    status: 'bezahlt',
    zahlungsstatus: null,
    lieferstatus: 'teilweise',
    gesamtpreis_brutto: '-3.07',
    waehrung: 'USD',
    created_at: '1970-01-01 00:00:00',
    delivered: 2,
    items: [
      {
        id: 70,
        product_name: 'A',
        menge: 3,
        einzelpreis_brutto: '0.10',
        license_codes: 3,
        code_typ: 'abo',
        aktivierungen_bestellung: 2,
        downloads: 'none',
        extraFields: { artikelnummer: 5 },
      },
      {
        id: 71,
        product_name: 'B',
        menge: 1,
        einzelpreis_brutto: '90071992547409.93',
        license_codes: [
          {
            id: 700,
            license_key: 'K',
            code_typ: 'volumen',
            download_url_64: 'x.exe',
            download_url_32: null,
            aktivierungen_bestellung: -1,
            extraFields: { gesperrt: false },
          },
          {},
        ],
        code_typ: null,
        aktivierungen_bestellung: 1,
        downloads: 'all',
      },
    ],
    billing_address: { ort: 'Dresden' },
    extraFields: { list: { rabatt: '1.00' }, detail: { created_at: null } },
  };
  const order = orderFromInput(full, 10_001, now);
  // A field that `full` or `inputOf()` forgets would be lost in a saved state.
  expect(Object.keys(full).sort()).toEqual([...orderFields].sort());
  expect(inputOf(order)).toEqual(full);
  expect([order.totalCents, order.plannedCodes]).toEqual([-307n, 5]);
  const { gesamtpreis_brutto: _, ...without } = full;
  expect(orderFromInput(without, 10_001, now).totalCents).toBe(9_007_199_254_741_023n);
});

test('invalid input is rejected with a message [S-19 S-20 S-30]', () => {
  const refused = (input: object) => () => orderFromInput(input as OrderInput, 10_001, now);
  const item = (wrong: object) => refused({ items: [wrong as ItemInput] });
  expect(refused({ status: 'offen' })).toThrow(
    'status must be one of ausstehend, bezahlt, abgeschlossen, storniert, not "offen"',
  );
  expect(refused({ waehrung: 'Euro' })).toThrow(/three capital letters/);
  const time = 'created_at must be a UTC time like 2026-03-31 14:05:00, from 1970 on, not';
  expect(refused({ created_at: '2026' })).toThrow(`${time} "2026"`);
  expect(refused({ created_at: 0 })).toThrow(`${time} "0"`);
  expect(refused({ created_at: '2026-02-30 00:00:00' })).toThrow(time);
  expect(refused({ created_at: '2026-02-20T00:00:00' })).toThrow(time);
  expect(refused({ created_at: '1969-12-31 23:59:59' })).toThrow(time);
  expect(refused({ created_at: '+010000-01-01T00:00:00Z' })).toThrow(time);
  expect(refused({ id: 0 })).toThrow(/^id must be a whole number from 1 to/);
  expect(refused({ bestellnummer: 7 })).toThrow('bestellnummer must be a string');
  expect(refused({ zahlungsstatus: 7 })).toThrow('zahlungsstatus must be a string or null');
  expect(refused({ gesamtpreis_brutto: 12.34 })).toThrow(
    'gesamtpreis_brutto must be an amount in a string like "12.34", not "12.34"',
  );
  expect(refused({ billing_address: 'Dresden' })).toThrow('billing_address must be an object or null');
  expect(refused({ extraFields: { more: {} } })).toThrow('extraFields has no "more"; use one of list, detail');
  expect(refused({ delivered: -1 })).toThrow(/delivered must be a whole number/);
  expect(refused({ items: {} })).toThrow('items must be an array');
  expect(refused({ items: Array(65).fill({}) })).toThrow('an order can have 64 items without IDs');
  expect(refused({ items: [{ menge: 1025 }] })).toThrow(/1024 license codes without IDs/);
  expect(refused({ state: 'bezahlt' })).toThrow(/an order has no "state"; use one of id, .*/);
  expect(item({ einzelpreis_brutto: '1,50' })).toThrow(
    'items[0].einzelpreis_brutto must be an amount in a string like "12.34", not "1,50"',
  );
  expect(item({ code_typ: 'gift' })).toThrow(
    /^items\[0\]\.code_typ must be one of retail, volumen, account, abo or null/,
  );
  expect(item({ menge: 1.5 })).toThrow(/^items\[0\]\.menge must be a whole number/);
  expect(item({ downloads: 'some' })).toThrow(/^items\[0\]\.downloads must be one of both/);
  expect(item({ license_codes: 'all' })).toThrow(/^items\[0\]\.license_codes must be an array, or a number of codes/);
  expect(item({ license_codes: [{}, { code_typ: 'gift' }] })).toThrow(
    /^items\[0\]\.license_codes\[1\]\.code_typ must be one of/,
  );
  expect(item({ license_codes: [{ key: 'K' }] })).toThrow(
    /^items\[0\]\.license_codes\[0\] has no "key"; use one of id, .*/,
  );
  expect(refused(null as never)).toThrow(/^an order must be an object with id,/);
  expect(refused({ items: [null] })).toThrow(/^items\[0\] must be an object with id,/);
  expect(refused({ items: [5] })).toThrow(/^items\[0\] must be an object with id,/);
  expect(refused({ items: null })).toThrow('items must be an array');
  expect(refused({ status: null })).toThrow(/status must be one of/);
  expect(refused({ waehrung: ['EUR'] })).toThrow('waehrung must be a string');
  expect(item({ product_name: 5 })).toThrow('items[0].product_name must be a string');
  expect(item({ code_typ: '' })).toThrow(/code_typ must be one of/);
  expect(item({ name: 'A' })).toThrow(/items\[0\] has no "name"; use one of id, product_name, .*/);
});
