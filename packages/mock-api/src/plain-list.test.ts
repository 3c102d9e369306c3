import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDialect, type SettingInput } from './dialect.ts';
import type { OrderSummary } from './order.ts';
import { draftOrder } from './order-draft.ts';
import { plainList } from './plain-list.ts';
import { seedSummary } from './seed.ts';
import { settings } from './settings.ts';
import { presentSummary } from './summary.ts';

const word = fc.oneof(
  fc.constant('null'),
  fc.string({ unit: 'binary-ascii' }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const words = fc.array(word, { minLength: 1, maxLength: 4 });

/** Every setting that such a list follows, and words that JSON has to escape. */
const anyDialect = fc
  .record({
    currency: fc.constantFrom(...settings.currency.values),
    futureValues: fc.constantFrom(...settings.futureValues.values),
    zahlungsstatus: words,
    lieferstatus: words,
  })
  .map((set) => createDialect('strict', set));

const anySeeded = fc
  .record({ seed: fc.nat(2 ** 31 - 1), account: fc.nat(3), index: fc.nat(119) })
  .map(({ index, ...source }) => seedSummary({ ...source, count: 120 }, index));

const anyInserted = fc
  .record({
    id: fc.integer({ min: 10_001, max: Number.MAX_SAFE_INTEGER }),
    createdAt: fc.nat(Number.MAX_SAFE_INTEGER),
    cents: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 26n }), fc.bigInt({ min: 0n, max: 10n ** 300n })),
  })
  .map(({ id, createdAt, cents }) => {
    const unitPrice = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const draft = { status: 'bezahlt', delivered: 1, createdAt: createdAt % 253_402_300_800_000 } as const;
    return draftOrder({ ...draft, items: [{ unitPrice, quantity: 2 }] }, id, 0);
  });

const anyPage = fc.oneof(
  fc.array(anySeeded, { maxLength: 50 }),
  fc.array(fc.oneof({ weight: 20, arbitrary: anySeeded }, { weight: 1, arbitrary: anyInserted }), { maxLength: 50 }),
);

test('S-17 a list is written as JSON.stringify would, in every dialect', () => {
  fc.assert(
    fc.property(anyDialect, anyPage, (dialect, orders) => {
      const text = plainList(orders, dialect);
      if (text !== undefined) expect(text).toBe(JSON.stringify(orders.map((order) => presentSummary(order, dialect))));
    }),
    { numRuns: 2000 },
  );
});

test('S-17 what the text states is written in bytes, anything else is left to JSON.stringify', () => {
  const orders = [seedSummary({ seed: 1, account: 0, count: 120 }, 3)];
  expect(plainList(orders, createDialect('strict'))).toMatch(/^\[\{"id":\d+,/);
  expect(plainList([], createDialect('strict'))).toBe('[]');
  const [order] = orders as [OrderSummary];
  expect(plainList([{ ...order, totalCents: 10n ** 31n }], createDialect('strict'))).toBeUndefined();
  for (const set of [
    { money: 'comma' },
    { ids: 'string' },
    { dates: 'iso' },
    { sortDate: 'other' },
    { lieferstatus: ['Prüfung'] },
    { missing: ['orders[].status'] },
    { nulls: ['orders[].status'] },
  ] as const) {
    expect([set, plainList(orders, createDialect('strict', set as SettingInput))]).toEqual([set, undefined]);
  }
});
