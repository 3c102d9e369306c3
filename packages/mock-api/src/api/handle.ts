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
  const { path, query } = splitTarget(request.target);
  const route = readRoute(request.method, path);
  const context: RequestContext = { ...service, request, query, route };
  const response = aroundTheApi(context) ?? firstRejection(context) ?? answerEndpoint(context);

  const { key, verdict } = context;
  return { response, ...(key ? { key } : {}), ...(verdict ? { verdict } : {}) };
};

/** Responds to requests outside the API operations, without authentication or rate limit. */
const aroundTheApi = ({ request, route, settings }: RequestContext): MockResponse | undefined => {
  if (!request.secure && settings.httpsOnly !== 'off') {
    if (settings.httpsOnly === 'reject') return errorResponse('httpsOnly', settings);
    return redirect(308, `https://${headerValues(request, 'host')[0] ?? 'localhost'}${request.target}`);
  }
  return route.name === 'outside' ? notFound(settings) : undefined;
};

const firstRejection = (context: RequestContext): MockResponse | undefined => {
  for (const guard of guards) {
    const rejected = guard(context);
    if (rejected) return rejected;
  }
  return undefined;
};
