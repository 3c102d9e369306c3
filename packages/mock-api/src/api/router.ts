/** Base path of the API (§1). */
export const basePath = '/api/v1';

/** What a request asks for. */
export type Route =
  | { name: 'me' }
  | { name: 'orders' }
  /** `segment` is the id as written in the path. */
  | { name: 'order'; segment: string }
  /** A known path with an unsupported method. */
  | { name: 'method' }
  | { name: 'unknown' }
  /** Not under `/api/v1`. */
  | { name: 'outside' };

export const readRoute = (method: string, path: string): Route => {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return { name: 'outside' };
  const [, first, second, ...more] = path.slice(basePath.length).split('/');
  const exists = (first === 'me' && second === undefined) || (first === 'orders' && second !== '' && more.length === 0);
  if (!exists) return { name: 'unknown' };
  if (method !== 'GET') return { name: 'method' };
  if (first === 'me') return { name: 'me' };
  return second === undefined ? { name: 'orders' } : { name: 'order', segment: second };
};
