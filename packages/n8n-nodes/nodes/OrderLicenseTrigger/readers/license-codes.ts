import type { Order } from '@order-license/core/portable';
import type { Poll } from '../poll';
import type { Urgency } from '../poll-requests';
import { type AwaitedOrder, type PaidBefore, unlisted } from '../state/trigger-state';
import { isPaidOrCompleted, isWanted, licenseCodeAvailable, type PlacedCode } from '../trigger-event';
import { addCodes, isComplete, type KnownCodes, placedCodes } from './placed-codes';
import { readOrder, type Unread } from './read-order';
import { deliveryOf, recordOrder, watchedLists } from './record-order';

/** Orders per poll that are read again because codes are missing. */
const maxRepeats = 6;
/** Orders paid before activation that one poll reads if no export needs the key; the first poll reads more. */
const maxUnread = 10;
const maxUnreadAtStart = 40;
/** Orders per poll whose delivery status is looked up in the list. */
const maxSearches = 2;
/** An order overdue for longer than this may use the reserve, s. */
const patienceSeconds = 240;
const daySeconds = 86_400;
const maxDays = 90;
/** The most awaited orders, and known codes of theirs, that the state holds. */
const maxAwaited = 2_000;
const maxKnownCodes = 20_000;
/** Places among them reserved for orders paid after activation. */
const keptForNew = 500;
/** Delay before an order is read again after the service failed, s. */
const retrySeconds = 60;

/** Reads orders that may have new license codes: one request each, repeated while codes are missing. */
export const readLicenseCodes = async (poll: Poll): Promise<void> => {
  const { state, subscription } = poll;
  if (!subscription.events.includes('licenseCodesAvailable')) {
    state.awaited.clear();
    return;
  }
  if ((await readDue(poll)) && !poll.isBusy) await readUnread(poll);
  dropExcess(poll);
};

/** @returns false if no request is left */
const readDue = async (poll: Poll): Promise<boolean> => {
  const { state, now, isBusy } = poll;
  const due = [...state.awaited].filter(([id, awaited]) => isDue(awaited, now) && !state.orders.get(id)?.before);
  due.sort(([, one], [, other]) => Number(other.isUrgent) - Number(one.isUrgent) || one.due - other.due);
  let repeats = 0;
  let searches = 0;
  for (const [id, awaited] of due) {
    const isLate = now - awaited.due > patienceSeconds;
    if (!awaited.isUrgent && (++repeats > (isBusy ? 1 : maxRepeats) || (isBusy && !isLate))) return true;
    if (!(awaited.known instanceof Map) && ++searches > maxSearches) continue;
    if (!(await readCodes(poll, id, awaited, awaited.isUrgent || (isLate && repeats === 1) ? 'event' : 'routine')))
      return false;
  }
  return true;
};

/** A due time beyond the longest wait was set by a wrong clock, so the order is due. */
const isDue = (awaited: AwaitedOrder, now: number): boolean =>
  awaited.due <= now || (awaited.due > now + waitFor(awaited, now) && !isSettled(awaited));

/** Whether the order is read again only if it changes. */
const isSettled = ({ due }: AwaitedOrder): boolean => due === Number.POSITIVE_INFINITY;

/** An eighth of the time waited so far, but at least a minute, and at most eight on the first day; in s. */
const waitFor = ({ since }: AwaitedOrder, now: number): number => {
  const waited = Math.max(0, now - since);
  return Math.max(60, Math.min(waited / 8, waited < daySeconds ? 480 : Number.POSITIVE_INFINITY));
};

/** @returns false if no request is left */
const readCodes = async (poll: Poll, id: string, awaited: AwaitedOrder, urgency: Urgency): Promise<boolean> => {
  const { state } = poll;
  const order = await readAndRecord(poll, id, urgency);
  if (!order) return false;
  if (typeof order === 'object') {
    if (!isPaidOrCompleted(order.status)) state.awaited.delete(id);
    else if (!(await takeCodes(poll, id, awaited, order))) return false;
  }
  awaited.isUrgent = false;
  awaited.due = dueAfter(poll, awaited, order);
  return true;
};

/** When to read an order again; never if it has all codes, unless it changes. */
const dueAfter = ({ now, subscription }: Poll, awaited: AwaitedOrder, order: Order | Unread): number => {
  if (order === 'failing') return now + retrySeconds;
  const isDone =
    typeof order === 'object' && isWanted(subscription, 'licenseCodesAvailable', order.status) && isComplete(order);
  return isDone ? Number.POSITIVE_INFINITY : now + waitFor(awaited, now);
};

/** Reads an order and records its status. @returns undefined if no request is left */
const readAndRecord = async (poll: Poll, id: string, urgency: Urgency): Promise<Order | Unread | undefined> => {
  const order = await readOrder(poll, id, urgency);
  if (order === 'gone') poll.state.awaited.delete(id);
  if (!order || typeof order === 'string') return order;
  return (await recordOrder(poll, order, false)) ? order : undefined;
};

/** @returns false if no request is left to find out which codes are new */
const takeCodes = async (poll: Poll, id: string, awaited: AwaitedOrder, order: Order): Promise<boolean> => {
  const { state, events, subscription } = poll;
  const codes = placedCodes(order);
  const known =
    awaited.known instanceof Map ? awaited.known : await knownOf(poll, order, codes, awaited.known.delivery);
  if (!known) return false;
  awaited.known = known;
  if (!isWanted(subscription, 'licenseCodesAvailable', order.status)) return true;
  for (const code of codes) {
    if (!known.get(code.positionId)?.has(code.codeId)) events.push(licenseCodeAvailable(order, code));
  }
  addCodes(known, codes);
  // An order can get more codes than its quantity; while it is in a list, a change of its states shows that.
  const lists: readonly string[] = watchedLists(subscription);
  if (isComplete(order) && !lists.includes(order.status)) state.awaited.delete(id);
  return true;
};

/** Codes that an order had before it was watched: all, unless its delivery status in the list has changed. */
const knownOf = async (
  { requests }: Poll,
  order: Order,
  codes: readonly PlacedCode[],
  delivery: number,
): Promise<KnownCodes | undefined> => {
  if (codes.length === 0) return new Map();
  const listed = await requests.findListed(order);
  if (listed === undefined) return undefined;
  const isSame = listed === null || delivery === unlisted || deliveryOf(listed) === delivery;
  return isSame ? addCodes(new Map(), codes) : new Map();
};

/**
 * Reads orders paid before they were watched, newest first within a delivery status. The rarest status comes first: if
 * most orders have their codes, it belongs to those still waiting.
 */
const readUnread = async (poll: Poll): Promise<void> => {
  const { state, isStart } = poll;
  const groups = new Map<number, [string, PaidBefore][]>();
  for (const [id, { before }] of state.orders) {
    if (!before || before.isRead) continue;
    const group = groups.get(before.delivery);
    if (group) group.push([id, before]);
    else groups.set(before.delivery, [[id, before]]);
  }
  const most = isStart ? maxUnreadAtStart : maxUnread;
  const rarestFirst = [...groups.values()].sort((one, other) => one.length - other.length);
  const chosen = rarestFirst.flatMap((group) => group.slice(-most).reverse()).slice(0, most);
  for (const [id, before] of chosen) if (!(await readBefore(poll, id, before))) return;
};

/** @returns false if no request is left */
const readBefore = async (poll: Poll, id: string, before: PaidBefore): Promise<boolean> => {
  const { state, now, warn } = poll;
  const order = await readAndRecord(poll, id, 'spare');
  if (!order) return false;
  before.isRead = true;
  const watched = state.orders.get(id);
  if (typeof order === 'string' || watched?.before !== before) return true;
  const codes = placedCodes(order);
  if (codes.length === 0) watched.before = undefined;
  if (!isComplete(order)) {
    if (state.awaited.size >= maxAwaited - keptForNew) {
      warn(`Not waiting for the missing license codes of order ${id}: too many orders lack some.`);
      return true;
    }
    const known = addCodes(new Map(), codes);
    state.awaited.set(id, { since: now, due: now + 60, isUrgent: false, fingerprint: '', known });
  }
  return true;
};

/** Keeps the state small: drops orders after 90 days, and if there are too many, complete ones first, then the oldest. */
const dropExcess = ({ state, now, warn }: Poll): void => {
  let codes = 0;
  let count = 0;
  const dropped: string[] = [];
  const newestFirst = [...state.awaited].sort(
    ([, one], [, other]) => Number(isSettled(one)) - Number(isSettled(other)) || other.since - one.since,
  );
  for (const [id, awaited] of newestFirst) {
    const { since, known } = awaited;
    count += 1;
    if (known instanceof Map) for (const ids of known.values()) codes += ids.size;
    const isOld = now - since > maxDays * daySeconds;
    if (!isOld && count <= maxAwaited && codes <= maxKnownCodes) continue;
    state.awaited.delete(id);
    if (!isSettled(awaited)) dropped.push(id);
  }
  if (dropped.length === 0) return;
  const named =
    dropped.length > 5 ? `${dropped.length} orders, among them ${dropped.slice(0, 5).join(', ')}` : dropped.join(', ');
  warn(`Stopped waiting for the missing license codes of these orders: ${named}.`);
};
