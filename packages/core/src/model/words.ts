/** Returns a text as it is, and decoded until nothing changes, at most five times. */
export const decodingsOf = (text: string, left = 5): string[] => {
  const decoded = /[%&\\]/.test(text) ? decode(text) : text;
  return decoded === text || left === 0 ? [text] : [text, ...decodingsOf(decoded, left - 1)];
};

/**
 * Returns the words of a text: letters and digits in upper case, in one width and without accents. In lower case, ß and
 * ς would have two forms.
 */
export const wordsOf = (text: string): string[] =>
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
