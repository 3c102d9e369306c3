import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './json-text.ts';

test.each([
  ['', 'line 1, column 1: a value'],
  ['{"a":1,}', 'line 1, column 8: a name in double quotes'],
  ['{\n  "a" 1}', 'line 2, column 7: a colon'],
  ['[1 2]', 'line 1, column 4: a comma or ]'],
  ['{"a":[}', 'line 1, column 7: a value'],
  ['{"a":1', 'line 1, column 7: a comma or }'],
  ['[1,]', 'line 1, column 4: a value'],
  ['{}{}', 'line 1, column 3: the end'],
  ['["\\x"]', 'line 1, column 2: a value'],
  ["{'a':1}", 'line 1, column 2: a name in double quotes'],
])('%j is rejected with the position of the error', (text, place) => {
  expect(() => parseJson(text, 'f.json')).toThrow(`f.json, ${place} is expected; it is not JSON`);
});

test('rejects the same input as JSON.parse, and reports a position inside it', () => {
  const texts = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '\\', '\n'));
  fc.assert(
    fc.property(texts, ([json, at, piece]) => {
      const place = at % (json.length + 1);
      const text = json.slice(0, place) + piece + json.slice(place + (at % 2));
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(() => parseJson(text, 'f')).toThrow(/^f, line \d+, column \d+: .* is expected; it is not JSON$/);
        return;
      }
      expect(parseJson(text, 'f')).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
