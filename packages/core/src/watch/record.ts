import { type Order, type OrderSummary, orderStatuses, type StatusFilter } from '../model/order.ts';
import { awaitCodes, takeCodes, takeEntry } from './codes.ts';
import { isWanted, type Selection } from './events.ts';
import { isDocumented, rankOf, statusName } from './names.ts';
import { readLater } from './reads.ts';
import type { Held, Memory, Poll, StatusList, Watched } from './state.ts';

/** The most watched orders: at three bytes each, their state stays small. */
const maxWatched = 30_000;
/** Of these, reserved for pending orders. */
const keptForPending = 2_000;
/** No list shows an order whose status is undocumented, so it is read by itself. */
const hourSeconds = 3_600;

/**
 * Takes in what a page of a list says about an order: its events, whether to watch it, and whether it may have new codes.
 * @param isNew whether this is its first appearance in the list since the baseline
 */
export const recordEntry = (poll: Poll, entry: OrderSummary, isNew = false): void => {
  const watched = recordStatus(poll, entry, isNew);
  if (watched) takeEntry(poll, String(entry.id), watched, entry);
};

/** Takes in an order that was read by itself: its events and license codes, and when to read it again. */
export const recordOrder = (poll: Poll, order: Order): void => {
  const { memory } = poll;
  const id = String(order.id);
  const watched = recordStatus(poll, order, false);
  memory.toRead.delete(id);
  if (!watched) return;
  if (!isDocumented(watched.status)) readLater(poll, id, hourSeconds);
  const isListed = findPlace(memory, id) !== undefined;
  takeCodes(poll, order, watched, isListed);
  if (!isListed && isDocumented(watched.status) && !watched.codes) forget(memory, id);
};

/** @returns undefined if the order is not to be watched, or no longer */
const recordStatus = (poll: Poll, order: OrderSummary | Order, isNew: boolean): Watched | undefined => {
  const { memory, selection, now } = poll;
  const id = String(order.id);
  const status = statusName(order.status);
  const known = memory.orders.get(id);
  const events = eventsOf(selection, status, known, isNew);
  memory.held.push(...events.map((event) => ({ ...event, id, since: now })));
  const list = watchedLists(selection).find((name) => name === status);
  const codes = awaitCodes(poll, id, { status, known, isNew });
  const isOdd = !isDocumented(status) && memory.lists.size > 0 && (isNew || known !== undefined);
  if (!list && !isOdd && !(rankOf(status) > 0 && (codes.codes || (known && codes.before)))) {
    forget(memory, id);
    return undefined;
  }
  if (!known && isFull(poll, id, status)) return undefined;
  if (known && known.status !== status) unlist(memory, id);
  const watched = { ...codes, status, reached: Math.max(known?.reached ?? 0, rankOf(status)) };
  memory.orders.set(id, watched);
  const mayBeAbsent = known?.status !== status || memory.toRead.has(id);
  if (list && mayBeAbsent && !findPlace(memory, id)) {
    insert(listOf(memory, list), id);
    // If it was absent, it is there again.
    if (!codes.codes) memory.toRead.delete(id);
  }
  return watched;
};

const eventsOf = (
  selection: Selection,
  status: string,
  known: Watched | undefined,
  isNew: boolean,
): Pick<Held, 'event' | 'status' | 'previousStatus'>[] => {
  const rank = rankOf(status);
  const reached = isNew ? 0 : (known?.reached ?? rank);
  const events: Pick<Held, 'event' | 'status' | 'previousStatus'>[] = [];
  if (isNew) events.push({ event: 'newOrder', status });
  if (known && known.status !== status) events.push({ event: 'statusChanged', status, previousStatus: known.status });
  if (rank >= 1 && reached < 1) events.push({ event: 'paid', status });
  if (rank >= 2 && reached < 2) events.push({ event: 'completed', status });
  return events.filter(({ event }) => isWanted(selection, event, status));
};

/** The status lists to read for the selected events. */
export const watchedLists = ({ events, watch }: Selection): StatusFilter[] => {
  const others = events.filter((event) => event !== 'newOrder');
  if (others.length === 0) return [];
  if (watch === 'all') return orderStatuses;
  return others.every((event) => event === 'paid') ? ['ausstehend'] : ['ausstehend', 'bezahlt'];
};

/** Lists are read newest first, so the oldest orders are left out. */
const isFull = (poll: Poll, id: string, status: string): boolean => {
  const { memory } = poll;
  if (memory.orders.size < maxWatched - (status === 'ausstehend' ? 0 : keptForPending)) return false;
  poll.warnHourly(`The limit of ${maxWatched} watched orders is reached. Order ${id} and older ones are not watched.`);
  return true;
};

export const listOf = (memory: Memory, status: StatusFilter): StatusList => {
  const list = memory.lists.get(status) ?? newList();
  memory.lists.set(status, list);
  return list;
};

const newList = (): StatusList => {
  return { above: [], below: [], page: 1, pages: 1, readAt: 0, isKnown: false, tolerated: 0 };
};

/** The part of a list that has this order, and where. */
const findPlace = ({ lists, orders }: Memory, id: string): { ids: string[]; place: number } | undefined => {
  const list = lists.get(orders.get(id)?.status as StatusFilter);
  for (const ids of list ? [list.above, list.below] : []) {
    const place = ids.indexOf(id);
    if (place >= 0) return { ids, place };
  }
  return undefined;
};

/** Puts an order where one with its ID usually is; the next sweep corrects it. */
const insert = ({ above, below }: StatusList, id: string): void => {
  const ids = above.some((other) => Number(other) < Number(id)) ? above : below;
  ids.splice(ids.findLastIndex((other) => Number(other) > Number(id)) + 1, 0, id);
};

const unlist = (memory: Memory, id: string): void => {
  const found = findPlace(memory, id);
  found?.ids.splice(found.place, 1);
};

/** Stops watching an order. */
export const forget = (memory: Memory, id: string): void => {
  unlist(memory, id);
  memory.orders.delete(id);
};
