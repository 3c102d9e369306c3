import type { OrderList, StatusFilter } from '@order-license/core/portable';
import { isNamedStatus } from '../../shared/order-status';
import type { Poll } from '../poll';
import { isUnreadable } from '../poll-errors';
import type { Urgency } from '../poll-requests';
import { isStillNew, totalOf } from '../state/recent-orders';
import { type ListProgress, newListProgress, type TriggerState, type WatchedOrder } from '../state/trigger-state';
import { readOrder } from './read-order';
import { recordOrder, watchedLists } from './record-order';

const pageSize = 50;
/** Pages of a list that one poll reads to find the orders that left it. */
const maxPages = 8;
/** Pages of a list that one poll reads during the first pass. */
const maxFirstPages = 40;
/** Orders missing from their lists that one poll reads. */
const maxMissing = 10;
/** Pending orders not read for longer than this may use the reserve, s. */
const patienceSeconds = 170;
const hourSeconds = 3_600;

/**
 * Reads the status lists, a few pages per poll: the pending list in every poll, the others once an hour if that takes at
 * most 4 pages per minute. An order missing from its list is read individually.
 */
export const readStatusChanges = async (poll: Poll): Promise<void> => {
  const lists = watchedLists(poll.subscription);
  dropOthers(poll.state, lists);
  if (lists.length === 0) return;
  checkUnlisted(poll);
  await readMissing(poll);
  for (const status of lists) await readList(poll, status);
  await readMissing(poll);
};

/** Drops orders and lists that the node's current parameters do not watch. */
const dropOthers = ({ orders, lists }: TriggerState, watched: readonly StatusFilter[]): void => {
  if (watched.length === 0) orders.clear();
  for (const status of lists.keys()) {
    if (watched.includes(status)) continue;
    lists.delete(status);
    for (const [id, order] of orders) if (order.status === status) orders.delete(id);
  }
};

/** Orders with an undocumented status are in no list, so they are read once an hour. */
const checkUnlisted = ({ state, now }: Poll): void => {
  if (now - state.unlistedCheckedAt < hourSeconds && state.unlistedCheckedAt <= now) return;
  state.unlistedCheckedAt = now;
  for (const order of state.orders.values()) {
    if (!isNamedStatus(order.status)) order.mark = 'missing';
  }
};

const readList = async (poll: Poll, status: StatusFilter): Promise<void> => {
  const { state } = poll;
  const progress = state.lists.get(status) ?? newListProgress();
  state.lists.set(status, progress);
  const isPending = status === 'ausstehend';
  const perPoll = Math.min(Math.max(progress.pages / 60, isPending ? 1 : 0.2), 4) / (poll.isBusy ? 3 : 1);
  progress.credit = Math.min(progress.credit + perPoll, perPoll + 1);
  let left = progress.isKnown ? Math.floor(progress.credit) : maxFirstPages;
  if (progress.isSearched) left = maxPages;
  const isLate = isPending && poll.now - poll.pendingReadAt > patienceSeconds;
  let urgency: Urgency = isLate || progress.isSearched ? 'event' : 'routine';

  for (; left > 0; left--) {
    const list = await readPage(poll, status, progress.page, urgency);
    if (!list || !(await recordList(poll, list))) return;
    if (isPending) poll.pendingReadAt = poll.now;
    progress.credit = Math.max(0, progress.credit - 1);
    progress.pages = Math.max(1, list.pagination.pages);
    if (!progress.isKnown) urgency = isPending ? 'routine' : 'spare';
    if (hasLost(state, status, progress, list) && progress.pages <= maxPages) {
      progress.isSearched = true;
      urgency = 'event';
      left = progress.pages + 1;
      if (progress.page > 1) {
        restart(state, status, progress);
        continue;
      }
    }
    if (!isLast(list, progress.page)) {
      progress.page += 1;
      continue;
    }
    const isDone = progress.isSearched || !progress.isKnown || progress.pages === 1;
    finish(state, status, progress, totalOf(list));
    if (isDone) return;
  }
};

/** @returns undefined if nothing more may be sent. A page that no longer exists ends the list (U-05). */
const readPage = (
  { requests }: Poll,
  status: StatusFilter,
  page: number,
  urgency: Urgency,
): Promise<OrderList | undefined> =>
  requests
    .listOrders({ status, page, perPage: pageSize }, urgency)
    .catch((error: unknown) => (page > 1 && isUnreadable(error) ? noPage : Promise.reject(error)));

const noPage = { orders: [], pagination: { pages: 0 } } as unknown as OrderList;

const isLast = ({ orders, pagination }: OrderList, page: number): boolean =>
  orders.length === 0 || page >= pagination.pages || (pagination.page ?? page) !== page;

/** @returns false if an order cannot be read in full now */
const recordList = async (poll: Poll, { orders }: OrderList): Promise<boolean> => {
  const { recent } = poll.state;
  for (const order of orders.toReversed()) {
    // The next poll records orders that arrived during this one.
    if (recent && isStillNew(recent, order)) continue;
    if (!(await recordOrder(poll, order, false))) return false;
  }
  return true;
};

/** Whether the service counts fewer orders than are watched, so that one has left the list. */
const hasLost = (state: TriggerState, status: StatusFilter, progress: ListProgress, list: OrderList): boolean => {
  const total = totalOf(list);
  if (total === undefined || !progress.isKnown || progress.isSearched) return false;
  return total < countListed(state, status) - progress.tolerated;
};

const countListed = ({ orders }: TriggerState, status: StatusFilter): number => {
  let count = 0;
  for (const order of orders.values()) if (order.status === status && order.mark !== 'missing') count += 1;
  return count;
};

const restart = ({ orders }: TriggerState, status: StatusFilter, progress: ListProgress): void => {
  progress.page = 1;
  for (const order of orders.values()) if (order.status === status && order.mark === 'met') order.mark = 'unmet';
};

/** Ends a pass over a list: orders found on no page are missing. */
const finish = (state: TriggerState, status: StatusFilter, progress: ListProgress, total: number | undefined): void => {
  for (const order of state.orders.values()) {
    if (order.status === status && order.mark === 'unmet') order.mark = 'missing';
  }
  restart(state, status, progress);
  progress.isKnown = true;
  progress.isSearched = false;
  progress.tolerated = total === undefined ? 0 : Math.max(0, countListed(state, status) - total);
};

/** Reads orders that are missing from their lists. */
const readMissing = async (poll: Poll): Promise<void> => {
  const missing: [string, WatchedOrder][] = [];
  for (const [id, watched] of poll.state.orders) {
    if (watched.mark === 'missing' && missing.push([id, watched]) === maxMissing) break;
  }
  for (const [id, watched] of missing) if (!(await readOne(poll, id, watched))) return;
};

/** @returns false if nothing more may be sent */
const readOne = async (poll: Poll, id: string, watched: WatchedOrder): Promise<boolean> => {
  const { orders } = poll.state;
  const order = await readOrder(poll, id, 'event');
  if (order === undefined) return false;
  if (typeof order === 'object') return recordOrder(poll, order, false);
  if (order === 'gone') orders.delete(id);
  else if (order === 'unusable') watched.mark = 'met';
  else {
    // Move it to the end, so that the next poll starts with others.
    orders.delete(id);
    orders.set(id, watched);
  }
  return true;
};
