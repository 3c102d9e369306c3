/** Returns a word of the service as a report may show it, or says that it is of another form. */
export type ShowWord = (text: string) => string;

/** Shorter pieces of a key occur in words by chance. */
const pieceLength = 6;

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
  const pieces = forms.flatMap((form) =>
    Array.from({ length: Math.max(1, form.length - pieceLength + 1) }, (_, n) => form.slice(n, n + pieceLength)),
  );
  const known = new Map<string, string>();
  return (text) => {
    const letters = plain(text);
    const shown = known.get(text) ?? (isWord(text) && !pieces.some((piece) => piece && letters.includes(piece)));
    const word = shown === true ? `"${text}"` : shown || 'a word of another form';
    if (known.size < 1000) known.set(text, word);
    return word;
  };
};
