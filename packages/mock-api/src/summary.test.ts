import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDialect } from './dialect.ts';
import { draftOrder } from './order-draft.ts';
import { seedSummary } from './seed.ts';
import { settings } from './settings.ts';
import { presentSummary, summaryWriter } from './summary.ts';

const words = fc.array(fc.oneof(fc.constant('null'), fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 4 });

/** Every setting that a summary follows, and words that JSON has to escape. */
const anyDialect = fc
  .record({
    ids: fc.constantFrom(...settings.ids.values),
    money: fc.constantFrom(...settings.money.values),
    currency: fc.constantFrom(...settings.currency.values),
    dates: fc.constantFrom(...settings.dates.values),
    sortDate: fc.constantFrom(...settings.sortDate.values),
    futureValues: fc.constantFrom(...settings.futureValues.values),
    zahlungsstatus: words,
    lieferstatus: words,
  })
  .map((set) => createDialect('strict', set));

const anySeeded = fc
  .record({ seed: fc.nat(2 ** 31 - 1), account: fc.nat(3), index: fc.nat(119) })
  .map(({ index, ...source }) => seedSummary({ ...source, count: 120 }, index));

const anyInserted = fc
  .record({ createdAt: fc.nat(Number.MAX_SAFE_INTEGER), cents: fc.bigInt({ min: 0n, max: 10n ** 20n }) })
  .map(({ createdAt, cents }) => {
    const unitPrice = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const draft = { status: 'bezahlt', delivered: 1, createdAt: createdAt % 253_402_300_800_000 } as const;
    return draftOrder({ ...draft, items: [{ unitPrice, quantity: 2 }] }, 10_003, 0);
  });

test('S-17 a list writes each summary as JSON.stringify would, in every dialect', () => {
  fc.assert(
    fc.property(anyDialect, fc.oneof(anySeeded, anyInserted), (dialect, order) => {
      expect(summaryWriter(dialect)(order)).toBe(JSON.stringify(presentSummary(order, dialect)));
    }),
    { numRuns: 2000 },
  );
});
