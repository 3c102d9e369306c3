import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAutomaton, type FindWords } from './automaton.ts';

const unitsOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

const find = (search: FindWords, text: string, counts: (from: number, to: number) => boolean): string[] => {
  const found: string[] = [];
  search(unitsOf(text), (from, to) => {
    if (counts(from, to)) found.push(`${text.slice(from, to)} at ${from}`);
    return counts(from, to);
  });
  return found;
};

/** Of the words that end in one place, the longest that counts. */
const expected = (words: readonly string[], text: string, counts: (from: number, to: number) => boolean): string[] =>
  Array.from(text, (_, index) => index + 1).flatMap((to) => {
    const here = words.filter((word) => text.endsWith(word, to) && counts(to - word.length, to));
    const [longest] = here.toSorted((a, b) => b.length - a.length);
    return longest === undefined ? [] : [`${longest} at ${to - longest.length}`];
  });

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });

test.each<[string, (from: number, to: number) => boolean]>([
  ['all words', () => true],
  ['words that count', (from, to) => to - from > 3 || from % 2 === 0],
])('finds %s in one text after the other', (_, counts) => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.array(text, { maxLength: 4 }), (words, texts) => {
      const search = createAutomaton(words.map(unitsOf));
      for (const one of texts) expect(find(search, one, counts)).toEqual(expected(words, one, counts));
    }),
    { numRuns: 1_000 },
  );
});
