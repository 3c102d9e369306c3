import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeySearch } from './key-search.ts';

/** Whether a search for these keys finds one in the text. */
const found = (keys: string[], text: string): boolean => createKeySearch(keys)(text);

test.each([
  '%ab12cde34fgh56i',
  '%C3%ab12cde34fgh56i%zz',
  'x &#x41;B12C&ndash;DE34F&nbsp;GH56I, y',
  'x AB12C&amp;#45;DE34F&#045;GH56I, y',
  'x AB12C&#45DE34F&shy;GH56I',
  '"AB12C\\u002dDE34F\\nGH56I"',
  '"\\u0041B12C\\\\\\\\u002DDE34F\\/GH56I"',
  'https://AB12C.DE34F.GH56I/',
])('finds the key AB12C-DE34F-GH56I in %j', (text) => {
  expect(found(['AB12C-DE34F-GH56I'], text)).toBe(true);
});

test.each([
  ['Größe-geheim', 'x Gr&ouml;&szlig;e-geheim'],
  ['Größe-geheim', 'x Gr\\u00f6\\u00dfe-geheim'],
  ['Größe-geheim', 'x Gro\u0308ße-geheim'],
  ['tom&jerry&spike', 'x tom&amp;jerry&amp;spike'],
  ['Straße-geheim', 'STRASSE GEHEIM'],
  ['STRASSE-GEHEIM', 'straße geheim'],
  ['ODYSSEUS-ΟΔΟΣ', 'odysseus οδος'],
  ['MICROSOFT-IT', 'mıcrosoft it'],
  ['41B12-CD34', '100%2541B12%2DCD34'],
  ['41CD-EF12', '%2541%2543D-%2545F12'],
  ['%C3%84BCD%20EFGH', 'x ÄBCD EFGH'],
  ['%C3%84BCD%20EFGH', '%C3%84bcd+efgh'],
  ['AB-12', 'Pack AB-12'],
  ['AB-12', 'Pack-ab12'],
  ['AB-12', 'a\u200bb 12 %31'],
  ['11', '1 1'],
])('finds the key %s in %j', (key, text) => {
  expect(found([key], text)).toBe(true);
});

test.each([
  ['AB-12', 'CAB-12 or AB-123'],
  ['11', 'Windows 11'],
  ['n/a', 'not n/a'],
  ['AB12C-DE34F-GH56I', 'AB12C-DE34F'],
  ['AB12C-DE34F-GH56I', 'DE34F-GH56I'],
  ['AB12-CD34-EF56', 'R&amp;D AB12'],
])('does not find the key %s in %j', (key, text) => {
  expect(found([key], text)).toBe(false);
});

test.each(['', '-', 'a', '\ud800', 'x%2525'])('without keys made of letters or digits, finds nothing in %j', (text) => {
  for (const keys of [[], ['---', '', ' ']]) expect(found(keys, text)).toBe(false);
});

const letter = fc.stringMatching(/^[A-Za-z0-9ßäЖ]$/);
const separator = fc.constantFrom(
  ...['', '', '', '-', ' ', '\n', '\u200b', '\u00ad', '_'],
  ...['%20', '%2D', '%252d', '%E2%80%93', '&#45;', '&amp;', '\\u002d'],
);
const encode = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16)}`).join('');
const notation = fc.constantFrom<((character: string) => string)[]>(
  (character) => character,
  (character) => character.toUpperCase(),
  (character) => character.toLowerCase(),
  (character) => character.normalize('NFD'),
  (character) => character.replace(/[!-~]/, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  encode,
  (character) => encode(character).toUpperCase(),
  (character) => encode(character).replaceAll('%', '%25'),
  (character) => encode(character).replaceAll('%', '%2525'),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)};`,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
const surroundings = fc.constantFrom('', 'x', ' ', '%C3', '25', '%25', 'ä', '&', '\ud800');

test('finds a key of eight or more letters and digits, whatever its notation', () => {
  const written = fc.array(fc.record({ letter, separator, notation }), { minLength: 8, maxLength: 25 });
  fc.assert(
    fc.property(written, surroundings, surroundings, (parts, before, after) => {
      const key = parts.map(({ letter }) => letter).join('');
      const text = parts.map(({ letter, separator, notation }) => notation(letter) + separator).join('');
      expect(found([key], `${before}${text}${after}`)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('finds each of 20,000 keys with the same start, but not the start alone', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `OFFICE24-${String(index).padStart(8, '0')}`);
  expect([found(keys, `x ${keys[17_345]} y`), found(keys, 'OFFICE24-Home')]).toEqual([true, false]);
});

test('finds each of 200,000 short keys as a word, but not inside a longer word', () => {
  const keys = Array.from({ length: 200_000 }, (_, index) => `A${String(index).padStart(6, '0')}`);
  expect([found(keys, 'x a12-3456 y'), found(keys, 'XA123456')]).toEqual([true, false]);
});
