import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOrderLicenseError } from '../base/errors.ts';
import { checkApiKey, maskKey } from './api-key.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 300,
});

test('accepts any visible ASCII as a key, of any length and prefix, and drops white space around it [S-70]', () => {
  fc.assert(
    fc.property(visible, fc.constantFrom('', ' ', '\n', '\t', '\r\n'), (key, space) => {
      expect(checkApiKey(space + key + space)).toBe(key);
    }),
  );
});

test('refuses a key with any other character, without quoting it [S-70]', () => {
  const odd = fc.constantFrom('\n', '\0', ' ', '\u2019', 'ü', '\u{1f511}', '\x7f');
  fc.assert(
    fc.property(
      visible.filter((key) => key.length > 8),
      odd,
      (key, character) => {
        let refusal: unknown;
        try {
          checkApiKey(`${key}${character}${key}`);
        } catch (error) {
          refusal = error;
        }
        expect(isOrderLicenseError(refusal) && refusal.code).toBe('configuration');
        expect(String((refusal as Error).stack)).not.toContain(key);
      },
    ),
  );
});

test.each([undefined, null, 5, '', '   '])('reports a missing key (%j) as missing', (key) => {
  expect(() => checkApiKey(key)).toThrow('is missing');
});

test('masks every occurrence of a key, whatever it looks like [S-70]', () => {
  fc.assert(
    fc.property(visible, fc.string(), fc.string(), (key, before, after) => {
      const masked = maskKey(`${before}${key}${after}${key}`, key);
      expect(masked.split('[API key]').filter((part) => part.includes(key))).toEqual([]);
      expect(masked).toContain('[API key]');
    }),
  );
  expect(maskKey('a.*b and a.*b', 'a.*b')).toBe('[API key] and [API key]');
});

test.each([
  ['OLK_LIVE_8F3A+7C/D2==', 'in upper case'],
  ['olk_live_8f3a%2B7c%2Fd2%3D%3D', 'percent-encoded'],
  ['olk_live_8f3a+7c/d2&#61;&#61;', 'escaped for HTML'],
  ['olk live 8f3a 7c d2', 'with other separators'],
])('masks the key as %s [S-70]', (written) => {
  const key = 'olk_live_8f3a+7c/d2==';
  const masked = maskKey(`No such key: "${written}" (401)`, key);
  expect(masked).toMatch(/^No such key: "\*{4}/);
  expect(masked).not.toMatch(/olk|8f3a|7c|d2/i);
});
