import { isPlainWord } from './form.ts';
import { isFields } from './reply.ts';

/** Shorter pieces of a key occur in words by chance. */
const pieceLength = 6;

/**
 * Returns a function that removes from a body every word and field name that may contain a piece of the API key: as it
 * is, in another case, percent-encoded, in Base64 or hexadecimal digits, or backwards. Reports show no other texts.
 */
export const createScrub = (apiKey: string): ((body: unknown) => unknown) => {
  const bytes = Buffer.from(apiKey);
  const forms = [apiKey, encodeURIComponent(apiKey), bytes.toString('base64'), bytes.toString('hex')].map(plain);
  const pieces = new Set<string>();
  for (const form of [...forms, [...plain(apiKey)].reverse().join('')]) {
    for (let n = 0; n + Math.min(pieceLength, form.length) <= form.length && form !== ''; n++)
      pieces.add(form.slice(n, n + pieceLength));
  }
  const hide = (text: string): string =>
    isShown(text) && [...pieces].some((piece) => plain(text).includes(piece)) ? '[hidden]' : text;
  const scrub = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return hide(value);
    if (depth > maxDepth) return null;
    if (Array.isArray(value)) return value.map((inner) => scrub(inner, depth + 1));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [hide(name), scrub(inner, depth + 1)]));
  };
  return (body) => scrub(body);
};

const maxDepth = 20;
const isShown = (text: string): boolean => isPlainWord(text) || /^[a-z][A-Za-z_-]{1,80}$/.test(text);

/** Letters and digits alone, in lower case. */
const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
