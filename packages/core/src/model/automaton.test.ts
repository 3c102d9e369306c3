import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAutomaton } from './automaton.ts';

const unitsOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** Which letters belong to a word that counts. */
const coveredBy = (ranges: readonly (readonly [number, number])[], length: number): boolean[] =>
  Array.from({ length }, (_, at) => ranges.some(([from, to]) => from <= at && at < to));

const search = (words: readonly string[], text: string, counts: (from: number, to: number) => boolean) => {
  const all = words.flatMap((word) =>
    Array.from(text, (_, from) => [from, from + word.length] as const).filter(([from]) => text.startsWith(word, from)),
  );
  return all.filter(([from, to]) => counts(from, to));
};

test('finds the same words as a search for one after the other, in every text', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });
  const counts = fc.constantFrom(
    () => true,
    (from: number, to: number) => to - from > 3 || from % 2 === 0,
  );
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 12 }),
      fc.array(text, { maxLength: 4 }),
      counts,
      (words, texts, isWanted) => {
        const find = createAutomaton(words.map(unitsOf));
        for (const one of texts) {
          const found = find(unitsOf(one), isWanted);
          expect(coveredBy(found, one.length)).toEqual(coveredBy(search(words, one, isWanted), one.length));
          expect(found).toEqual(found.toSorted(([a], [b]) => a - b));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('returns overlapping words as one range, and neighbours as two', () => {
  const find = createAutomaton(['abc', 'cd', 'ef'].map(unitsOf));
  expect(find(unitsOf('xabcdefx'), () => true)).toEqual([
    [1, 5],
    [5, 7],
  ]);
});
