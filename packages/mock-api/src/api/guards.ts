import { isBusiness, type StoredKey, sha256 } from '../data/accounts.ts';
import type { State } from '../data/state.ts';
import { readId } from '../json/order-id.ts';
import type { Dialect } from '../settings/settings.ts';
import { hasBody, headerValues, type MockRequest, type MockResponse } from './http.ts';
import { type BadParameter, type ListQuery, readListQuery } from './list-query.ts';
import type { Limiter, Verdict } from './rate-limiter.ts';
import { htmlPage, rateLimitRefusal, redirect, refusal } from './responses.ts';
import type { Route } from './router.ts';

/** One request on its way through the checks. */
export interface Visit {
  state: State;
  limiter: Limiter;
  dialect: Dialect;
  /** ms since 1970. */
  now: number;
  /** Number of the request, for the list order that is never twice the same. */
  serial: number;
  request: MockRequest;
  /** `http://host:port` as the client named it. */
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

/** The checks by the names that the setting `order` puts them in. Each gives the answer that ends the visit, or none. */
export const checks: Record<string, (visit: Visit) => MockResponse | undefined> = {
  auth(visit) {
    const key = authenticate(visit.request, visit.state, visit.dialect);
    if (!key) return refusal('unauthorized', visit.dialect);
    visit.key = key;
    return undefined;
  },
  business({ state, limiter, dialect, now, key, verdict }) {
    if (!key || isBusiness(state.account(key.account), dialect.blankCompany === 'counts')) return undefined;
    if (!verdict && dialect.count === 'recognised') limiter.take(key.sha256, now, dialect);
    return refusal('notBusiness', dialect);
  },
  limit(visit) {
    const { key, limiter, dialect, now } = visit;
    if (!key) return undefined;
    visit.verdict = limiter.take(key.sha256, now, dialect);
    return visit.verdict.allowed ? undefined : rateLimitRefusal(visit.verdict.resetMs, dialect);
  },
  path({ route, dialect }) {
    if (route.name === 'method') return refusal('method', dialect);
    if (route.name === 'unknown') return notFound(dialect);
    return route.name === 'redirect' ? redirect(301, route.to) : undefined;
  },
  params(visit) {
    return refuseForm(visit.request, visit.dialect) ?? refuseParams(visit);
  },
};

/** The answer to a path that does not exist. */
export const notFound = (dialect: Dialect): MockResponse =>
  dialect.unknownPath === 'html' ? htmlPage(404, 'Not Found') : refusal('pathNotFound', dialect);

/** The stored key that a request carries, whatever its state. */
export const presentedKey = (request: MockRequest, state: State): StoredKey | undefined => {
  const values = headerValues(request, 'authorization');
  const key = values.length === 1 ? /^bearer ([\x21-\x7e]+)$/i.exec(values[0] as string)?.[1] : undefined;
  return key === undefined ? undefined : state.findKey(sha256(key));
};

const authenticate = (request: MockRequest, state: State, dialect: Dialect): StoredKey | undefined => {
  const stored = presentedKey(request, state);
  if (stored?.state !== 'active') return undefined;
  const isExact = headerValues(request, 'authorization')[0]?.startsWith('Bearer ');
  return dialect.authScheme === 'exact' && !isExact ? undefined : stored;
};

const refuseForm = (request: MockRequest, dialect: Dialect): MockResponse | undefined => {
  if (dialect.accept !== 'ignore' && !acceptsJson(request)) {
    return dialect.accept === 'html' ? htmlPage(200, 'Order service') : refusal('notAcceptable', dialect);
  }
  if (dialect.bodyOnGet === 'reject' && hasBody(request)) return refusal('badRequest', dialect, 'It has a body.');
  return undefined;
};

const refuseParams = (visit: Visit): MockResponse | undefined => {
  const { route, query, dialect } = visit;
  if (route.name === 'orders') {
    const list = readListQuery(query, dialect);
    if ('problem' in list) return refusal('badRequest', dialect, problemText(list));
    visit.list = list;
  }
  if (route.name === 'order' && readId(route.segment, dialect) === undefined) {
    const reason = dialect.invalidId === '404' ? 'orderNotFound' : 'badRequest';
    return refusal(reason, dialect, reason === 'badRequest' ? 'The order id is an integer.' : undefined);
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
      return 'status is one of ausstehend, bezahlt, abgeschlossen, storniert.';
    case 'repeated':
      return `${shown} is given twice.`;
    case 'unknown':
      return `${shown} is not known here.`;
  }
};

const acceptsJson = (request: MockRequest): boolean =>
  /application\/(json|\*)|\*\/\*/.test(headerValues(request, 'accept').join(','));
