import type { Reading } from './reading.ts';

/** From this length on, a value is found anywhere in a text. */
export const longLength = 8;
/** From this length on, a shorter value is found as whole words of a text; below, only as the whole text. */
export const wordLength = 4;

/**
 * Returns a function that tells whether a text contains one of these values, given as the letters of a reading. It
 * takes linear time, because it compares only the first and the last eight letters of a long value: a text with the
 * first of one value and later the last of another counts, too.
 */
export const createKeySearch = (values: ReadonlySet<string>): ((readings: readonly Reading[]) => boolean) => {
  const starts = new Set<string>();
  const ends = new Set<string>();
  const lengths = new Set<number>();
  for (const value of values) {
    if (value.length < longLength) lengths.add(value.length);
    else {
      starts.add(value.slice(0, longLength));
      ends.add(value.slice(-longLength));
    }
  }
  const wordLengths = [...lengths].filter((length) => length >= wordLength);
  return (readings) =>
    readings.some(({ letters, startsWord }) => {
      let isStarted = false;
      for (let from = 0; values.size > 0 && from < letters.length; from++) {
        const next = letters.slice(from, from + longLength);
        isStarted ||= starts.has(next);
        if (isStarted && ends.has(next)) return true;
        if (
          startsWord[from] &&
          wordLengths.some((length) => startsWord[from + length] && values.has(next.slice(0, length)))
        )
          return true;
      }
      return values.has(letters);
    });
};
