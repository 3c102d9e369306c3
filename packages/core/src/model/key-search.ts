/** Replaces a masked value. */
export const marker = '****';

/** Finds given values in strings, in any notation. */
export interface KeySearch {
  /** The string with every value in it replaced. */
  hide(text: string): string;
  /**
   * Whether a number, amount or date equals one of the values of four or more letters and digits, or contains a long
   * one.
   */
  holds(text: string): boolean;
}

/** From this length on, a value is also found inside other words; a shorter one only as a separate word. */
const minInsideWords = 8;
/** A shorter value would hide quantities and IDs by chance. */
const minInNumbers = 4;
/** Beyond this number of values, far above the keys of an order, every text is hidden. */
export const maxValues = 200_000;

/**
 * A search for these values, in time linear in their length and in that of the string. It compares letters and digits
 * only, whatever their case, width or percent-encoding: `ab12%2Dcd34` is found as `AB12-CD34`. A value without letters
 * and digits is not found.
 *
 * Of a long value, only the first and the last eight letters are compared: what starts like a value and, within its
 * length, ends like one is hidden, whatever is between. That can hide more than a value.
 */
export const createKeySearch = (values: ReadonlySet<string>): KeySearch => {
  if (values.size > maxValues) return { hide: (text) => text && marker, holds: () => true };
  const words = new Set<string>();
  /** By the first letters of long values: the length of the longest one. */
  const starts = new Map<string, number>();
  /** The last letters of long values. */
  const ends = new Set<string>();
  for (const letters of Array.from(values).flatMap((value) => [lettersOf(value, false), lettersOf(value, true)])) {
    if (letters.length < minInsideWords) words.add(letters);
    else {
      const start = letters.slice(0, minInsideWords);
      starts.set(start, Math.max(starts.get(start) ?? 0, letters.length));
      ends.add(letters.slice(-minInsideWords));
    }
  }
  words.delete('');
  if (words.size + ends.size === 0) return { hide: (text) => text, holds: () => false };

  const findLong = ({ letters }: Reading, onValue: (from: number, to: number) => void): void => {
    let from = 0;
    let until = 0;
    for (let at = 0, to = minInsideWords; ends.size > 0 && to <= letters.length; at++, to++) {
      const window = letters.slice(at, to);
      const length = starts.get(window);
      if (length !== undefined) {
        if (at >= until) from = at;
        until = Math.max(until, at + length);
      }
      if (to <= until && ends.has(window)) onValue(from, to);
    }
  };
  const findWords = (reading: Reading, onValue: (from: number, to: number) => void): void => {
    for (let from = 0; words.size > 0 && from < reading.letters.length; from++) {
      if (!isBoundary(reading, from)) continue;
      for (let to = from + 1; to < from + minInsideWords; to++) {
        if (isBoundary(reading, to) && words.has(reading.letters.slice(from, to))) onValue(from, to);
      }
    }
  };

  return {
    hide(text) {
      /** Where the longest value that starts at an index of the text ends; 0 for none. */
      const endOf = new Int32Array(text.length);
      for (const reading of readingsOf(text)) {
        const onValue = (from: number, to: number): void => {
          const start = reading.starts[from] ?? 0;
          endOf[start] = Math.max(endOf[start] ?? 0, reading.ends[to - 1] ?? 0);
        };
        findLong(reading, onValue);
        findWords(reading, onValue);
      }
      let shown = '';
      let done = 0;
      endOf.forEach((end, start) => {
        if (end <= done) return;
        if (start >= done) shown += text.slice(done, start) + marker;
        done = end;
      });
      return shown + text.slice(done);
    },
    holds: (text) =>
      readingsOf(text).some((reading) => {
        let isFound = reading.letters.length >= minInNumbers && words.has(reading.letters);
        findLong(reading, () => {
          isFound = true;
        });
        return isFound;
      }),
  };
};

/** The letters and digits of a string, and where the character of each starts and ends. */
interface Reading {
  letters: string;
  starts: Int32Array;
  ends: Int32Array;
}

/** Whether no word continues at this letter. */
const isBoundary = ({ letters, starts, ends }: Reading, at: number): boolean =>
  at === 0 || at === letters.length || (starts[at] ?? 0) > (ends[at - 1] ?? 0);

/** What looks percent-encoded may be part of a key. */
const readingsOf = (text: string): Reading[] =>
  text.includes('%') ? [read(text, false), read(text, true)] : [read(text, false)];

const encoded =
  /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-4](?:%[89ab][\da-f]){3})/iy;
const allEncoded = new RegExp(encoded, 'gi');

const read = (text: string, decodes: boolean): Reading => {
  const letters = lettersOf(text, decodes);
  const reading = { letters, starts: new Int32Array(letters.length), ends: new Int32Array(letters.length) };
  const counts = new Map<string, number>();
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    let character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (decodes && character === '%') {
      encoded.lastIndex = start;
      character = encoded.exec(text)?.[0] ?? character;
    }
    let rest = counts.get(character);
    if (rest === undefined) {
      rest = lettersOf(character, decodes).length;
      counts.set(character, rest);
    }
    end = start + character.length;
    for (; rest > 0; rest--) {
      reading.starts[count] = start;
      reading.ends[count++] = end;
    }
  }
  return reading;
};

/** The letters and digits of a string, in lower case and in one width, as UTF-16 units. */
const lettersOf = (text: string, decodes: boolean): string =>
  (decodes ? text.replace(allEncoded, decode) : text)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ς', 'σ') // at the end of a word
    .replace(/[^\p{L}\p{N}]/gu, '');

const decode = (character: string): string => {
  try {
    return decodeURIComponent(character);
  } catch {
    return character; // bytes that are not UTF-8
  }
};
