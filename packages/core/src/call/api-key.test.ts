import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskKey } from './api-key.ts';

test('masks every occurrence of a key, whatever characters the key contains [S-70]', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{1,300}$/), fc.string(), fc.string(), (key, before, after) => {
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
])('hides a text with the key written as %s [S-70]', (written) => {
  const key = 'olk_live_8f3a+7c/d2==';
  expect(maskKey(`No such key: "${written}" (401)`, key)).toBe('****');
  expect(maskKey('No such key: "olk_live" (401)', key)).toBe('No such key: "olk_live" (401)');
});
