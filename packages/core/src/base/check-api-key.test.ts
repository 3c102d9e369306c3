import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkApiKey } from './check-api-key.ts';
import { isOrderLicenseError } from './errors.ts';

const visible = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 300,
  })
  .filter((key) => !/^["'`]/.test(key));

test('accepts a key of any visible ASCII characters, and trims white space [S-70]', () => {
  fc.assert(
    fc.property(visible, fc.constantFrom('', ' ', '\n', '\t', '\r\n'), (key, space) => {
      expect(checkApiKey(space + key + space)).toBe(key);
    }),
  );
});

test('rejects a key with a character outside visible ASCII, without quoting the key [S-70]', () => {
  const odd = fc.constantFrom('\n', '\0', ' ', '\u2019', 'ü', '\u{1f511}', '\x7f');
  fc.assert(
    fc.property(
      visible.filter((key) => key.length > 8),
      odd,
      (key, character) => {
        let rejection: unknown;
        try {
          checkApiKey(`${key}${character}${key}`);
        } catch (error) {
          rejection = error;
        }
        expect(isOrderLicenseError(rejection) && rejection.code).toBe('configuration');
        expect(String((rejection as Error).stack)).not.toContain(key);
      },
    ),
  );
});

test.each(['"k-1"', "'k-1'", '`k-1`', '"k-1"\n', 'Bearer k-1', 'Authorization: Bearer k-1'])(
  'rejects %j, a key copied with its quotes or its header, before it is sent [S-70]',
  (key) => {
    expect(() => checkApiKey(key)).toThrow('Copy it again, without `Bearer` and without quotes.');
  },
);

test.each([undefined, null, 5, '', '   '])('rejects the value %j as a missing key', (key) => {
  expect(() => checkApiKey(key)).toThrow('is missing');
});
