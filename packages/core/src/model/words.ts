/** Returns a text as it is, and decoded until nothing changes, at most five times. */
export const decodingsOf = (text: string, left = 5): string[] => {
  const decoded = /[%&\\]/.test(text) ? decode(text) : text;
  return decoded === text || left === 0 ? [text] : [text, ...decodingsOf(decoded, left - 1)];
};

/** Returns the letters and digits of a text as one word. */
export const lettersOf = (text: string): string => plainOf(text).replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns the UTF-16 codes of the letters and digits of a text, and their number. `bounds[n]` is 1 if a word starts or
 * ends before letter n.
 */
export const lettersIn = (text: string): { codes: Uint16Array; count: number; bounds: Uint8Array } => {
  const plain = plainOf(text);
  const codes = new Uint16Array(plain.length);
  const bounds = new Uint8Array(plain.length + 1);
  let count = 0;
  bounds[0] = 1;
  for (let index = 0; index < plain.length; index++) {
    const code = plain.charCodeAt(index);
    known[code] ||= /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? isLetter : isOther;
    if (known[code] === isLetter) codes[count++] = code;
    else bounds[count] = 1;
  }
  bounds[count] = 1;
  return { codes, count, bounds };
};

/** What each UTF-16 code is; 0 if that was not asked yet. */
const known = new Uint8Array(2 ** 16);
const [isLetter, isOther] = [1, 2];

/** Returns a text in upper case, in one width and without accents. In lower case, ß and ς would have two forms. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase();

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
