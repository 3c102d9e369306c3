import type { Settings } from '../settings/settings.ts';
import { answerEndpoint } from './endpoints.ts';
import { guards, notFound, type RequestContext } from './guards.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './http.ts';
import { errorResponse, redirect } from './responses.ts';
import { readRoute } from './router.ts';

/** Everything an answer depends on except the request. */
export type Service = Pick<RequestContext, 'state' | 'limiter' | 'settings' | 'now' | 'serial'>;

/** An answer with its key and rate-limit verdict. */
export type Handled = { response: MockResponse } & Pick<RequestContext, 'key' | 'verdict'>;

/** Answers a request as the API docs say (§4 to §8). Settings decide the open points. */
export const handle = (service: Service, request: MockRequest): Handled => {
  const { settings, limiter } = service;
  const { path, query } = splitTarget(request.target);
  const origin = `${request.secure ? 'https' : 'http'}://${headerValues(request, 'host')[0] ?? 'localhost'}`;
  const route = readRoute(request, path, settings);
  const context: RequestContext = { ...service, request, origin, query, route };
  const response = aroundTheApi(context, path) ?? firstRefusal(context) ?? answerEndpoint(context);

  const { key, verdict } = context;
  if (key && verdict?.allowed && isFree(response.status, settings)) limiter.giveBack(key.sha256, settings);
  return { response, ...(key ? { key } : {}), ...(verdict ? { verdict } : {}) };
};

/** Answers requests outside the API operations, without authentication or rate limit. */
const aroundTheApi = ({ request, origin, route, settings }: RequestContext, path: string): MockResponse | undefined => {
  if (!request.secure && settings.httpsOnly !== 'off') {
    if (settings.httpsOnly === 'refuse') return errorResponse('httpsOnly', settings);
    return redirect(308, `https${origin.slice('http'.length)}${request.target}`);
  }
  if (settings.serveDownloads === 'on' && path.startsWith('/downloads/')) {
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: 'a mock download\n' };
  }
  if (route.name === 'preflight') {
    const allowed = {
      'access-control-allow-methods': settings.head === 'on' ? 'GET, HEAD' : 'GET',
      'access-control-allow-headers': 'authorization, accept',
    };
    return { status: 204, headers: allowed, body: '' };
  }
  return route.name === 'outside' ? notFound(settings) : undefined;
};

const firstRefusal = (context: RequestContext): MockResponse | undefined => {
  for (const step of context.settings.order) {
    const refused = guards[step]?.(context);
    if (refused) return refused;
  }
  return undefined;
};

/** Whether the answer exempts a request from the rate limit. */
const isFree = (status: number, { count }: Settings): boolean =>
  (count === 'successes' && status !== 200) || (count === 'exceptForbidden' && status === 403);
