import {
  hasLicenseCodes,
  isDocumented,
  type Order,
  type OrderSummary,
  orderStatuses,
  type StatusFilter,
} from '../model/order.ts';
import { codesAt, isAwaiting, takeCodes, takeEntry } from './codes.ts';
import { type ChangeName, changeNames, isWanted, type Selection } from './events.ts';
import { rankOf, statusName } from './names.ts';
import type { Poll } from './poll.ts';
import { forget, readLater, type StatusList, unlist, type Watched, type WatchState } from './state.ts';

/** Maximum number of watched orders: with three bytes for each order, the saved state stays small. */
const maxWatched = 30_000;
/** How many of the `maxWatched` places are reserved for pending orders. */
const keptForPending = 2_000;
/** Interval at which an order with an undocumented status is read individually, because no list shows it. */
const hourSeconds = 3_600;

/** Makes the state watch the lists that the selected events need, and no others. */
export const beginLists = ({ state, selection }: Poll): void => {
  const { lists, orders } = state;
  const watched = watchedLists(selection);
  for (const [status, { seen, unseen }] of lists) {
    if (watched.includes(status)) continue;
    for (const id of [...seen, ...unseen]) forget(state, id);
    lists.delete(status);
  }
  if (watched.length === 0) orders.clear();
  for (const status of watched) {
    if (lists.has(status)) continue;
    lists.set(status, { seen: new Set(), unseen: new Set(), page: 1, pages: 1, readAt: 0, isKnown: false, excess: 0 });
  }
};

const watchedLists = ({ events, watch }: Selection): StatusFilter[] => {
  const others = events.filter((event) => event !== 'newOrder');
  if (others.length === 0) return [];
  if (watch === 'all') return orderStatuses;
  return others.every((event) => event === 'paid') ? ['ausstehend'] : ['ausstehend', 'bezahlt'];
};

/**
 * Records what a page of a list says about an order: its events, whether to watch it, and whether it may have new
 * codes.
 * @param isNew whether this is the order's first appearance in the list since the baseline
 */
export const recordEntry = (poll: Poll, entry: OrderSummary, isNew = false): void => {
  const watched = recordStatus(poll, entry, isNew);
  if (watched) takeEntry(poll, watched, entry);
};

/**
 * Records an order that was read individually: its events and license codes, and when to read it again. If the response
 * has no status, the order keeps the known one; if it has left its list, it is read again.
 */
export const recordOrder = (poll: Poll, order: Order): void => {
  const { state } = poll;
  const id = String(order.id);
  const known = state.orders.get(id);
  const hasStatus = !known || order.status != null;
  const watched = hasStatus ? recordStatus(poll, order, false) : { ...known };
  state.toRead.delete(id);
  if (!watched) return;
  state.orders.set(id, watched); // a copy, because other orders can share `known`
  const list = state.lists.get(watched.status as StatusFilter);
  takeCodes(poll, order, watched, list !== undefined);
  const hasLeft = !hasStatus && list && !list.seen.has(id) && !list.unseen.has(id);
  const isPlanned = Number(state.toRead.get(id)?.due) <= state.now + hourSeconds;
  if (!isDocumented(watched.status) || (hasLeft && !isPlanned)) readLater(state, id, hourSeconds);
  else if (!list && !watched.codes) forget(state, id);
};

/**
 * Records an order's status and the events that it causes.
 * @returns undefined if the order does not have to be watched
 */
const recordStatus = (poll: Poll, order: OrderSummary | Order, isNew: boolean): Watched | undefined => {
  const { state, selection } = poll;
  const { now, orders, lists } = state;
  const id = String(order.id);
  const status = statusName(order.status);
  const known = orders.get(id);
  for (const event of eventsOf(status, known, isNew)) {
    if (!isWanted(selection, event, status)) continue;
    state.held.push({ event, id, status, previousStatus: known?.status, since: now });
  }
  const list = lists.get(status as StatusFilter);
  const isMet = known !== undefined || isNew;
  const codes = codesAt(poll, id, { status, known, isNew });
  const isWatched = list || (isMet && (isDocumented(status) ? hasLicenseCodes(status) && codes : lists.size > 0));
  if (!isWatched || (!known && isFull(poll, id, status))) {
    forget(state, id);
    return undefined;
  }
  if (known && known.status !== status) unlist(state, id);
  const watched = { status, reached: Math.max(known?.reached ?? 0, rankOf(status)), codes };
  orders.set(id, watched);
  if (list && !list.seen.has(id) && !list.unseen.has(id)) {
    insert(list, id);
    foundAgain(state, id);
  }
  return watched;
};

/** Cancels the planned read of an order that is in its list again, unless the order waits for codes. */
export const foundAgain = ({ orders, toRead }: WatchState, id: string): void => {
  const order = orders.get(id);
  if (order && !isAwaiting(order)) toRead.delete(id);
};

const eventsOf = (status: string, known: Watched | undefined, isNew: boolean): ChangeName[] => {
  const rank = rankOf(status);
  const reached = isNew ? 0 : (known?.reached ?? rank);
  const happened: Record<ChangeName, boolean> = {
    newOrder: isNew,
    statusChanged: known !== undefined && known.status !== status,
    paid: reached < 1 && rank >= 1,
    completed: reached < 2 && rank >= 2,
    licenseCodeAvailable: false,
  };
  return changeNames.filter((name) => happened[name]);
};

/** Whether there is no room to watch another order. Lists are read newest first, so the oldest orders are left out. */
const isFull = ({ state, warnHourly }: Poll, id: string, status: string): boolean => {
  if (state.orders.size < maxWatched - (status === 'ausstehend' ? 0 : keptForPending)) return false;
  warnHourly(
    'watched',
    `Too many orders to watch: the maximum is ${maxWatched}, of which ${keptForPending} are reserved for pending orders. Order ${id} and older orders are not watched.`,
  );
  return true;
};

/** Inserts an order into a list, at the position that its ID suggests. The next sweep corrects the position. */
const insert = (list: StatusList, id: string): void => {
  const part = [...list.seen].some((other) => Number(other) < Number(id)) ? 'seen' : 'unseen';
  const ids = [...list[part]];
  list[part] = new Set(ids.toSpliced(ids.findLastIndex((other) => Number(other) > Number(id)) + 1, 0, id));
};
