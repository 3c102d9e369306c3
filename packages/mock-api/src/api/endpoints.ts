import type { Order } from '../data/order.ts';
import { mix } from '../data/random.ts';
import { dropFields } from '../settings/field-paths.ts';
import type { Settings } from '../settings/settings.ts';
import type { RequestContext } from './handle.ts';
import type { MockResponse } from './http.ts';
import type { ListQuery } from './list-query.ts';
import { readId } from './order-id.ts';
import { errorResponse, success } from './responses.ts';
import { serializeListEntry, serializeOrder, serializeUser } from './show-order.ts';

/**
 * Responds to a request that passed all guards (§4).
 * @throws Error if the route has no endpoint
 */
export const answerEndpoint = (context: RequestContext): MockResponse => {
  const { state, settings, key, route, list } = context;
  const account = state.account(key?.account ?? '');
  if (route.name === 'me') {
    const user = serializeUser(account, settings);
    dropFields({ me: user }, settings);
    return success(user, settings);
  }
  if (list) return listOrders(context, account.account, list);
  if (route.name === 'order') {
    const id = readId(route.segment, settings);
    const order = id === undefined ? undefined : state.find(id);
    if (order?.account !== account.account) return errorResponse('orderNotFound', settings);
    const { detail, licenseCodes } = serializeOrder(state.order(order.id), account, state.keySource(), settings);
    return success(detail, settings, { orderId: order.id, licenseCodes });
  }
  throw new Error(`no endpoint for ${route.name}`);
};

/** Responds to GET /orders (§4.2). */
const listOrders = ({ state, settings, serial }: RequestContext, account: string, query: ListQuery): MockResponse => {
  const { perPage, status } = query;
  const matching = status === 'nothing' ? [] : state.list(account, status);
  const total = settings.totalIgnoresFilter === 'on' ? state.list(account).length : matching.length;
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
  const orders = found.map((order) => serializeListEntry(state.summary(order), settings));
  const pagination = { page, per_page: perPage, total, pages };
  dropFields({ 'orders[]': orders, pagination }, settings);
  return success({ orders, pagination }, settings, { orders: orders.length, total, pages });
};

/** Orders of the same date are sorted as `tieBreak` says. */
const sorted = (orders: readonly Order[], { tieBreak }: Settings, serial: number): readonly Order[] => {
  if (tieBreak === 'idDesc') return orders;
  const rank = ({ id }: Order): number => (tieBreak === 'idAsc' ? id : mix(serial, id, 0));
  return orders.toSorted((a, b) => b.createdAt - a.createdAt || rank(a) - rank(b));
};
