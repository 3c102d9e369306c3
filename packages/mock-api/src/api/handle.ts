import type { Limiter, Verdict } from '../limit/limiter.ts';
import type { Account, StoredKey } from '../orders/accounts.ts';
import type { Contents } from '../orders/contents.ts';
import type { Listed } from '../orders/make-order.ts';
import { mix } from '../orders/random.ts';
import type { Settings } from '../settings/settings.ts';
import { type BadParameter, headerValues, type ListQuery, type MockRequest, type Route, readRoute } from './request.ts';
import { errorResponse, htmlPage, type MockResponse, rateLimitResponse, redirect, success } from './responses.ts';
import type { Selection } from './selection.ts';
import { dropFields, serializeListEntry, serializeOrder, serializeUser } from './show-order.ts';

/** Everything a response depends on except the request. */
export interface Service {
  contents: Contents;
  limiter: Limiter;
  settings: Settings;
  /** ms since 1970. */
  now: number;
  /** Sequence number of the request. It decides the sequence of a shuffled list. */
  serial: number;
}

/** A response, and the facts that its headers and the journal need. */
export interface Handled {
  response: MockResponse;
  /** The key that authenticated the request. */
  key?: StoredKey;
  verdict?: Verdict;
}

/** Returns what a request asks for, and the stored key that it sends, even if inactive or revoked. */
export const readRequest = (request: MockRequest, { findKey }: Contents, settings: Settings) => {
  const route = readRoute(request.target, settings);
  const values = headerValues(request, 'authorization');
  const key = values.length === 1 ? /^bearer ([\x21-\x7e]+)$/i.exec(values[0] as string)?.[1] : undefined;
  const sent = key === undefined ? undefined : findKey(key);
  const { operation, list, id } = route;
  const page = list && 'page' in list ? list.page : undefined;
  const asked: Selection = { operation, page, id, method: request.method, key: sent?.name };
  return { asked, route, sent };
};

/**
 * Checks a request and responds to it according to the API docs (§4 to §8). Settings decide the open questions. The docs
 * leave the order of these checks open (U-35). A request to a path outside the API needs no key and does not count toward
 * the limit.
 */
export const handle = (
  service: Service,
  request: MockRequest,
  { route, sent }: ReturnType<typeof readRequest>,
): Handled => {
  const { contents, limiter, settings, now } = service;
  if (!request.secure && settings.httpsOnly === 'reject') return { response: errorResponse('httpsOnly', settings) };
  if (!request.secure && settings.httpsOnly === 'redirect')
    return { response: redirect(`https://${headerValues(request, 'host')[0] ?? 'localhost'}${request.target}`) };
  if (route.isOutside) return { response: notFound(settings, 'outside') };

  // A browser's preflight request has no key. A 401 would suggest that the key is wrong.
  if (request.method === 'OPTIONS' && headerValues(request, 'authorization').length === 0)
    return { response: methodNotAllowed(request, settings) };
  const isExact = settings.authScheme !== 'exact' || headerValues(request, 'authorization')[0]?.startsWith('Bearer ');
  if (sent?.state !== 'active' || !isExact) return { response: errorResponse('unauthorized', settings) };
  const verdict = limiter.take(sent.sha256, now, settings); // counts even if it then gets 403, 404 or 400 (U-36)
  if (!isBusiness(contents.account(sent.account)))
    return { response: errorResponse('notBusiness', settings), key: sent };
  const response = verdict.allowed
    ? (problemOf(request, route, settings) ?? answerEndpoint(service, sent.account, route))
    : rateLimitResponse(verdict.resetMs, settings);
  return { response, key: sent, verdict };
};

const problemOf = (
  request: MockRequest,
  { operation, list, id }: Route,
  settings: Settings,
): MockResponse | undefined => {
  if (operation === undefined) return notFound(settings, 'pathNotFound');
  if (request.method !== 'GET') return methodNotAllowed(request, settings);
  const isAccepted = /application\/(json|\*)|\*\/\*/i.test(headerValues(request, 'accept').join(','));
  if (settings.accept === '406' && !isAccepted) return errorResponse('notAcceptable', settings);
  if (settings.accept === 'html' && !isAccepted) return htmlPage(200, 'Order service');
  if (list && 'problem' in list)
    return errorResponse('badRequest', settings, `${list.parameter} ${problemTexts[list.problem]}`);
  if (operation !== 'order' || id !== undefined) return undefined;
  if (settings.invalidId === '404') return errorResponse('orderNotFound', settings);
  return errorResponse('badRequest', settings, 'The order ID must be an integer.');
};

const methodNotAllowed = ({ method }: MockRequest, settings: Settings): MockResponse =>
  errorResponse(
    'method',
    settings,
    method === 'OPTIONS' ? 'A web page cannot call this API; call it from a server.' : undefined,
  );

/** Responds to an unknown path, within the API or outside it. */
const notFound = (settings: Settings, reason: 'pathNotFound' | 'outside'): MockResponse =>
  settings.unknownPath === 'html' ? htmlPage(404, 'Not Found') : errorResponse(reason, settings);

const problemTexts: Record<BadParameter['problem'], string> = {
  number: 'is not a whole number.',
  range: 'is out of range.',
  status: 'must be one of ausstehend, bezahlt, abgeschlossen, storniert.',
};

/** Whether company or VAT ID contains more than whitespace (§1, §5.5). */
const isBusiness = ({ company, vat_id }: Account): boolean => company.trim() !== '' || vat_id.trim() !== '';

/**
 * Responds to a request that passed all checks (§4).
 * @param owner the name of the account that the request's key belongs to
 * @throws Error if the route has no endpoint
 */
const answerEndpoint = (service: Service, owner: string, { operation, list, id }: Route): MockResponse => {
  const { contents, settings } = service;
  const account = contents.account(owner);
  if (operation === 'me') {
    const user = serializeUser(account, settings);
    dropFields({ me: user }, settings);
    return success(user, settings);
  }
  if (list && 'page' in list) return listOrders(service, owner, list);
  if (id === undefined) throw new Error(`no endpoint for ${operation}`);
  const order = contents.find(id);
  if (order?.account !== owner) return errorResponse('orderNotFound', settings);
  const { detail, licenseCodes } = serializeOrder(contents.entryOf(order), contents.detailOf(order), account, settings);
  return success(detail, settings, { orderId: id, licenseCodes });
};

/** Responds to GET /orders (§4.2). */
const listOrders = ({ contents, settings, serial }: Service, account: string, query: ListQuery): MockResponse => {
  const { perPage, status } = query;
  const matching = status === 'nothing' ? [] : contents.list(account, status);
  const total = settings.totalIgnoresFilter === 'on' ? contents.list(account).length : matching.length;
  const pages = total === 0 ? Number(settings.emptyPages) : Math.ceil(total / perPage);

  let { page } = query;
  if (page > Math.max(pages, 1)) {
    if (settings.pageBeyondLast === '404') return errorResponse('pathNotFound', settings);
    if (settings.pageBeyondLast === '400')
      return errorResponse('badRequest', settings, 'page is beyond the last page.');
    if (settings.pageBeyondLast === 'clamp') page = Math.max(pages, 1);
  }
  const from = (page - 1) * perPage;
  const found = sorted(matching, settings, serial).slice(from, from + perPage);
  const orders = found.map((order) => serializeListEntry(contents.entryOf(order), settings));
  const pagination = { page, per_page: perPage, total, pages };
  dropFields({ 'orders[]': orders, pagination }, settings);
  return success({ orders, pagination }, settings, { orders: orders.length, total, pages });
};

/** Sorts orders, newest first. The setting `tieBreak` decides how orders with the same date are sorted. */
const sorted = (orders: readonly Listed[], { tieBreak }: Settings, serial: number): readonly Listed[] => {
  if (tieBreak === 'idDesc') return orders;
  const rank = ({ id }: Listed): number => (tieBreak === 'idAsc' ? id : mix(serial, id, 0));
  return orders.toSorted((a, b) => b.createdAt - a.createdAt || rank(a) - rank(b));
};
