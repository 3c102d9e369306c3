import { sha256 } from './accounts.ts';
import { type MockRequest, splitTarget } from './request.ts';

const mask = '***';
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-length', 'content-type'],
  ...['host', 'if-none-match', 'origin', 'te', 'transfer-encoding', 'user-agent', 'x-mock-fault'],
]);
/** What nearly every request is for. Nothing in it is hidden, unless the number is the very key that was sent. */
const plainTarget =
  /^\/api\/v1\/(?:me|orders(?:\/\d{1,9})?)(?:\?(?:page|per_page)=\d{1,9}(?:&(?:page|per_page)=\d{1,9})*)?$/;
const plainWords = new Set(['', 'api', 'v1', 'me', 'orders', 'page', 'per_page', 'status']);

/** What may be written down about a request: no API key, wherever the caller put it. */
export interface MaskedRequest {
  target: string;
  headers: Record<string, string>;
}

/**
 * Headers that are not known to be harmless and query parameters that the API does not have lose their value.
 * In what is left, the key of the Authorization header, every word that is a key of this service, and long odd words
 * become `***`.
 */
export function maskRequest(request: MockRequest, isKey: (sha256: string) => boolean): MaskedRequest {
  const { rawHeaders } = request;
  const sent: string[] = [];
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const value = rawHeaders[i + 1] as string;
    if (name === 'authorization') {
      const key = value.replace(/^\S+\s+/, '');
      if (key !== '') sent.push(key);
      headers[name] = /^Bearer /.test(value) ? `Bearer ${mask}` : mask;
    } else headers[name] = shownHeaders.has(name) ? value : mask;
  }
  const clean = (text: string): string => sent.reduce((left, key) => left.replaceAll(key, mask), text);
  const isKnown = (part: string): boolean => isKey(sha256(part)) || (/[%+]/.test(part) && isKey(sha256(decode(part))));
  const hide = (part: string): string => (isOdd(part) || (!isPlain(part) && isKnown(part)) ? mask : part);
  for (const name of Object.keys(headers)) {
    if (name !== 'authorization') headers[name] = clean(headers[name] as string);
  }
  if (headers['user-agent'])
    headers['user-agent'] = headers['user-agent'].replace(/\S+/g, (word) => (isKnown(word) ? mask : word));
  const cleanTarget = clean(request.target);
  if (plainTarget.test(cleanTarget)) return { target: cleanTarget, headers };
  const { path, query } = splitTarget(cleanTarget);
  const shownPath = path.replace(/[^/]+/g, hide);
  const shownQuery = query.replace(/([^&=]*)=([^&]*)|[^&]+/g, (pair, name?: string, value?: string) => {
    if (name === undefined || value === undefined) return hide(pair);
    return plainWords.has(name) ? `${name}=${hide(value)}` : `${hide(name)}=${mask}`;
  });
  const target = query === '' ? shownPath : `${shownPath}?${shownQuery}`;
  return { target, headers };
}

function isPlain(part: string): boolean {
  return plainWords.has(part) || /^\d{1,9}$/.test(part);
}

/** So long and no number: it may be the key of another service. */
function isOdd(part: string): boolean {
  return part.length >= 20 && !/^\d+$/.test(part);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
