import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkApiKey } from './check-api-key.ts';

/** Keys of visible ASCII characters that do not begin with a quote. */
const visible = fc.stringMatching(/^[!#-&(-_a-~][!-~]{0,299}$/);

test('accepts a key of any visible ASCII characters, and trims white space [S-70]', () => {
  fc.assert(
    fc.property(visible, fc.constantFrom('', ' ', '\n', '\t', '\r\n'), (key, space) => {
      expect(checkApiKey(space + key + space)).toBe(key);
    }),
  );
});

test('rejects a key with a character outside visible ASCII, without quoting the key [S-70]', () => {
  const long = visible.filter((key) => key.length > 8);
  const odd = fc.constantFrom('\n', '\0', ' ', '\u2019', 'ü', '\u{1f511}', '\x7f');
  fc.assert(
    fc.property(long, odd, (key, character) => {
      const rejection = { code: 'configuration', stack: expect.not.stringContaining(key) };
      expect(() => checkApiKey(`${key}${character}${key}`)).toThrow(expect.objectContaining(rejection));
    }),
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
