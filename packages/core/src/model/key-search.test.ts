import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeySearch, type KeySearch } from './key-search.ts';

const searchFor = (values: string[]): KeySearch => createKeySearch(new Set(values));

const key = 'AB12C-DE34F-GH56I';

test.each([
  ['in its original form', `Your key ${key}.`],
  ['in lower case', 'Your key ab12c-de34f-gh56i.'],
  ['without dashes', 'Your key AB12CDE34FGH56I.'],
  ['with spaces and other dashes', 'Your key AB12C – DE34F GH56I.'],
  ['across lines', 'Your key AB12C-\nDE34F-\nGH56I.'],
  ['with invisible characters', 'Your key AB\u200b12C-DE3\u00ad4F-GH56I.'],
  ['in full-width characters', 'Your key ＡＢ１２Ｃ-ＤＥ３４Ｆ-ＧＨ５６Ｉ.'],
])('hides a key %s', (_, text) => {
  expect(searchFor([key]).hide(text)).toBe('Your key ****.');
});

test('hides every occurrence of a key, even inside other words', () => {
  expect(searchFor([key]).hide(`x${key}y/${key}`)).toBe('x****y/****');
});

test.each([
  ['k=AB12%2BCD34%2fEF56&x', 'k=****&x'],
  ['k=%41B12%2D%43D34ef56%26', 'k=****%26'],
  ['k=ab12%C2%ADcd34ef56', 'k=****'],
  ['k=%EF%BC%A1B12cd34ef56', 'k=****'],
  ['k=AB12%252BCD34%25252fEF56&x', 'k=****&x'],
  ['k=%2541B12%252DCD34%25C2%25ADef56%2525', 'k=****%2525'],
  ['100%25AB12%2bCD34%2fef56', '100%25****'],
  ['%ab12cd34ef56', '%****'],
  ['%C3%ab12cd34ef56%zz', '%C3%****%zz'],
])('hides the percent-encoded key in %s', (text, shown) => {
  expect(searchFor(['AB12+CD34/EF56']).hide(text)).toBe(shown);
});

test.each([
  ['an order of AB12&#45;CD34&amp;EF56', 'an order of ****'],
  ['x &#x41;B12&ndash;CD34&nbsp;EF56, y', 'x ****, y'],
  ['x AB12&amp;#45;CD34&#045;EF56, y', 'x ****, y'],
  ['"AB12\\u002dCD34\\nEF56"', '"****"'],
  ['"\\u0041B12\\\\u002DCD34\\/EF56"', '"****"'],
  ['x AB12%2DCD34&#45;EF56, y', 'x ****, y'],
  ['R&amp;D AB12', 'R&amp;D AB12'],
])('hides the key that is escaped for HTML or JSON in %s', (text, shown) => {
  expect(searchFor(['AB12-CD34-EF56']).hide(text)).toBe(shown);
});

test('finds a key with a letter that HTML or JSON escapes', () => {
  const { hide } = searchFor(['Größe-geheim', 'tom&jerry&spike']);
  expect(hide('x Gr&ouml;&szlig;e-geheim, Gr\\u00f6\\u00dfe-geheim, tom&amp;jerry&amp;spike')).toBe(
    'x ****, ****, ****',
  );
});

test.each([
  ['Straße-geheim', 'STRASSE GEHEIM'],
  ['STRASSE-GEHEIM', 'straße geheim'],
  ['ODYSSEUS-ΟΔΟΣ', 'odysseus οδος'],
  ['MICROSOFT-IT', 'mıcrosoft it'],
])('hides the key %s in a different case: %s', (key, text) => {
  expect(searchFor([key]).hide(`x ${text}, y`)).toBe('x ****, y');
});

test('hides a key even if its first digits look like an escape sequence after an encoded percent sign', () => {
  expect(searchFor(['41B12-CD34']).hide('100%2541B12%2DCD34')).toBe('100%25****');
});

test('finds a key that is itself percent-encoded', () => {
  const { hide } = searchFor(['%C3%84BCD%20EFGH']);
  expect(hide('x ÄBCD EFGH, %C3%84bcd+efgh')).toBe('x ****, ****');
});

test('hides a whole key even if the decoded text contains a shorter one', () => {
  expect(searchFor(['ABCD1234', 'ABCD1234-2DEF-GH']).hide('x ABCD1234%2DEFGH y')).toBe('x **** y');
});

test('hides two overlapping keys completely', () => {
  expect(searchFor(['ABCD1234-EFGH', 'EFGH-IJKL5678']).hide('x ABCD1234-EFGH-IJKL5678 y')).toBe('x **** y');
});

test('hides a short key only as a separate word', () => {
  const { hide } = searchFor(['AB-12']);
  expect(hide('Pack AB-12, ab12, CAB-12, AB-123')).toBe('Pack ****, ****, CAB-12, AB-123');
  expect(searchFor(['1']).hide('Office 1, 11 seats, Pack1')).toBe('Office ****, 11 seats, Pack1');
});

test('finds a key of four or more digits in numbers and amounts', () => {
  const { holds } = searchFor(['1', '2024', '123456789', '119.00']);
  expect(['1', '2024', '20241', '123456789', '41234567895.00', '119.00'].map(holds)).toEqual([
    false,
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('hides the longest of several keys with the same prefix', () => {
  expect(searchFor(['ABCD1234', 'ABCD1234-EFGH', 'ABCD1234-EF']).hide('ABCD1234-EFGH ABCD1234-X')).toBe('**** ****-X');
});

test('leaves text unchanged if there are no keys, or only keys made of punctuation', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(searchFor([]).hide(text)).toBe(text);
      expect(searchFor(['---', '', ' ']).hide(text)).toBe(text);
    }),
  );
});

test('no key of eight or more letters and digits stays readable, whatever surrounds it', () => {
  const group = fc.stringMatching(/^[A-Za-z0-9]{4,6}$/);
  const key = fc.array(group, { minLength: 2, maxLength: 5 }).map((groups) => groups.join('-'));
  const around = fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), around, (keys, texts) => {
      const shown = searchFor(keys).hide([...keys, ...texts, ...keys].join('; '));
      for (const one of keys) expect(shown).not.toContain(one);
    }),
  );
});

const letter = fc.stringMatching(/^[A-Za-z0-9ßäЖ]$/);
const separators = fc.constantFrom(
  '',
  '',
  '',
  '-',
  ' ',
  '\n',
  '\u200b',
  '\u00ad',
  '_',
  '%20',
  '%2D',
  '%252d',
  '%E2%80%93',
  '&#45;',
  '&amp;',
  '\\u002d',
);
const encode = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16)}`).join('');
const notations: ((character: string) => string)[] = [
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
];
const decode = (text: string): string =>
  text
    .replace(/(?:%[\da-f]{2})+/gi, (run) => new TextDecoder().decode(Buffer.from(run.replaceAll('%', ''), 'hex')))
    .replace(/&#x([\da-f]+);|\\u([\da-f]{4})/gi, (_, hex = '', hex4 = '') =>
      String.fromCodePoint(parseInt(hex || hex4, 16)),
    )
    .replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replaceAll('&amp;', '&');
const written = fc.record({ letter, separator: separators, notation: fc.constantFrom(...notations) });
const surroundings = fc.constantFrom('', 'x', ' ', '%C3', '25', '%25', 'ä', '&', '\ud800');

test('no key of eight or more letters and digits stays readable, whatever its notation', () => {
  const plain = (text: string): string =>
    text
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  fc.assert(
    fc.property(
      fc.array(written, { minLength: 8, maxLength: 25 }),
      surroundings,
      surroundings,
      (parts, before, after) => {
        const key = parts.map(({ letter }) => letter).join('');
        const text = parts.map(({ letter, separator, notation }) => notation(letter) + separator).join('');
        let shown = searchFor([key]).hide(`${before}${text}${after}`);
        for (let reading = 0; reading < 5; reading++, shown = decode(shown))
          expect(plain(shown)).not.toContain(plain(key));
      },
    ),
    { numRuns: 300 },
  );
});

test('searches a long text for 20,000 keys with the same prefix in linear time', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `OFFICE24-${String(i).padStart(8, '0')}`);
  const text = keys.join(' ');
  expect(searchFor(keys).hide(text)).toBe(keys.map(() => '****').join(' '));
});

test('hides text that begins with the shared prefix of two keys and ends like one of them', () => {
  expect(searchFor(['ABCD1234-EFGH5678', 'ABCD1234-IJKL-MNOP-QRST']).hide('ABCD1234 for EFGH5678, x')).toBe('****, x');
});

test('hides every text if there are more keys than an order can have', () => {
  const { hide, holds } = searchFor(Array.from({ length: 200_001 }, (_, i) => `key ${i}`));
  expect([hide('Office'), hide(''), holds('1')]).toEqual(['****', '', true]);
});
