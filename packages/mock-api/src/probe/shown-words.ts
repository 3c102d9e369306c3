/** Returns a word from the API in the form that a report may show, or says that it has a different form. */
export type ShowWord = (text: string) => string;

/**
 * Whether a text is a word that begins in lower case and has no digits, so that it is neither a key, a number nor a
 * name.
 */
const isWord = (text: string): boolean => text.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+|\p{Lu}\p{Ll}+)*$/u.test(text);

/** Returns only the letters and digits of a text, in lower case. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Decides which texts from the API a report may show: plain words that contain no piece of the API key. A piece counts
 * even if it is in a different case, percent-encoded, in Base64 or hexadecimal digits, or backwards. Reports show no
 * other texts.
 */
export const createShowWord = (apiKey: string): ShowWord => {
  const encoded = (['hex', 'base64'] as const).map((form) => Buffer.from(apiKey).toString(form));
  // The Base64 of a key depends on the number of bytes in front of it.
  const shifted = [1, 2].map((n) =>
    Buffer.from(' '.repeat(n) + apiKey)
      .toString('base64')
      .slice(n + 1),
  );
  const backwards = [...apiKey].reverse().join('');
  const forms = [apiKey, backwards, encodeURIComponent(apiKey), ...encoded, ...shifted].map(plain).join(' ');
  // Pieces shorter than this occur in ordinary words by chance.
  const length = Math.min(6, plain(apiKey).length);
  const hasPiece = (text: string): boolean =>
    [...text].some((_, n) => n + length <= text.length && forms.includes(text.slice(n, n + length)));
  return (text) => (isWord(text) && !hasPiece(plain(text)) ? `"${text}"` : 'a word in a different form');
};
