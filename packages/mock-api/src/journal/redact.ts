import { type MockRequest, splitTarget } from '../api/http.ts';
import { sha256 } from '../data/accounts.ts';

const mask = '***';
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-length', 'content-type'],
  ...['host', 'if-none-match', 'origin', 'te', 'transfer-encoding', 'x-mock-fault'],
]);
/** Targets of nearly all requests. They need no redaction unless the number equals the sent key. */
const plainTarget =
  /^\/api\/v1\/(?:me|orders(?:\/\d{1,9})?)(?:\?(?:page|per_page)=\d{1,9}(?:&(?:page|per_page)=\d{1,9})*)?$/;
const plainWords = new Set(['', 'api', 'v1', 'me', 'orders', 'page', 'per_page', 'status']);

/** The recorded parts of a request, without API keys. */
export interface RedactedRequest {
  target: string;
  headers: Record<string, string>;
}

/** Possible delimiters of a key, from coarse to fine. */
const cuts = [/\S+/g, /[^\s,;=&"]+/g, /[^\s,;:=/?&"()<>]+/g];
/** Cache size. A client sends the same headers with every request. */
const maxKept = 256;

/**
 * Redacts unknown query parameters and all headers not known to be harmless. Elsewhere, replaces the key of the
 * Authorization header, every key of this mock and long unusual words with `***`.
 */
export const createRedactor = (isKey: (sha256: string) => boolean): ((request: MockRequest) => RedactedRequest) => {
  const isKnown = (part: string): boolean => isKey(sha256(part));
  const hideIn = (text: string, isHidden: (word: string) => boolean): string => {
    const plain = decode(text);
    if (isKnown(text) || (plain !== text && hideIn(plain, isHidden) !== plain)) return mask;
    const byParts = cuts.reduce((left, cut) => left.replace(cut, (part) => (isKnown(part) ? mask : part)), text);
    return byParts.replace(/[\w-]+/g, (word) => (isHidden(word) ? mask : word));
  };
  /** Replaces everything that is, or looks like, a key with `***`. */
  const hideKeys = keeping((text) => hideIn(text, (word) => isKnown(word) || isOdd(word)));
  /** The same for a text with usual long words. */
  const hideKnownKeys = keeping((text) => hideIn(text, isKnown));

  return (request) => {
    const { rawHeaders } = request;
    const sent = keysSent(rawHeaders);
    const clean = (text: string): string => sent.reduce((left, key) => left.replaceAll(key, mask), text);
    const headers: Record<string, string> = {};
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = (rawHeaders[i] as string).toLowerCase();
      const value = rawHeaders[i + 1] as string;
      if (name === 'authorization') headers[name] = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
      else if (name === 'user-agent') headers[name] = hideKnownKeys(clean(value));
      else if (shownHeaders.has(name)) headers[name] = hideKeys(clean(value));
      else headers[hideKeys(clean(rawHeaders[i] as string)).toLowerCase()] = mask;
    }
    const cleanTarget = clean(request.target);
    if (plainTarget.test(cleanTarget)) return { target: cleanTarget, headers };
    const { path, query } = splitTarget(cleanTarget);
    const hidePart = (part: string): string => (part.length >= 20 && !/^\d+$/.test(part) ? mask : hideKeys(part));
    const shownPath = path.replace(/[^/]+/g, hidePart);
    const shownQuery = query.replace(/([^&=]*)=([^&]*)|[^&]+/g, (pair, name?: string, value?: string) => {
      if (name === undefined || value === undefined) return hidePart(pair);
      return plainWords.has(name) ? `${name}=${hidePart(value)}` : `${hidePart(name)}=${mask}`;
    });
    const target = query === '' ? shownPath : `${shownPath}?${shownQuery}`;
    return { target, headers };
  };
};

/** Caches the last results of a function. */
const keeping = (hide: (text: string) => string): ((text: string) => string) => {
  const kept = new Map<string, string>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const hidden = hide(text);
    if (kept.size === maxKept) kept.clear();
    kept.set(text, hidden);
    return hidden;
  };
};

/** Returns the credentials in the Authorization headers. */
const keysSent = (rawHeaders: readonly string[]): string[] => {
  const sent: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() !== 'authorization') continue;
    const key = (rawHeaders[i + 1] as string).replace(/^\S+\s+/, '');
    if (key !== '') sent.push(key);
  }
  return sent;
};

/** Whether a word is long and not a number, so it may be the key of another service. */
const isOdd = (part: string): boolean => /^\w{20,}$/.test(part) && !/^\d+$/.test(part);

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
};
