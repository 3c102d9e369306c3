import { isBusiness, type StoredKey, sha256 } from '../data/accounts.ts';
import type { StateStore } from '../data/state.ts';
import { readId } from '../json/order-id.ts';
import type { Settings } from '../settings/settings.ts';
import { hasBody, headerValues, type MockRequest, type MockResponse } from './http.ts';
import { type BadParameter, type ListQuery, readListQuery } from './list-query.ts';
import type { Limiter, Verdict } from './rate-limiter.ts';
import { errorResponse, htmlPage, rateLimitResponse, redirect } from './responses.ts';
import type { Route } from './router.ts';

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
  /** `http://host:port` from the Host header. */
  origin: string;
  query: string;
  route: Route;
  /** Set by `auth`. */
  key?: StoredKey;
  /** Set by `limit`. */
  verdict?: Verdict;
  /** Set by `params` on GET /orders. */
  list?: ListQuery;
}

/** Guards, named as in the setting `order`. Each returns an answer to end the request, or `undefined` to continue. */
export const guards: Record<string, (context: RequestContext) => MockResponse | undefined> = {
  auth(context) {
    const key = authenticate(context.request, context.state, context.settings);
    if (!key) return errorResponse('unauthorized', context.settings);
    context.key = key;
    return undefined;
  },
  business({ state, limiter, settings, now, key, verdict }) {
    if (!key || isBusiness(state.account(key.account), settings.blankCompany === 'counts')) return undefined;
    if (!verdict && settings.count === 'recognised') limiter.take(key.sha256, now, settings);
    return errorResponse('notBusiness', settings);
  },
  limit(context) {
    const { key, limiter, settings, now } = context;
    if (!key) return undefined;
    context.verdict = limiter.take(key.sha256, now, settings);
    return context.verdict.allowed ? undefined : rateLimitResponse(context.verdict.resetMs, settings);
  },
  path({ route, settings }) {
    if (route.name === 'method') return errorResponse('method', settings);
    if (route.name === 'unknown') return notFound(settings);
    return route.name === 'redirect' ? redirect(301, route.to) : undefined;
  },
  params(context) {
    return refuseForm(context.request, context.settings) ?? refuseParams(context);
  },
};

/** Answers an unknown path. */
export const notFound = (settings: Settings): MockResponse =>
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

const refuseForm = (request: MockRequest, settings: Settings): MockResponse | undefined => {
  if (settings.accept !== 'ignore' && !acceptsJson(request)) {
    return settings.accept === 'html' ? htmlPage(200, 'Order service') : errorResponse('notAcceptable', settings);
  }
  if (settings.bodyOnGet === 'reject' && hasBody(request))
    return errorResponse('badRequest', settings, 'It has a body.');
  return undefined;
};

const refuseParams = (context: RequestContext): MockResponse | undefined => {
  const { route, query, settings } = context;
  if (route.name === 'orders') {
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

const problemText = ({ parameter, problem }: BadParameter): string => {
  const shown = /^[a-z_]{1,20}$/.test(parameter) ? parameter : 'a parameter';
  switch (problem) {
    case 'number':
      return `${shown} is not a whole number.`;
    case 'range':
      return `${shown} is out of range.`;
    case 'status':
      return 'status must be one of ausstehend, bezahlt, abgeschlossen, storniert.';
    case 'repeated':
      return `${shown} is given twice.`;
    case 'unknown':
      return `${shown} is not a parameter of this endpoint.`;
  }
};

const acceptsJson = (request: MockRequest): boolean =>
  /application\/(json|\*)|\*\/\*/.test(headerValues(request, 'accept').join(','));
