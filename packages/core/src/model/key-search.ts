import { codesOf, decodingsOf } from './words.ts';

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
  const starts = new Set<number>();
  /** The last letters of long values, and all letters of shorter ones. */
  const ends = new Set<number>();
  for (const value of values) {
    for (const decoded of decodingsOf(value)) {
      const codes = codesOf(decoded).filter((code) => code > 0);
      starts.add(codes.subarray(0, longLength).reduce(append, 0));
      ends.add(codes.subarray(-longLength).reduce(append, 0));
    }
  }
  ends.delete(0);
  const hasValue = (text: string): boolean => {
    const codes = codesOf(text);
    /** Hashes of the first n letters. */
    const hashes = new Int32Array(codes.length + 1);
    const startsWord = new Uint8Array(codes.length + 1);
    let [count, isStarted] = [0, false];
    const hashOfLast = (length: number): number =>
      ((hashes[count] ?? 0) - Math.imul(hashes[count - length] ?? 0, powers[length] ?? 0)) | 0;
    const endsWord = (): boolean => {
      for (let length = wordLength; length < longLength; length++) {
        if (startsWord[count - length] && ends.has(hashOfLast(length))) return true;
      }
      return false;
    };
    startsWord[0] = 1;
    for (const code of codes) {
      if (code > 0) {
        hashes[count + 1] = append(hashes[count] ?? 0, code);
        count += 1;
        if (count < longLength) continue;
        const hash = hashOfLast(longLength);
        isStarted ||= starts.has(hash);
        if (isStarted && ends.has(hash)) return true;
      } else {
        if (endsWord()) return true;
        startsWord[count] = 1;
      }
    }
    return endsWord() || ends.has(hashes[count] ?? 0);
  };
  if (ends.size === 0) return () => false;
  return (text) => decodingsOf(text).some((decoded) => /%25[\da-f]{2}/i.test(decoded) || hasValue(decoded));
};

/** Hashes of 32 bits: different letters share one once in four billion times, which only hides more. */
const factor = 0x9e3779b1;
const append = (hash: number, code: number): number => (Math.imul(hash, factor) + code) | 0;
/** The factor of a letter that this many letters follow. */
const powers = Array.from({ length: longLength + 1 }, (_, length) =>
  Array.from({ length }).reduce((power: number) => Math.imul(power, factor), 1),
);
