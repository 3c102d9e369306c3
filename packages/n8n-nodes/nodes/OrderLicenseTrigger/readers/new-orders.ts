import type { OrderSummary } from '@order-license/core/portable';
import type { Poll } from '../poll';
import { beginWith, newOnPage, totalOf, trimSeen } from '../state/recent-orders';
import { readMissedOrders } from './missed-orders';
import { recordPage } from './record-order';

/** Up to this many pages of new orders are read from the top; more are read oldest first, over several polls. */
const maxPages = 4;
const pageSize = 50;

/**
 * Reads the head of the list down to the first known order, usually with one request.
 * @returns false if no permit was granted in this poll
 */
export const readNewOrders = async (poll: Poll): Promise<boolean> => {
  const { state, requests } = poll;
  const first = await requests.listOrders({ page: 1, perPage: pageSize }, 'head');
  if (!first) return false;
  state.recent ??= beginWith(first);
  const { recent } = state;
  const total = totalOf(first);
  const isFar = (total ?? 0) - (recent.settled ?? 0) > maxPages * pageSize && recent.settled !== undefined;

  const listed = new Map<unknown, OrderSummary>();
  const fresh = new Set<unknown>();
  let list = first;
  for (let page = 1; ; page++) {
    const found = newOnPage(recent, list.orders);
    for (const order of list.orders) if (!listed.has(order.id)) listed.set(order.id, order);
    for (const { id } of found.fresh) fresh.add(id);
    if (found.reached || list.orders.length === 0 || page >= list.pagination.pages) break;
    if (isFar || page === maxPages) {
      await readMissedOrders(poll, recent, total);
      return true;
    }
    const next = await requests.listOrders({ page: page + 1, perPage: pageSize }, 'event');
    if (!next) return true;
    list = next;
  }
  if (await recordPage(poll, recent, [...listed.values()], fresh)) recent.settled = total;
  trimSeen(recent);
  return true;
};
