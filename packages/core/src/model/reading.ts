/** The letters and digits of a text, in upper case, in one width and without accents, and where its words start. */
export interface Reading {
  readonly letters: string;
  /** 1 at each letter that something other than a letter or digit precedes, and behind the last one. */
  readonly startsWord: Uint8Array;
}

const maxDecodings = 5;

/** Returns what a text can be read as: as it is, and decoded until nothing changes, at most five times. */
export const readingsOf = (text: string): Reading[] => decodingsOf(text).map(read);

/**
 * Returns the words of a text in all its readings, as letters. Parts that are joined by dashes and the like are one
 * word.
 */
export const wordsOf = (text: string): string[] =>
  decodingsOf(text).flatMap((decoded) => {
    const { letters, startsWord } = read(decoded.replace(joints, ''));
    const words: string[] = [];
    for (let start = 0, end = 1; end <= letters.length; end++) {
      if (!startsWord[end]) continue;
      words.push(letters.slice(start, end));
      start = end;
    }
    return words;
  });

const joints = /[^\p{L}\p{M}\p{N}\s,;|:=/"'<>()[\]{}&?]+/gu;

const decodingsOf = (text: string): string[] => {
  const texts = [text];
  if (!/[%&\\]/.test(text)) return texts;
  for (let now = decode(text); now !== texts.at(-1) && texts.length <= maxDecodings; now = decode(now)) texts.push(now);
  return texts;
};

const read = (text: string): Reading => {
  // In lower case, ß and ς would have two forms.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  const codes = new Uint16Array(plain.length);
  const startsWord = new Uint8Array(plain.length + 1);
  startsWord[0] = 1;
  let count = 0;
  for (let index = 0; index < plain.length; index++) {
    const code = plain.charCodeAt(index);
    if (isLetter(code)) codes[count++] = code;
    else startsWord[count] = 1;
  }
  startsWord[count] = 1;
  return { letters: utf16.decode(codes.subarray(0, count)), startsWord };
};

const utf16 = new TextDecoder('utf-16le');
const [yes, no] = [1, 2];
/** Whether each UTF-16 code is a letter or digit; 0 if that was not asked yet. */
const known = new Uint8Array(2 ** 16);
const isLetter = (code: number): boolean => {
  known[code] ||= /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? yes : no;
  return known[code] === yes;
};

/** Percent-encoded characters in UTF-8, and what stands between them: only what `decodeURIComponent` accepts. */
const percentEncoded =
  /(?:%(?:[0-7][\da-f]|(?:c[2-9a-f]|d[\da-f]|(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89]|(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\da-f]%[89ab])[\da-f])%[89ab][\da-f])[^%]*){1,500}/gi;

const decode = (text: string): string =>
  text
    .replace(percentEncoded, decodeURIComponent)
    .replace(/(?<!\\)\\+u([\da-f]{4})/gi, '&#x$1;')
    .replace(/&#x0*[\da-f]{1,5};?/gi, (written) => String.fromCodePoint(Number.parseInt(written.slice(3), 16)))
    .replace(/&#0*\d{1,6};?/g, (written) => String.fromCodePoint(Number.parseInt(written.slice(2), 10)))
    .replace(/&([a-z])(?:uml|acute|grave|circ|tilde|cedil|ring|caron);/gi, '$1')
    .replace(/&szlig;/gi, 'ss')
    .replace(/&amp;/gi, '&')
    .replace(/(?<!\\)\\+[bfnrt]|&[a-z][a-z\d]{1,31};/gi, ' ');
