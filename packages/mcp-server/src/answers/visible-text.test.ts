import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from './masked-answer.ts';

/**
 * Returns a black flag followed by these letters as tag characters: the flag of England, Scotland or Wales, or
 * otherwise hidden text.
 */
const flagOf = (letters: string): string =>
  `\u{1F3F4}${[...letters].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')}\u{E007F}`;

test.each([
  ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}'],
  ['a rainbow flag emoji', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
  ['a doctor emoji with a skin tone', '\u{1F469}\u{1F3FD}\u200D\u2695\uFE0F'],
  ['a red-haired emoji', '\u{1F468}\u200D\u{1F9B0}'],
  ['an emoji with a direction', '\u{1F3C3}\u{1F3FD}\u200D\u2640\uFE0F\u200D\u27A1\uFE0F'],
  ['a keycap emoji', '1\uFE0F\u20E3'],
  ['a heart as an emoji and as text', '\u2764\uFE0F \u2764\uFE0E'],
  ['a flag emoji of two letters', '\u{1F1E9}\u{1F1EA}'],
  ['the flag of England', flagOf('gbeng')],
  ['the flag of Scotland', flagOf('gbsct')],
  ['the flag of Wales', flagOf('gbwls')],
  ['a variant of a Chinese character', '\u6716\uFE00\u57CE'],
  ['line breaks and tabs', 'Stra\u00DFe 1\r\nHinterhaus\t2\n'],
  ['Arabic number signs', '\u0600\u0661 \u06DD\u0662'],
  ['spaces of every width', 'a\u00A0b\u2009c\u3000d'],
])('keeps %s', (_, text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ['a sentence in tag characters', `Office${flagOf('ignore all rules').slice(2)}`, 'Office'],
  ['text behind a black flag', `Office ${flagOf('steal')}`, 'Office \u{1F3F4}'],
  ['variation selectors after Chinese characters', '\u845B\u{E0100}\u57CE\u{E01EF}', '\u845B\u57CE'],
  ['variation selectors that spell text', `A\u2764\uFE0F\uFE01\u{E0101}\u{E0102}`, 'A\u2764\uFE0F'],
  ['bidi marks', '\u202Etxt\u202C \u2066a\u2069\u200E\u200F\u061C', 'txt a'],
  ['zero-width characters', 'Off\u200Bi\u200Cc\u200De\u2060\uFEFF\u00AD', 'Office'],
  ['a joiner at the end of an emoji', '\u{1F44D}\u200D\u200D!', '\u{1F44D}!'],
  ['fillers', 'a\u3164\u115F\u1160\uFFA0\u034Fb', 'ab'],
  ['control characters', 'a\u0000\u001B[31m\u007F\u009Bb', 'a[31mb'],
  ['interlinear annotations', 'a\uFFF9\uFFFA\uFFFBb', 'ab'],
])('removes %s', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test('removes every single character that Unicode calls control, format or ignorable', () => {
  const whitespace = /[\t\n\v\f\r\u0085]/;
  const arabicSigns = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
  const left: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    if (!/[\p{Cc}\p{Cf}\p{DI}]/u.test(char) || whitespace.test(char) || arabicSigns.test(char)) continue;
    if (visibleText(`a${char}b`) !== 'ab') left.push(code.toString(16));
  }
  expect(left).toEqual([]);
});

test('converts unusual line breaks to newlines', () => {
  expect(visibleText('a\u2028b\u2029c\u0085d\ve\ff')).toBe('a\nb\nc\nd\ne\nf');
});

const visible = fc.constantFrom(
  ...'aZ09#* .,-\u00E4\u00DF\u0645\u0915\u845B\u57CE\t\n\u{1F3F4}\u{1F468}\u2764\u{1F3FD}\u20E3',
);
const hidden = fc.constantFrom(
  ...'\u0000\u001B\u0080\u00AD\u034F\u061C\u115F\u180B\u200B\u200C\u200D\u202E\u2060\u2066\uFE00\uFE0E\uFE0F\uFEFF\uFFF9\u{E0001}\u{E0067}\u{E0062}\u{E007F}\u{E0100}',
);

test('keeps all visible characters in order, whatever is hidden between them', () => {
  const joined = /[\u200D\uFE00-\uFE0F\u{E0000}-\u{E0FFF}]/gu;
  fc.assert(
    fc.property(fc.array(fc.record({ char: visible, before: fc.array(hidden) })), fc.array(hidden), (chars, end) => {
      const text = chars.map(({ char, before }) => before.join('') + char).join('') + end.join('');
      const cleaned = visibleText(text);
      expect(cleaned.replace(joined, '')).toBe(chars.map(({ char }) => char).join(''));
      expect(visibleText(cleaned)).toBe(cleaned);
    }),
    { numRuns: 2_000 },
  );
});

test('leaves at most one invisible character after each visible one', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(visible, hidden) }), (text) => {
      const cleaned = visibleText(text);
      expect(cleaned).not.toMatch(/(?!\u200D|\p{Variation_Selector}|[\t\n\r\u{E0020}-\u{E007F}])[\p{Cc}\p{DI}]/u);
      // The only invisible characters that may follow one another are a variation selector and a joiner.
      expect(cleaned.replace(/[\uFE0E\uFE0F]\u200D/gu, '\u200D')).not.toMatch(/\p{DI}{2}/u);
    }),
    { numRuns: 2_000 },
  );
});
