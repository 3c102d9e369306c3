import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { entriesThatFit, fitAnswer, fits, tokensOf } from './budget.ts';

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = capitals.toLowerCase();
const digits = '0123456789';

const textOf = (characters: string, length: fc.SizeForArbitrary | object = { minLength: 1_000, maxLength: 1_200 }) =>
  fc.array(fc.constantFrom(...characters), length as object).map((all) => all.join(''));

test.each([
  ['license keys', `${capitals}${digits}-`],
  ['small letters', letters],
  ['hexadecimal digits', `${digits}abcdef`],
  ['Base64', `${capitals}${letters}${digits}+/=`],
  ['links', `${letters}${digits}/.-_%?&=`],
  ['punctuation', '!#$%&()*+,-./:;<=>?@[]^_`{|}~'],
  ['unlucky letters', 'q7Z'],
  ['numbers', '0123456789.,- '],
  ['umlauts', 'äöüÄÖÜßéèàçñ '],
  ['Greek, Cyrillic and Hebrew', 'αβγδεζабвгдежאבגדהו'],
  ['Chinese', '東京都渋谷区神宮前龘靐齉'],
  ['emoji', '😀👩🏽💻🧾🏴'],
])('estimates no fewer tokens than random text has (%s)', (_, characters) => {
  fc.assert(
    fc.property(textOf(characters), (text) => {
      expect((12_000 / 11_600) * tokensOf(text)).toBeGreaterThanOrEqual(encode(text).length);
    }),
    { numRuns: 30 },
  );
});

test('estimates the tokens of rows with license keys to within a tenth', () => {
  const key = fc.array(textOf(capitals + digits, { minLength: 5, maxLength: 5 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(key, { minLength: 300, maxLength: 400 }), (keys) => {
      const text = JSON.stringify(keys.map((parts, id) => [900_000 + id, parts.join('-')]));
      expect(tokensOf(text) / encode(text).length).toBeLessThan(1.1);
    }),
    { numRuns: 5 },
  );
});

const shortValue = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constant('😀👩🏽‍💻'),
  fc.double(),
  fc.constant(null),
);

test('fills a result with as many entries as fit into 12,000 tokens and 40,000 characters', () => {
  fc.assert(
    fc.property(
      fc.array(shortValue, { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 3_000 }),
      (values, count) => {
        const row = Array.from({ length: 3 }, (_, index) => values[index % values.length]);
        const textWith = (entries: number) => JSON.stringify({ entries, rows: Array(entries).fill(row) });
        const entries = entriesThatFit(count, (entries) => fits(JSON.parse(textWith(entries))));
        const text = textWith(entries);
        expect(entries).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(40_000);
        expect(encode(text).length).toBeLessThanOrEqual(12_000);
        const more = textWith(entries + 1);
        if (entries < count) expect(Math.max(more.length / 40_000, tokensOf(more) / 11_600)).toBeGreaterThan(0.99);
      },
    ),
    { numRuns: 100 },
  );
});

test('omits the longest values first, and leaves a result that fits unchanged', () => {
  const short = { a: 'y'.repeat(15_000) };
  expect(fitAnswer(short)).toBe(short);
  const answer = { rows: [...Array(30).fill('y'.repeat(250)), 'z'.repeat(20_000)] };
  expect(fitAnswer(answer)).toEqual({
    complete: false,
    left_out: { count: 1, advice: expect.any(String) },
    rows: [...answer.rows.slice(0, 30), null],
  });
});

test('never omits arguments in `continue`, because the next call would then read something else', () => {
  const next = { ids: [1], product: 'p'.repeat(150) };
  const fitted = fitAnswer({ complete: false, continue: next, rows: Array(500).fill('y'.repeat(150)) });
  expect(fitted).toMatchObject({ continue: next, left_out: { count: 500 } });
});

test('rejects a result with too many values to fit', () => {
  expect(() => fitAnswer({ rows: Array(40_000).fill(7) })).toThrow(/too long for a conversation/);
});
