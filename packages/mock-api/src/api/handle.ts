import type { Dialect } from '../settings/settings.ts';
import { checks, notFound, type Visit } from './guards.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './http.ts';
import { operate } from './operations.ts';
import { redirect, refusal } from './responses.ts';
import { readRoute } from './router.ts';

/** What an answer depends on beside the request. */
export type Service = Pick<Visit, 'state' | 'limiter' | 'dialect' | 'now' | 'serial'>;

/** An answer, and what was found out on the way to it. */
export type Handled = { response: MockResponse } & Pick<Visit, 'key' | 'verdict'>;

/** Answers one request as the text says (§4 to §8), in the reading that the dialect takes. */
export const handle = (service: Service, request: MockRequest): Handled => {
  const { dialect, limiter } = service;
  const { path, query } = splitTarget(request.target);
  const origin = `${request.secure ? 'https' : 'http'}://${headerValues(request, 'host')[0] ?? 'localhost'}`;
  const route = readRoute(request, path, dialect);
  const visit: Visit = { ...service, request, origin, query, route };
  const response = aroundTheApi(visit, path) ?? firstRefusal(visit) ?? operate(visit);

  const { key, verdict } = visit;
  if (key && verdict?.allowed && isFree(response.status, dialect)) limiter.giveBack(key.sha256, dialect);
  return { response, ...(key ? { key } : {}), ...(verdict ? { verdict } : {}) };
};

/** The answer to what no operation of the API is asked for: no key is looked at, nothing counts. */
const aroundTheApi = ({ request, origin, route, dialect }: Visit, path: string): MockResponse | undefined => {
  if (!request.secure && dialect.httpsOnly !== 'off') {
    if (dialect.httpsOnly === 'refuse') return refusal('httpsOnly', dialect);
    return redirect(308, `https${origin.slice('http'.length)}${request.target}`);
  }
  if (dialect.serveDownloads === 'on' && path.startsWith('/downloads/')) {
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: 'a mock download\n' };
  }
  if (route.name === 'preflight') {
    const allowed = {
      'access-control-allow-methods': dialect.head === 'on' ? 'GET, HEAD' : 'GET',
      'access-control-allow-headers': 'authorization, accept',
    };
    return { status: 204, headers: allowed, body: '' };
  }
  return route.name === 'outside' ? notFound(dialect) : undefined;
};

const firstRefusal = (visit: Visit): MockResponse | undefined => {
  for (const step of visit.dialect.order) {
    const refused = checks[step]?.(visit);
    if (refused) return refused;
  }
  return undefined;
};

/** Whether the limit does not count a request after all, once its answer is known. */
const isFree = (status: number, { count }: Dialect): boolean =>
  (count === 'successes' && status !== 200) || (count === 'exceptForbidden' && status === 403);
