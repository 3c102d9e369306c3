import { createAutomaton } from './automaton.ts';

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

/**
 * A search for these values, in time linear in their length and in that of the string. It compares letters and digits
 * only, whatever their case, width or percent-encoding: `ab12%2Dcd34` is found as `AB12-CD34`. A value without letters
 * and digits is not found.
 */
export const createKeySearch = (values: Iterable<string>): KeySearch => {
  const readLetters = createReader();
  const readingsOf = (text: string): Letters[] =>
    // What looks percent-encoded may be part of a key.
    text.includes('%') ? [readLetters(text, false), readLetters(text, true)] : [readLetters(text, false)];
  const keys = Array.from(values).flatMap((value) => readingsOf(value).map(({ letters }) => letters));
  if (keys.length === 0) return { hide: (text) => text, holds: () => false };
  const findKeys = createAutomaton(keys);

  /**
   * Where the longest value that starts at an index of the text ends; 0 for none.
   * @param counts whether a short value counts
   */
  const find = (text: string, counts: (from: number, to: number, reading: Letters) => boolean): Int32Array => {
    const ends = new Int32Array(text.length);
    for (const reading of readingsOf(text)) {
      findKeys(reading.letters, (from, to) => {
        if (to - from < minInsideWords && !counts(from, to, reading)) return false;
        const start = reading.starts[from] ?? 0;
        ends[start] = Math.max(ends[start] ?? 0, reading.endOf(to - 1));
        return true;
      });
    }
    return ends;
  };

  return {
    hide(text) {
      let shown = '';
      let done = 0;
      find(text, isSeparateWord).forEach((end, start) => {
        if (end <= done) return;
        if (start >= done) shown += text.slice(done, start) + marker;
        done = end;
      });
      return shown + text.slice(done);
    },
    holds: (text) => find(text, isWhole).some((end) => end > 0),
  };
};

const isWhole = (from: number, to: number, { letters }: Letters): boolean =>
  to - from === letters.length && letters.length >= minInNumbers;

const isSeparateWord = (from: number, to: number, { letters, starts, endOf }: Letters): boolean =>
  [from, to].every((at) => at === 0 || at === letters.length || (starts[at] ?? 0) > endOf(at - 1));

/** The letters and digits of a string, in lower case, as UTF-16 units. */
interface Letters {
  letters: number[];
  /** Where the character of each begins in the string. */
  starts: number[];
  /** Where the character of this letter ends. */
  endOf(at: number): number;
}

const percent = 0x25;
const encoded =
  /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-4](?:%[89ab][\da-f]){3})/iy;

const createReader = (): ((text: string, decodes: boolean) => Letters) => {
  const known = new Map<string, string>();
  const plainOf = (character: string): string => {
    const plain = known.get(character) ?? decode(character).normalize('NFKD').toLowerCase().replace(notLetters, '');
    known.set(character, plain);
    return plain;
  };
  return (text, decodes) => {
    const characterAt = (at: number): string => {
      encoded.lastIndex = at;
      const isEncoded = decodes && text.charCodeAt(at) === percent;
      return (isEncoded && encoded.exec(text)?.[0]) || String.fromCodePoint(text.codePointAt(at) ?? 0);
    };
    const letters: number[] = [];
    const starts: number[] = [];
    for (let at = 0; at < text.length; ) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80 && !(decodes && unit === percent)) {
        const letter = asciiLetter(unit);
        if (letter > 0) {
          letters.push(letter);
          starts.push(at);
        }
        at += 1;
        continue;
      }
      const character = characterAt(at);
      const plain = plainOf(character);
      for (let i = 0; i < plain.length; i++) {
        letters.push(plain.charCodeAt(i));
        starts.push(at);
      }
      at += character.length;
    }
    return { letters, starts, endOf: (at) => (starts[at] ?? 0) + characterAt(starts[at] ?? 0).length };
  };
};

/** The same digit, or the letter in lower case; 0 for anything else. */
const asciiLetter = (unit: number): number => {
  const lower = unit | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return lower;
  return unit >= 0x30 && unit <= 0x39 ? unit : 0;
};

const notLetters = /[^\p{L}\p{N}]/gu;

const decode = (character: string): string => {
  try {
    return decodeURIComponent(character);
  } catch {
    return character; // bytes that are not UTF-8
  }
};
