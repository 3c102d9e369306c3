import type { Stored } from '../orders/orders.ts';
import { mix } from '../orders/random.ts';
import type { StateStore } from '../orders/state.ts';
import type { Settings } from '../settings/settings.ts';
import type { MockResponse } from './http.ts';
import { errorResponse, success } from './responses.ts';
import type { ListQuery, Route } from './router.ts';
import { dropFields, serializeListEntry, serializeOrder, serializeUser } from './show-order.ts';

/** The parts of the mock that a response depends on. */
interface Asking {
  state: StateStore;
  settings: Settings;
  /** Sequence number of the request. If the list is shuffled, the number decides its order. */
  serial: number;
}

/**
 * Responds to a request that passed all checks (§4).
 * @param owner the name of the account that the request's key belongs to
 * @throws Error if the route has no endpoint
 */
export const answerEndpoint = (service: Asking, owner: string, { name, list, id }: Route): MockResponse => {
  const { state, settings } = service;
  const account = state.account(owner);
  if (name === 'me') {
    const user = serializeUser(account, settings);
    dropFields({ me: user }, settings);
    return success(user, settings);
  }
  if (list && 'page' in list) return listOrders(service, owner, list);
  if (id === undefined) throw new Error(`no endpoint for ${name}`);
  if (state.find(id)?.account !== owner) return errorResponse('orderNotFound', settings);
  const { detail, licenseCodes } = serializeOrder(state.order(id), account, settings);
  return success(detail, settings, { orderId: id, licenseCodes });
};

/** Responds to GET /orders (§4.2). */
const listOrders = ({ state, settings, serial }: Asking, account: string, query: ListQuery): MockResponse => {
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
  const orders = found.map((order) => serializeListEntry(state.entry(order), settings));
  const pagination = { page, per_page: perPage, total, pages };
  dropFields({ 'orders[]': orders, pagination }, settings);
  return success({ orders, pagination }, settings, { orders: orders.length, total, pages });
};

/** Sorts orders, newest first. The setting `tieBreak` decides how orders with the same date are sorted. */
const sorted = (orders: readonly Stored[], { tieBreak }: Settings, serial: number): readonly Stored[] => {
  if (tieBreak === 'idDesc') return orders;
  const rank = ({ id }: Stored): number => (tieBreak === 'idAsc' ? id : mix(serial, id, 0));
  return orders.toSorted((a, b) => b.createdAt - a.createdAt || rank(a) - rank(b));
};
