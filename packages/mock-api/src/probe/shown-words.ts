/** Returns a word from the API in the form that a report may show, or says that it has a different form. */
export type ShowWord = (text: string) => string;

/** Words without digits that begin in lower case: neither a key nor a number nor a name. */
const isWord = (text: string): boolean => text.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+|\p{Lu}\p{Ll}+)*$/u.test(text);

/** Letters and digits alone, in lower case. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Decides which texts from the API a report may show: plain words that contain no piece of the API key, whether
 * unchanged, in another case, percent-encoded, in Base64 or hexadecimal digits, or backwards. Reports show no other
 * texts.
 */
export const createShowWord = (apiKey: string): ShowWord => {
  const encoded = (['hex', 'base64'] as const).map((form) => Buffer.from(apiKey).toString(form));
  // Base64 differs with the number of bytes in front.
  const shifted = [1, 2].map((n) =>
    Buffer.from(' '.repeat(n) + apiKey)
      .toString('base64')
      .slice(n + 1),
  );
  const backwards = [...apiKey].reverse().join('');
  const forms = [apiKey, backwards, encodeURIComponent(apiKey), ...encoded, ...shifted].map(plain).join(' ');
  // Shorter pieces of a key occur in words by chance.
  const length = Math.min(6, plain(apiKey).length);
  const hasPiece = (text: string): boolean =>
    [...text].some((_, n) => n + length <= text.length && forms.includes(text.slice(n, n + length)));
  return (text) => (isWord(text) && !hasPiece(plain(text)) ? `"${text}"` : 'a word in a different form');
};
