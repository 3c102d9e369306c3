import { type Order, type OrderSummary, orderStatuses, type StatusFilter } from '../model/order.ts';
import { awaitCodes, deliveryOf, unlisted } from './awaited.ts';
import { isWanted, type Selection } from './events.ts';
import type { Poll } from './poll.ts';
import { type Held, type Memory, rankOf, type StatusList, type Watched } from './state.ts';
import { isDocumented, statusName } from './status-name.ts';

/** The most watched orders: at three bytes each, their state stays small. */
const maxWatched = 30_000;
/** Of these, reserved for pending orders. */
const keptForPending = 2_000;
const hourSeconds = 3_600;

/**
 * Records an order: its events, its list, and the license codes to wait for.
 * @param isNew whether this is its first appearance in the list since the baseline
 * @returns false if its details are selected but cannot be requested now; nothing is recorded then
 */
export const record = async (poll: Poll, order: OrderSummary | Order, isNew = false): Promise<boolean> => {
  const { memory, selection, reads } = poll;
  const id = String(order.id);
  const status = statusName(order.status);
  const known = memory.orders.get(id);
  const found = eventsOf(selection, status, known, isNew);
  const needsDetails = found.some(({ event }) => selection.withDetails.includes(event));
  if (needsDetails && (await reads.getOrder(id, 'event')) === undefined) return false;
  memory.held.push(...found.map((event) => ({ ...event, id, since: poll.now })));
  if (found.length > 0) poll.isHurried = true;
  awaitCodes(poll, { id, status, entry: reads.entries.get(id), known, isNew });
  watch(poll, id, status, known, isNew);
  return true;
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

const watch = (poll: Poll, id: string, status: string, known: Watched | undefined, isNew: boolean): void => {
  const { memory, selection, now } = poll;
  const lists: readonly string[] = watchedLists(selection);
  const hasList = isDocumented(status);
  // No list shows an order with an undocumented status, so it is read by itself.
  const isWatched = hasList ? lists.includes(status) : lists.length > 0 && (isNew || known !== undefined);
  if (!isWatched) {
    if (rankOf(status) === 0) memory.awaited.delete(id);
    forget(memory, id);
    return;
  }
  if (hasList) memory.loose.delete(id);
  else memory.loose.set(id, now + hourSeconds);
  if (known?.status === status) return;
  if (!known && isFull(poll, id, status)) return;
  const order = known ?? { status, reached: 0, before: undefined };
  if (known) unlist(memory, id, known.status);
  Object.assign(order, { status, reached: Math.max(order.reached, rankOf(status)) });
  if (rankOf(status) === 0) order.before = undefined;
  else if (!known && !isNew && memory.hasCodes && !memory.awaited.has(id)) order.before = paidBefore(poll, id);
  memory.orders.set(id, order);
  if (hasList) insert(listOf(memory, status).ids, id);
};

const paidBefore = ({ reads }: Poll, id: string): NonNullable<Watched['before']> => {
  const entry = reads.entries.get(id);
  return { delivery: entry ? deliveryOf(entry) : unlisted, isRead: false };
};

/** Lists are read newest first, so the oldest orders are left out. */
const isFull = (poll: Poll, id: string, status: string): boolean => {
  const { memory } = poll;
  if (memory.orders.size < maxWatched - (status === 'ausstehend' ? 0 : keptForPending)) return false;
  poll.warnHourly(`The limit of ${maxWatched} watched orders is reached: order ${id} and older ones are not watched.`);
  return true;
};

export const listOf = (memory: Memory, status: StatusFilter): StatusList => {
  const list = memory.lists.get(status) ?? newList();
  memory.lists.set(status, list);
  return list;
};

const newList = (): StatusList => {
  return { ids: [], page: 1, after: undefined, pages: 1, readAt: 0, isKnown: false, tolerated: 0 };
};

/** Where an order with this ID usually is; the next sweep corrects it. */
const insert = (ids: string[], id: string): void => {
  ids.splice(ids.findLastIndex((other) => Number(other) > Number(id)) + 1, 0, id);
};

const unlist = ({ lists }: Memory, id: string, status: string): void => {
  const ids = lists.get(status as StatusFilter)?.ids ?? [];
  const place = ids.indexOf(id);
  if (place >= 0) ids.splice(place, 1);
};

/** Stops watching an order. */
export const forget = (memory: Memory, id: string): void => {
  const known = memory.orders.get(id);
  if (known) unlist(memory, id, known.status);
  memory.orders.delete(id);
  memory.loose.delete(id);
};
