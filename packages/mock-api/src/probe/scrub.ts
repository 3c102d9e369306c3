import { isPlainWord } from './form.ts';
import { isFields } from './reply.ts';

/** Shorter pieces of a key occur in words by chance. */
const pieceLength = 6;

/** Removes the API key from what a report may show. */
export interface Scrub {
  body(body: unknown): unknown;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

/**
 * Hides every word, field name and header that may contain a piece of the API key: as it is, in another case,
 * percent-encoded, in Base64 or hexadecimal digits, or backwards. Reports show no other texts.
 */
export const createScrub = (apiKey: string): Scrub => {
  // Base64 differs with the number of bytes in front.
  const encoded = [0, 1, 2].map((n) =>
    Buffer.from(' '.repeat(n) + apiKey)
      .toString('base64')
      .slice(n && n + 1),
  );
  const forms = [apiKey, encodeURIComponent(apiKey), ...encoded, Buffer.from(apiKey).toString('hex')].map(plain);
  const pieces = new Set<string>();
  for (const form of [...forms, [...plain(apiKey)].reverse().join('')]) {
    for (let n = 0; n + Math.min(pieceLength, form.length) <= form.length && form !== ''; n++)
      pieces.add(form.slice(n, n + pieceLength));
  }
  const hide = (text: string): string => {
    const letters = plain(text);
    return [...pieces].some((piece) => letters.includes(piece)) ? '[hidden]' : text;
  };
  const hideWord = (text: string): string => (isShown(text) ? hide(text) : text);
  const scrub = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return hideWord(value);
    if (depth > maxDepth) return null;
    if (Array.isArray(value)) return value.map((inner) => scrub(inner, depth + 1));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [hideWord(name), scrub(inner, depth + 1)]));
  };
  return {
    body: (body) => scrub(body),
    headers: (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [hide(name), hide(value)])),
  };
};

const maxDepth = 20;
const isShown = (text: string): boolean => isPlainWord(text) || /^[a-z][A-Za-z_-]{1,80}$/.test(text);

/** Letters and digits alone, in lower case. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
