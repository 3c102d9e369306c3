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
  const readings = Array.from(values).flatMap((value) => readingsOf(value).map(({ letters }) => letters));
  const keys = readings.filter(({ length }) => length > 0);
  if (keys.length === 0) return { hide: (text) => text, holds: () => false };
  const automaton = createAutomaton(keys);

  return {
    hide(text) {
      const found = readingsOf(text).flatMap(({ letters, starts, endOf }) => {
        const startOf = (at: number) => starts[at] ?? 0;
        const isApart = (at: number) => at === 0 || at === letters.length || startOf(at) > endOf(startOf(at - 1));
        const isKey = (from: number, to: number) => to - from >= minInsideWords || (isApart(from) && isApart(to));
        return automaton(letters, isKey).map(([from, to]) => [startOf(from), endOf(startOf(to - 1))] as const);
      });
      let shown = '';
      let done = 0;
      for (const [start, end] of found.sort(([a], [b]) => a - b)) {
        if (start >= done) shown += text.slice(done, start) + marker;
        done = Math.max(done, end);
      }
      return shown + text.slice(done);
    },
    holds: (text) =>
      readingsOf(text).some(({ letters }) => {
        const isWhole = (from: number, to: number) => to - from === letters.length && letters.length >= minInNumbers;
        return automaton(letters, (from, to) => to - from >= minInsideWords || isWhole(from, to)).length > 0;
      }),
  };
};

/** The letters and digits of a string, in lower case, as UTF-16 units. */
interface Letters {
  letters: number[];
  /** Where the character of each begins in the string. */
  starts: number[];
  /** Where the character that begins there ends. */
  endOf(start: number): number;
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
    return { letters, starts, endOf: (start) => start + characterAt(start).length };
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
