/** Replaces a masked value. */
export const marker = '****';

/** Finds given values in strings, in any notation. */
export interface KeySearch {
  /** Returns the text with every value in it replaced. */
  hide(text: string): string;
  /**
   * Whether the text of a number, amount or date equals a value of at least four letters and digits, or contains a long
   * value.
   */
  holds(text: string): boolean;
}

/** From this length on, a value is also found inside other words; a shorter value is found only as a separate word. */
const longLength = 8;
/** Minimum length of a value that is found in numbers: a shorter one would hide quantities and IDs by chance. */
const minInNumbers = 4;
/** With more values than this, far more than an order has keys, all text is hidden. */
export const maxValues = 200_000;

/**
 * Creates a search for these values. The search takes time linear in the length of the values and of the text, and
 * compares only letters and digits, whatever their case, width or encoding: `ab12%2Dcd34`, `ab12&#45;cd34` and
 * `ab12\u002dcd34` are found as `AB12-CD34`. A value without letters and digits is not found.
 *
 * Of a long value, only the first and the last eight letters are compared. A passage that starts like a long value, and
 * ends like one within the length of that value, is hidden as a whole. This can hide more than the value.
 */
export const createKeySearch = (values: ReadonlySet<string>): KeySearch => {
  if (values.size > maxValues) return { hide: (text) => text && marker, holds: () => true };
  const words = new Set<number>();
  let longestWord = 0;
  /** The first letters of long values, each with the length of the longest value that starts with them. */
  const starts = new Map<number, number>();
  /** The last letters of long values. */
  const ends = new Set<number>();
  for (const value of values) {
    for (const notation of notationsOf(value)) {
      let [count, run, start] = [0, 0, 0];
      eachLetter(value, notation, (letter) => {
        count += 1;
        run = append(run, letter);
        if (count === longLength) start = run;
      });
      if (count < longLength) {
        words.add(run);
        longestWord = Math.max(longestWord, count);
      } else {
        starts.set(start, Math.max(starts.get(start) ?? 0, count));
        ends.add(run);
      }
    }
  }
  words.delete(0);
  if (words.size + ends.size === 0) return { hide: (text) => text, holds: () => false };

  /**
   * Calls `onValue` for each value in the text.
   * @returns the number of letters in the text
   */
  const read = (text: string, notation: RegExp | undefined, onValue: OnValue): number => {
    /** For each of the last eight letters: where its character starts, and whether the character may start a word. */
    const startOf = new Int32Array(longLength);
    const isApart = new Uint8Array(longLength);
    let [count, run, endBefore] = [0, 0, -1];
    /** Start of the latest text that begins like a long value, and the letter before which this text must end. */
    let [start, until] = [0, 0];
    const endWord = (): void => {
      for (let length = 1, scale = base; length <= longestWord && length <= count; length++, scale *= base) {
        const first = (count - length) % longLength;
        if (isApart[first] && words.has(run % scale)) onValue(startOf[first] ?? 0, endBefore, length);
      }
    };
    eachLetter(text, notation, (letter, from, to) => {
      const isWordStart = from > endBefore;
      if (isWordStart) endWord();
      startOf[count % longLength] = from;
      isApart[count % longLength] = Number(isWordStart);
      endBefore = to;
      count += 1;
      run = append(run, letter);
      const length = starts.get(run);
      if (length !== undefined) {
        const first = count - longLength;
        if (first >= until) start = startOf[first % longLength] ?? 0;
        until = Math.max(until, first + length);
      }
      if (count <= until && ends.has(run)) onValue(start, to, longLength);
    });
    endWord();
    return count;
  };

  return {
    hide(text) {
      /** For each index of the text, the end of the longest value that starts there; 0 for none. */
      const endOf = new Int32Array(text.length);
      for (const notation of notationsOf(text)) {
        read(text, notation, (start, end) => {
          endOf[start] = Math.max(endOf[start] ?? 0, end);
        });
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
      notationsOf(text).some((notation) => {
        let longest = 0;
        const count = read(text, notation, (_start, _end, length) => {
          longest = Math.max(longest, length);
        });
        return longest === longLength || (longest >= minInNumbers && longest === count);
      }),
  };
};

/**
 * Called with the start and end of a value in the text. `length` is its number of letters; eight means eight or more.
 */
type OnValue = (start: number, end: number, length: number) => void;

/** Each letter or digit becomes a number from 1 to 96, so eight of them fit into one number below 2^53. */
const base = 97;
const append = (run: number, letter: number): number => (run % base ** (longLength - 1)) * base + letter;

/**
 * Creates the source of a pattern for a percent-encoded character.
 * @param percent the sign before each of its bytes
 */
const encodedBy = (percent: string): string => {
  const later = `${percent}[89ab][\\da-f]`;
  const first = `[cd][\\da-f]|e[\\da-f]${later}|f[0-4]${later}${later}`;
  return `${percent}(?:[0-7][\\da-f]|(?:${first})${later})`;
};
const inHtml = '&(?:amp;){0,4}(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z]{2,8});';
const inJson = '\\\\{1,8}(?:u[\\da-f]{4}|[bfnrt])';
const encoded = new RegExp(encodedBy('%'), 'iy');
/** Also matches a character that was encoded up to five times, such as `%252D`, or escaped for HTML or JSON. */
const escaped = new RegExp([encodedBy('%(?:25){0,4}'), inHtml, inJson].join('|'), 'iy');
const hasEscapes = /%25|&[#a-z]|\\[a-z]/i;

/** Returns the ways to read a text: with and without decoding, since what looks encoded may be part of a key. */
const notationsOf = (text: string): (RegExp | undefined)[] => [
  undefined,
  ...(text.includes('%') ? [encoded] : []),
  ...(hasEscapes.test(text) ? [escaped] : []),
];

/** The codes of `%`, `&` and `\`. */
const escapes: ReadonlySet<number> = new Set([37, 38, 92]);

/**
 * Calls `onLetter` for each letter and digit, in upper case and in one width, with the start and end of its character.
 * @param onLetter gets the letter as a number; letters that are not Latin may share a number, which only hides more
 */
const eachLetter = (
  text: string,
  encoded: RegExp | undefined,
  onLetter: (letter: number, start: number, end: number) => void,
): void => {
  const known = new Map<string, number[]>();
  for (let start = 0, end = 0; start < text.length; start = end) {
    const code = text.codePointAt(start) ?? 0;
    end = start + (code > 0xffff ? 2 : 1);
    if (code < ascii.length && !(encoded && escapes.has(code))) {
      const letter = ascii[code] ?? 0;
      if (letter > 0) onLetter(letter, start, end);
      continue;
    }
    if (encoded) encoded.lastIndex = start;
    if (encoded?.test(text)) end = encoded.lastIndex;
    const character = text.slice(start, end);
    let letters = known.get(character);
    if (!letters) {
      letters = lettersOf(decode(character));
      known.set(character, letters);
    }
    for (const letter of letters) onLetter(letter, start, end);
  }
};

const lettersOf = (character: string): number[] => {
  const plain = character.normalize('NFKD').toUpperCase(); // in lower case, ß and ς would have two forms
  return Array.from(plain.replace(/[^\p{L}\p{N}]/gu, ''), (letter) => {
    const digit = Number.parseInt(letter, 36);
    return Number.isNaN(digit) ? 37 + ((letter.codePointAt(0) ?? 0) % 60) : digit + 1;
  });
};

const decode = (character: string): string => {
  if (character.startsWith('&')) return fromHtml(character.replace(/^&(amp;)*|;$/gi, ''));
  if (character.startsWith('\\')) return fromCode(character.split(/u/i)[1], 16);
  try {
    return decodeURIComponent(character.replace(/%(25)+(?=..)/g, '%'));
  } catch {
    return character; // bytes that are not UTF-8, or a percent sign
  }
};

/** Returns the character with this name or number in HTML. Other names, such as `nbsp`, do not stand for letters. */
const fromHtml = (name: string): string => {
  if (name.startsWith('#')) return /^#x/i.test(name) ? fromCode(name.slice(2), 16) : fromCode(name.slice(1), 10);
  return /^szlig$/i.test(name) ? 'ß' : (/^(.)(uml|acute|grave|circ|tilde|cedil|ring)$/i.exec(name)?.[1] ?? '');
};

const fromCode = (digits = '', radix: number): string => {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** The number of each ASCII letter or digit, by code; 0 for other characters. */
const ascii = Uint8Array.from({ length: 128 }, (_, code) => lettersOf(String.fromCharCode(code))[0] ?? 0);
