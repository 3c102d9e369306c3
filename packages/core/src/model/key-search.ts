import { decodingsOf, lettersIn } from './words.ts';

/** From this length on, a value is found anywhere in a text. */
export const longLength = 8;
/** From this length on, a shorter value is found as whole words of a text; below, only as the whole text. */
export const wordLength = 4;

/**
 * Returns a function that tells whether a text contains one of these values, whatever the notation of both. It takes
 * linear time, because it compares only the first and the last eight letters of a long value: a text with the first of
 * one value and later the last of another counts, too. So does a text that is percent-encoded twice, because it can be
 * read in more ways than there are steps of decoding it.
 */
export const createKeySearch = (values: Iterable<string>): ((text: string) => boolean) => {
  const [starts, ends, short] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const value of values) {
    for (const { codes, count } of decodingsOf(value).map(lettersIn)) {
      if (count >= longLength) starts.add(hashOf(codes, 0, longLength));
      if (count >= longLength) ends.add(hashOf(codes, count - longLength, count));
      else if (count > 0) short.add(hashOf(codes, 0, count));
    }
  }
  const hasValue = (text: string): boolean => {
    const { codes, count, bounds } = lettersIn(text);
    const least = Math.min(wordLength, count);
    let isStarted = false;
    for (let start = 0; start < count; start++) {
      if (start + longLength <= count) {
        const hash = hashOf(codes, start, start + longLength);
        isStarted ||= starts.has(hash);
        if (isStarted && ends.has(hash)) return true;
      }
      if (!bounds[start]) continue;
      for (let end = start + least; end < start + longLength; end++) {
        if (bounds[end] && short.has(hashOf(codes, start, end))) return true;
      }
    }
    return false;
  };
  if (ends.size + short.size === 0) return () => false;
  return (text) => decodingsOf(text).some((decoded) => /%25[\da-f]{2}/i.test(decoded) || hasValue(decoded));
};

/** Hashes of 32 bits: different letters share one once in four billion times, which only hides more. */
const hashOf = (codes: Uint16Array, start: number, end: number): number => {
  let hash = 0;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (codes[index] ?? 0), 0x9e3779b1);
  return hash;
};
