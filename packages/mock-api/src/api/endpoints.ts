import type { CompareTies, OrderStore } from '../data/orders.ts';
import { mix } from '../data/random.ts';
import { dropFields } from '../settings/field-paths.ts';
import type { Settings } from '../settings/settings.ts';
import type { RequestContext } from './handle.ts';
import type { MockResponse } from './http.ts';
import type { ListQuery } from './list-query.ts';
import { readId } from './order-id.ts';
import { errorResponse, success } from './responses.ts';
import { serializeListEntry } from './show-entry.ts';
import { serializeOrder, serializeUser } from './show-order.ts';

/**
 * Responds to a request that passed all guards (§4).
 * @throws Error if the route has no endpoint
 */
export const answerEndpoint = ({ state, settings, key, route, list, serial }: RequestContext): MockResponse => {
  const account = state.account(key?.account ?? '');
  if (route.name === 'me') {
    const user = serializeUser(account, settings);
    dropFields({ me: user }, settings);
    return success(user, settings);
  }
  if (list) return listOrders(settings, state.orders(account.account), list, serial);
  if (route.name === 'order') {
    const options = { settings, keySource: state.keySource };
    const id = readId(route.segment, settings);
    const order = id === undefined ? undefined : state.orders(account.account).find(id);
    if (!order) return errorResponse('orderNotFound', settings);
    const { detail, licenseCodes } = serializeOrder(options, account, order);
    return success(detail, settings, { orderId: order.id, licenseCodes });
  }
  throw new Error(`no endpoint for ${route.name}`);
};

/** Responds to GET /orders (§4.2). */
const listOrders = (settings: Settings, store: OrderStore, query: ListQuery, serial: number): MockResponse => {
  const { perPage } = query;
  const matching = query.status === 'nothing' ? 0 : store.count(query.status);
  const total = settings.totalIgnoresFilter === 'on' ? store.count() : matching;
  const pages = total === 0 ? Number(settings.emptyPages) : Math.ceil(total / perPage);

  let { page } = query;
  if (page > Math.max(pages, 1)) {
    if (settings.pageBeyondLast === '404') return errorResponse('pathNotFound', settings);
    if (settings.pageBeyondLast === '400')
      return errorResponse('badRequest', settings, 'page is beyond the last page.');
    if (settings.pageBeyondLast === 'clamp') page = Math.max(pages, 1);
  }
  const from = (page - 1) * perPage;
  const found =
    query.status === 'nothing' || from >= matching
      ? []
      : store.page(from, perPage, query.status, tiesOf(settings, serial));

  const orders = found.map((order) => serializeListEntry(order, settings));
  const pagination = { page, per_page: perPage, total, pages };
  dropFields({ 'orders[]': orders, pagination }, settings);
  return success({ orders, pagination }, settings, { orders: orders.length, total, pages });
};

const tiesOf = (settings: Settings, serial: number): CompareTies | undefined => {
  switch (settings.tieBreak) {
    case 'idDesc':
      return undefined;
    case 'idAsc':
      return (a, b) => a.id - b.id;
    case 'shuffle':
      return (a, b) => mix(serial, a.id, 0) - mix(serial, b.id, 0);
  }
};
