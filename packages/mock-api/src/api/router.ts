import type { Settings } from '../settings/settings.ts';
import type { MockRequest } from './http.ts';

/** Base path of the API (§1). */
export const basePath = '/api/v1';

/** What a request asks for. */
export type Route =
  | { name: 'me' }
  | { name: 'orders' }
  /** `segment` is the id as written in the path. */
  | { name: 'order'; segment: string }
  | { name: 'redirect'; to: string }
  | { name: 'preflight' }
  /** A known path with an unsupported method. */
  | { name: 'method' }
  | { name: 'unknown' }
  /** Not under `/api/v1`. */
  | { name: 'outside' };

export const readRoute = (request: Pick<MockRequest, 'method' | 'target'>, path: string, settings: Settings): Route => {
  let clean = path;
  if (settings.trailingSlash !== '404') clean = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  if (clean !== basePath && !clean.startsWith(`${basePath}/`)) return { name: 'outside' };
  const [, first, second, ...more] = clean.slice(basePath.length).split('/');
  const exists = (first === 'me' && second === undefined) || (first === 'orders' && second !== '' && more.length === 0);
  if (!exists) return { name: 'unknown' };
  if (request.method === 'OPTIONS' && settings.cors === 'on') return { name: 'preflight' };
  if (request.method !== 'GET' && !(request.method === 'HEAD' && settings.head === 'on')) return { name: 'method' };
  if (clean !== path && settings.trailingSlash === 'redirect') {
    return { name: 'redirect', to: clean + request.target.slice(path.length) };
  }
  if (first === 'me') return { name: 'me' };
  return second === undefined ? { name: 'orders' } : { name: 'order', segment: second };
};
