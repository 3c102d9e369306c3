import { expect, test } from 'vitest';
import { type ItemInput, inputOf, type OrderInput, orderFromInput } from './order-input.ts';

const now = Date.UTC(2026, 6, 1, 12, 30, 15, 999);

test('S-28 an order may say nothing of itself, or everything, and its input gives it again', () => {
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
    status: 'bezahlt',
    currency: 'USD',
    createdAt: 0,
    delivered: 2,
    onInvoice: true,
    items: [
      {
        productName: 'A',
        quantity: 3,
        unitPrice: '0.10',
        codeType: 'abo',
        codeCount: 3,
        activations: 2,
        downloads: 'none',
      },
      {
        productName: 'B',
        quantity: 1,
        unitPrice: '90071992547409.93',
        codeType: null,
        codeCount: 0,
        activations: 1,
        downloads: 'all',
      },
    ],
  };
  const order = orderFromInput(full, 10_001, now);
  expect(inputOf(order)).toEqual(full);
  expect(order.totalCents).toBe(9_007_199_254_741_023n);
});

test('S-19 S-20 S-30 an input that is wrong is refused with a sentence', () => {
  const refused = (input: object) => () => orderFromInput(input as OrderInput, 10_001, now);
  const item = (wrong: object) => refused({ items: [wrong as ItemInput] });
  expect(refused({ status: 'offen' })).toThrow(
    'status is one of ausstehend, bezahlt, abgeschlossen, storniert, not "offen"',
  );
  expect(refused({ currency: 'Euro' })).toThrow(/three capital letters/);
  expect(refused({ createdAt: '2026' })).toThrow(/createdAt is a whole number/);
  expect(refused({ createdAt: 253_402_300_800_000 })).toThrow(
    'createdAt is at most 253402300799999, the end of the year 9999',
  );
  expect(refused({ delivered: -1 })).toThrow(/delivered is a whole number/);
  expect(refused({ items: {} })).toThrow(/list of at most 64/);
  expect(refused({ items: Array(65).fill({}) })).toThrow(/list of at most 64/);
  expect(refused({ items: [{ quantity: 1025 }] })).toThrow(/at most 1024 license codes/);
  expect(refused({ state: 'bezahlt' })).toThrow(/an order has status, .*, not "state"/);
  expect(item({ unitPrice: '1,50' })).toThrow('an amount is written like 12.34, not "1,50"');
  expect(item({ codeType: 'gift' })).toThrow(/codeType is one of retail, volumen, account, abo or null/);
  expect(item({ quantity: 1.5 })).toThrow(/quantity is a whole number/);
  expect(item({ downloads: 'some' })).toThrow(/downloads is one of both/);
  expect(refused(null as never)).toThrow(/^an order is an object with status,/);
  expect(refused({ items: [null] })).toThrow(/^an item is an object with productName,/);
  expect(refused({ items: [5] })).toThrow(/^an item is an object with productName,/);
  expect(refused({ items: null })).toThrow(/list of at most 64/);
  expect(refused({ status: null })).toThrow(/status is one of/);
  expect(refused({ currency: ['EUR'] })).toThrow('currency is a text');
  expect(refused({ onInvoice: 'yes' })).toThrow('onInvoice is true or false');
  expect(item({ unitPrice: 12.34 })).toThrow('unitPrice is a text');
  expect(item({ productName: 5 })).toThrow('productName is a text');
  expect(item({ codeType: '' })).toThrow(/codeType is one of/);
  expect(item({ name: 'A' })).toThrow(/an item has productName, .*, not "name"/);
});
