/** A value of at least this length is found anywhere in a text. */
export const longLength = 8;
/** A value shorter than `longLength` is found only as whole words; one shorter than this, only as the whole text. */
export const wordLength = 4;

/**
 * Returns a function that tells whether a text contains one of these values. It ignores case, width, separators and
 * accents, and undoes percent-encoding and the escapes of JSON and HTML. To take linear time, it compares only the
 * first and the last eight letters of a value: a text with the start of one value and later the end of another counts,
 * too. So does a text that is percent-encoded twice, because it can be decoded in too many ways.
 */
export const createKeySearch = (values: readonly string[]): ((text: string) => boolean) => {
  const found = values.flatMap((value) => decodingsOf(value).map(lettersOf)).filter(Boolean);
  const long = found.filter(({ length }) => length >= longLength);
  const starts = new Set(long.map((letters) => hashAt(letters, 0)));
  const ends = new Set(long.map((letters) => hashAt(letters, letters.length - longLength)));
  const short = new Set(found.filter(({ length }) => length < longLength));
  const longestShort = Array.from(short).reduce((most, { length }) => Math.max(most, length), 0);
  const hasValue = (text: string): boolean => {
    const words = wordsOf(text);
    const letters = words.join('');
    const least = Math.min(wordLength, letters.length);
    for (const first of words.keys()) {
      let joined = '';
      for (let next = first; next < words.length && joined.length < longestShort; next++) {
        joined += words[next];
        if (joined.length >= least && short.has(joined)) return true;
      }
    }
    let isStarted = false;
    for (let start = 0; long.length > 0 && start + longLength <= letters.length; start++) {
      const hash = hashAt(letters, start);
      isStarted ||= starts.has(hash);
      if (isStarted && ends.has(hash)) return true;
    }
    return false;
  };
  return (text) =>
    found.length > 0 && decodingsOf(text).some((decoded) => /%25[\da-f]{2}/i.test(decoded) || hasValue(decoded));
};

/** A hash of eight letters. A collision, once in four billion times, only hides more. */
const hashAt = (letters: string, start: number): number => {
  let hash = 0;
  for (let index = start; index < start + longLength; index++) {
    hash = Math.imul(hash ^ letters.charCodeAt(index), 0x9e3779b1);
  }
  return hash;
};

/** Returns a text and its successive decodings: at most five, until decoding changes nothing. */
const decodingsOf = (text: string, left = 5): string[] => {
  const decoded = /[%&\\]/.test(text) ? decode(text) : text;
  return decoded === text || left === 0 ? [text] : [text, ...decodingsOf(decoded, left - 1)];
};

/**
 * Returns the words of a text: letters and digits in upper case, in one width and without accents. In lower case, ß and
 * ς would have two forms.
 */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u);

/** Returns the letters and digits of a text as one word. */
export const lettersOf = (text: string): string => wordsOf(text).join('');

/** A percent-encoded character in UTF-8: only what `decodeURIComponent` accepts. */
const percentEncoded =
  /%(?:[0-7][\da-f]|(?:c[2-9a-f]|d[\da-f]|(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89]|(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\da-f]%[89ab])[\da-f])%[89ab][\da-f])/gi;

const decode = (text: string): string =>
  text
    .replace(percentEncoded, decodeURIComponent)
    .replace(/(?<!\\)\\+u([\da-f]{4})/gi, '&#x$1;')
    .replace(/&#(x0*[\da-f]{1,5}|0*\d{1,6});?/gi, (_, code) => String.fromCodePoint(Number(`0${code}`)))
    .replace(/&([a-z])(?:uml|acute|grave|circ|tilde|cedil|ring|caron);/gi, '$1')
    .replace(/&szlig;/gi, 'ss')
    .replace(/&amp;/gi, '&')
    .replace(/(?<!\\)\\+[bfnrt]|&[a-z][a-z\d]{1,31};/gi, ' ');
