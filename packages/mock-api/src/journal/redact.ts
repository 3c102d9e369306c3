import type { MockRequest } from '../api/http.ts';
import { sha256 } from '../orders/accounts.ts';

const mask = '***';
/** Patterns for the parts of a text that can be a key, from coarse to fine. */
const cuts = [/\S+/g, /[^\s/?&=]+/g, /[^\s,;=&"]+/g, /[^\s,;:=/?&"()<>]+/g, /[\w-]+/g];
/** Maximum number of cached texts. The cache helps since a client sends the same headers with every request. */
const maxKept = 256;

/** The recorded parts of a request, without API keys. */
export interface RedactedRequest {
  target: string;
  headers: Record<string, string>;
}

/**
 * Creates a function that replaces keys with `***`: the value of the Authorization header, wherever the request repeats
 * it, and every key of this mock.
 * @param isKey returns whether a SHA-256 hash belongs to a key of this mock
 */
export const createRedactor = (isKey: (sha256: string) => boolean): ((request: MockRequest) => RedactedRequest) => {
  const isKnown = (part: string): boolean => isKey(sha256(part)) || isKey(sha256(decode(part)));
  const kept = new Map<string, string>();
  const hideKeys = (text: string): string => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const hidden = cuts.reduce((left, cut) => left.replace(cut, (part) => (isKnown(part) ? mask : part)), text);
    if (kept.size === maxKept) kept.clear();
    kept.set(text, hidden);
    return hidden;
  };

  return ({ target, rawHeaders }) => {
    const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [[name, rawHeaders[n + 1] as string] as const] : []));
    const sent = pairs.flatMap(([name, value]) => {
      const key = value.replace(/^\S+\s+/, '');
      return name.toLowerCase() === 'authorization' && key !== '' ? [key, encodeURIComponent(key)] : [];
    });
    const hide = (text: string): string => hideKeys(sent.reduce((left, key) => left.replaceAll(key, mask), text));
    const headers: Record<string, string> = {};
    for (const [name, value] of pairs) {
      if (name.toLowerCase() !== 'authorization') headers[hide(name).toLowerCase()] = hide(value);
      else headers.authorization = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
    }
    return { target: hide(target), headers };
  };
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
};
