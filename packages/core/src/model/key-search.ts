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
 * A search for these values, in time that depends on the string and not on how many there are. It ignores case and
 * everything except letters and digits: `ab12 cd34` is found as `AB12-CD34`. It also finds the percent-encoded form. A
 * value without letters and digits is not found.
 */
export const createKeySearch = (values: Iterable<string>): KeySearch => {
  const known = new Set<string>();
  const lengthsByStart = new Map<string, number[]>();
  for (const value of values) {
    for (const form of [value, percentEncoded(value)]) {
      const { letters } = readLetters(form);
      if (letters === '' || known.has(letters)) continue;
      known.add(letters);
      const start = letters.slice(0, minInsideWords);
      const lengths = lengthsByStart.get(start) ?? [];
      if (!lengths.includes(letters.length)) lengths.push(letters.length);
      lengthsByStart.set(start, lengths);
    }
  }
  for (const lengths of lengthsByStart.values()) lengths.sort((a, b) => b - a);

  const longAt = (letters: string, from: number): number | undefined => {
    const lengths = lengthsByStart.get(letters.slice(from, from + minInsideWords));
    return lengths?.find(
      (length) =>
        length >= minInsideWords && from + length <= letters.length && known.has(letters.slice(from, from + length)),
    );
  };
  const wordAt = ({ letters, starts, ends }: Letters, from: number): number | undefined => {
    const isApart = (at: number) => at === 0 || at === letters.length || (starts[at] ?? 0) > (ends[at - 1] ?? 0);
    if (!isApart(from)) return undefined;
    for (let length = minInsideWords - 1; length > 0; length--) {
      const isInside = from + length <= letters.length;
      if (isInside && isApart(from + length) && known.has(letters.slice(from, from + length))) return length;
    }
    return undefined;
  };

  return {
    hide(text) {
      if (known.size === 0) return text;
      const read = readLetters(text);
      let shown = '';
      let done = 0;
      for (let at = 0; at < read.letters.length; ) {
        const length = longAt(read.letters, at) ?? wordAt(read, at);
        if (length !== undefined) {
          shown += text.slice(done, read.starts[at]) + marker;
          done = read.ends[at + length - 1] ?? text.length;
        }
        at += length ?? 1;
      }
      return shown + text.slice(done);
    },
    holds(text) {
      if (known.size === 0) return false;
      const { letters } = readLetters(text);
      if (letters.length >= minInNumbers && known.has(letters)) return true;
      for (let at = 0; at + minInsideWords <= letters.length; at++) if (longAt(letters, at)) return true;
      return false;
    },
  };
};

/** The letters and digits of a string in lower case, and where each begins and ends in it. */
interface Letters {
  letters: string;
  starts: number[];
  ends: number[];
}

const readLetters = (text: string): Letters => {
  let letters = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = plainOf(character);
    for (let i = 0; i < plain.length; i++) {
      starts.push(at);
      ends.push(at + character.length);
    }
    letters += plain;
    at += character.length;
  }
  return { letters, starts, ends };
};

const notLetters = /[^\p{L}\p{N}]/gu;

const plainOf = (character: string): string => {
  if (character <= '\x7f') return /[a-z\d]/i.test(character) ? character.toLowerCase() : '';
  return character.normalize('NFKD').toLowerCase().replace(notLetters, '');
};

const percentEncoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // half a surrogate pair, which no URL can contain
  }
};
