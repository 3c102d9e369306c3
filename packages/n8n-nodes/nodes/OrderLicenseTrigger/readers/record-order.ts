import { type OrderSummary, orderStatuses, type StatusFilter } from '@order-license/core/portable';
import { isNamedStatus } from '../../shared/order-status';
import type { AnyOrder } from '../../shared/output';
import { fingerprint } from '../account';
import { adoptStatus, namedStatus } from '../named-status';
import type { Poll } from '../poll';
import { addSeen, type RecentOrders } from '../state/recent-orders';
import { type AwaitedOrder, type PaidBefore, unlisted, type WatchedOrder } from '../state/trigger-state';
import {
  isPaidOrCompleted,
  isWanted,
  newOrder,
  paidOrCompleted,
  type Subscription,
  statusChanged,
  type TriggerEvent,
} from '../trigger-event';
import { readWhole } from './read-order';

/** The most orders in a state: at five characters each, it stays far below what n8n can save. */
export const maxWatched = 30_000;
/** Of these, places reserved for pending orders. */
const keptForPending = 2_000;

/**
 * Records an order: adds its events, and saves its status if it is watched.
 * @param isNew whether this is its first appearance in the list since activation
 * @returns false if its details are required but cannot be read now; nothing is recorded then
 */
export const recordOrder = async (poll: Poll, listed: AnyOrder, isNew: boolean): Promise<boolean> => {
  const { state, subscription } = poll;
  const id = String(listed.id);
  const known = state.orders.get(id);
  let order = namedStatus(listed, subscription);
  if (known) adoptStatus(known, listed, subscription);
  if (subscription.includeDetails && !('items' in order) && eventsOf(subscription, order, known, isNew).length > 0) {
    const whole = await readWhole(poll, id);
    if (!whole) return false;
    order = namedStatus({ ...listed, ...whole }, subscription);
  }
  poll.events.push(...eventsOf(subscription, order, known, isNew));
  awaitCodes(poll, order, known, isNew);
  watch(poll, order, known, isNew);
  return true;
};

/**
 * Records part of the list, oldest order first.
 * @returns false if an order cannot be read in full now; the next poll continues there
 */
export const recordPage = async (
  poll: Poll,
  recent: RecentOrders,
  orders: readonly OrderSummary[],
  fresh: ReadonlySet<unknown>,
): Promise<boolean> => {
  for (const order of orders.toReversed()) {
    const isNew = fresh.has(order.id);
    if (!(await recordOrder(poll, order, isNew))) return false;
    if (isNew) addSeen(recent, order);
  }
  return true;
};

const eventsOf = (
  subscription: Subscription,
  order: AnyOrder,
  known: WatchedOrder | undefined,
  isNew: boolean,
): TriggerEvent[] => {
  const { status } = order;
  const events: TriggerEvent[] = [];
  if (isNew) events.push(newOrder(order));
  if (isPaidOrCompleted(status) && (isNew || (known && !isPaidOrCompleted(known.status))))
    events.push(paidOrCompleted(order));
  if (known && known.status !== status) events.push(statusChanged(order, known.status));
  return events.filter(({ event }) => isWanted(subscription, event, status));
};

/** The status lists to read for these events. */
export const watchedLists = ({ events, watchClosed }: Subscription): StatusFilter[] => {
  const [paid, status, codes] = (['paidOrCompleted', 'statusChanged', 'licenseCodesAvailable'] as const).map((event) =>
    events.includes(event),
  );
  if (!paid && !status && !codes) return [];
  if (watchClosed) return orderStatuses;
  return status || codes ? ['ausstehend', 'bezahlt'] : ['ausstehend'];
};

const watch = (poll: Poll, order: AnyOrder, known: WatchedOrder | undefined, isNew: boolean): void => {
  const { state, subscription } = poll;
  const { id, status } = order;
  const lists: readonly string[] = watchedLists(subscription);
  // An order with an undocumented status is in no list, so it is read individually.
  const isWatched = isNamedStatus(status) ? lists.includes(status) : lists.length > 0 && (isNew || known !== undefined);
  if (!isWatched) {
    state.orders.delete(String(id));
    return;
  }
  if (known) {
    Object.assign(known, { status, mark: 'met' });
    if (!isPaidOrCompleted(status)) known.before = undefined;
    return;
  }
  const free = maxWatched - state.orders.size - (status === 'ausstehend' ? 0 : keptForPending);
  if (free <= 0) {
    reportExcess(poll, order);
    return;
  }
  const wasPaid = !isNew && subscription.events.includes('licenseCodesAvailable') && isPaidOrCompleted(status);
  const before = wasPaid && !state.awaited.has(String(id)) ? { delivery: deliveryOf(order), isRead: false } : undefined;
  state.orders.set(String(id), { status, mark: 'met', before });
};

/** Warns at most once an hour. Lists are read newest first, so the oldest orders are left out. */
const reportExcess = ({ state, now, warn }: Poll, { id }: AnyOrder): void => {
  if (now - state.excessReportedAt < 3_600) return;
  state.excessReportedAt = now;
  warn(`The limit of ${maxWatched} watched orders is reached: order ${id} and older ones are not watched.`);
};

/** Codes that an order gets while it is watched are events; those it had before are not. */
const awaitCodes = (poll: Poll, order: AnyOrder, known: WatchedOrder | undefined, isNew: boolean): void => {
  const { state, subscription, now } = poll;
  if (!subscription.events.includes('licenseCodesAvailable')) return;
  const id = String(order.id);
  if (!isPaidOrCompleted(order.status)) {
    state.awaited.delete(id);
    return;
  }
  const awaited = state.awaited.get(id);
  const print = 'lieferstatus' in order ? fingerprintOfStates(order) : awaited?.fingerprint;
  const soon = { since: now, due: now, isUrgent: true, fingerprint: print ?? '' };
  const hasChanged = known !== undefined && known.status !== order.status;
  if (isNew) {
    // If it has no date, a status list may have shown it before the head of the list did.
    if (known) known.before = undefined;
    state.awaited.set(id, { ...soon, known: new Map() });
    return;
  }
  if (known?.before) {
    if (known.before.delivery === unlisted && 'lieferstatus' in order) known.before.delivery = deliveryOf(order);
    const settled = settle(poll, order, known.before, hasChanged);
    if (settled === undefined) return;
    known.before = undefined;
    if (settled !== 'old') state.awaited.set(id, { ...soon, known: settled });
    return;
  }
  if (awaited) {
    if (!hasChanged && print === awaited.fingerprint) return;
    Object.assign(awaited, { ...soon, since: hasChanged ? now : awaited.since });
    return;
  }
  if (known !== undefined && !isPaidOrCompleted(known.status)) {
    state.awaited.set(id, { ...soon, known: new Map() });
  }
};

/**
 * Decides whether the codes of an order that was paid before it was watched are new.
 * @returns `old` if none are; an empty map if all are; the earlier delivery status if the order left its list and has to
 *   be checked once more; undefined while unknown
 */
const settle = (
  { subscription }: Poll,
  order: AnyOrder,
  { delivery, isRead }: PaidBefore,
  hasChanged: boolean,
): 'old' | AwaitedOrder['known'] | undefined => {
  if ('lieferstatus' in order) {
    if (deliveryOf(order) !== delivery) return new Map();
    if (isRead) return 'old';
  }
  const lists: readonly string[] = watchedLists(subscription);
  return hasChanged && !lists.includes(order.status) ? { delivery } : undefined;
};

/** Starts to watch codes if selected; codes that watched orders already have are not events. */
export const beginCodes = ({ state, subscription }: Poll): void => {
  const watchesCodes = subscription.events.includes('licenseCodesAvailable');
  if (watchesCodes && !state.watchesCodes) {
    for (const order of state.orders.values()) {
      if (isPaidOrCompleted(order.status)) order.before = { delivery: unlisted, isRead: false };
    }
  }
  state.watchesCodes = watchesCodes;
};

/** One of 1,024 values, so that the saved state has few groups of orders. */
export const deliveryOf = ({ lieferstatus }: AnyOrder): number =>
  Number.parseInt(fingerprint(String(lieferstatus)), 36) % 1_024;

const fingerprintOfStates = ({ status, zahlungsstatus, lieferstatus }: AnyOrder): string =>
  fingerprint(`${status}|${zahlungsstatus}|${lieferstatus}`);
