import { isBusiness, type StoredKey, sha256 } from '../data/accounts.ts';
import type { StateStore } from '../data/state.ts';
import type { Limiter, Verdict } from '../limit/limiter.ts';
import type { Settings } from '../settings/settings.ts';
import { answerEndpoint } from './endpoints.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './http.ts';
import { type BadParameter, type ListQuery, readListQuery } from './list-query.ts';
import { readId } from './order-id.ts';
import { errorResponse, htmlPage, rateLimitResponse, redirect } from './responses.ts';
import { type Route, readRoute } from './router.ts';

/** A request and what the guards have found out about it. */
export interface RequestContext {
  state: StateStore;
  limiter: Limiter;
  settings: Settings;
  /** ms since 1970. */
  now: number;
  /** Sequence number of the request; seeds the shuffled list order. */
  serial: number;
  request: MockRequest;
  query: string;
  route: Route;
  /** Set by `auth`. */
  key?: StoredKey;
  /** Set by `limit`. */
  verdict?: Verdict;
  /** Set by `params` on GET /orders. */
  list?: ListQuery;
}

type Guard = (context: RequestContext) => MockResponse | undefined;

const auth: Guard = (context) => {
  const key = authenticate(context.request, context.state, context.settings);
  if (!key) return errorResponse('unauthorized', context.settings);
  context.key = key;
  return undefined;
};

const business: Guard = ({ state, limiter, settings, now, key }) => {
  if (!key || isBusiness(state.account(key.account))) return undefined;
  limiter.take(key.sha256, now, settings); // every request with an active key counts
  return errorResponse('notBusiness', settings);
};

const limit: Guard = (context) => {
  const { key, limiter, settings, now } = context;
  if (!key) return undefined;
  context.verdict = limiter.take(key.sha256, now, settings);
  return context.verdict.allowed ? undefined : rateLimitResponse(context.verdict.resetMs, settings);
};

const path: Guard = ({ request, route, settings }) => {
  if (route.name === 'unknown') return notFound(settings);
  return request.method === 'GET' ? undefined : errorResponse('method', settings);
};

const accept: Guard = ({ request, settings }) => {
  if (settings.accept === 'ignore' || acceptsJson(request)) return undefined;
  return settings.accept === 'html' ? htmlPage(200, 'Order service') : errorResponse('notAcceptable', settings);
};

const params: Guard = (context) => {
  const { route, query, settings } = context;
  if (route.name === 'list') {
    const list = readListQuery(query, settings);
    if ('problem' in list) return errorResponse('badRequest', settings, problemText(list));
    context.list = list;
  }
  if (route.name === 'order' && readId(route.segment, settings) === undefined) {
    const reason = settings.invalidId === '404' ? 'orderNotFound' : 'badRequest';
    return errorResponse(reason, settings, reason === 'badRequest' ? 'The order id must be an integer.' : undefined);
  }
  return undefined;
};

/** The checks of a request, in order (U-35). Each returns a response to end the request, or `undefined` to continue. */
const guards: readonly Guard[] = [auth, business, limit, path, accept, params];

/** Answers an unknown path. */
const notFound = (settings: Settings): MockResponse =>
  settings.unknownPath === 'html' ? htmlPage(404, 'Not Found') : errorResponse('pathNotFound', settings);

/** Returns the stored key that a request sends, even if inactive or revoked. */
export const sentKey = (request: MockRequest, state: StateStore): StoredKey | undefined => {
  const values = headerValues(request, 'authorization');
  const key = values.length === 1 ? /^bearer ([\x21-\x7e]+)$/i.exec(values[0] as string)?.[1] : undefined;
  return key === undefined ? undefined : state.findKey(sha256(key));
};

const authenticate = (request: MockRequest, state: StateStore, settings: Settings): StoredKey | undefined => {
  const stored = sentKey(request, state);
  if (stored?.state !== 'active') return undefined;
  const isExact = headerValues(request, 'authorization')[0]?.startsWith('Bearer ');
  return settings.authScheme === 'exact' && !isExact ? undefined : stored;
};

const problemText = ({ parameter, problem }: BadParameter): string => {
  switch (problem) {
    case 'number':
      return `${parameter} is not a whole number.`;
    case 'range':
      return `${parameter} is out of range.`;
    case 'status':
      return 'status must be one of ausstehend, bezahlt, abgeschlossen, storniert.';
  }
};

const acceptsJson = (request: MockRequest): boolean =>
  /application\/(json|\*)|\*\/\*/.test(headerValues(request, 'accept').join(','));

/** Everything a response depends on except the request. */
export type Service = Pick<RequestContext, 'state' | 'limiter' | 'settings' | 'now' | 'serial'>;

/** A response with its key and rate-limit verdict. */
export type Handled = { response: MockResponse } & Pick<RequestContext, 'key' | 'verdict'>;

/** Responds to a request as the API docs say (§4 to §8). Settings decide the open questions. */
export const handle = (service: Service, request: MockRequest): Handled => {
  const { path, query } = splitTarget(request.target);
  const route = readRoute(path);
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
