/** Returns a word of the service as a report may show it, or says that it is of another form. */
export type ShowWord = (text: string) => string;

/** Words without digits that begin in lower case: neither a key nor a number nor a name. */
const isWord = (text: string): boolean => text.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+|\p{Lu}\p{Ll}+)*$/u.test(text);

/** Letters and digits alone, in lower case. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Decides which texts of the service a report may show: plain words without a piece of the API key, be it as it is, in
 * another case, percent-encoded, in Base64 or hexadecimal digits, or backwards. Reports show no other texts.
 */
export const createShowWord = (apiKey: string): ShowWord => {
  // Base64 differs with the number of bytes in front.
  const encoded = [0, 1, 2].map((n) => {
    const text = Buffer.from(' '.repeat(n) + apiKey).toString('base64');
    return text.slice(n && n + 1);
  });
  const hex = Buffer.from(apiKey).toString('hex');
  const forms = [apiKey, [...apiKey].reverse().join(''), encodeURIComponent(apiKey), hex, ...encoded].map(plain);
  // Shorter pieces of a key occur in words by chance.
  const length = Math.min(6, plain(apiKey).length);
  const piecesOf = (text: string): string[] => [...text].map((_, n) => text.slice(n, n + length));
  const pieces = new Set(forms.flatMap(piecesOf).filter((piece) => piece.length === length));
  return (text) =>
    isWord(text) && !piecesOf(plain(text)).some((piece) => pieces.has(piece)) ? `"${text}"` : 'a word of another form';
};
