import type { Order } from '@order-license/core/portable';
import { codesOf, positionsOf } from '../../shared/output';
import { plainId } from '../plain-id';
import type { Poll } from '../poll';
import { isUnreadable } from '../poll-errors';
import type { Urgency } from '../poll-requests';
import type { AwaitedOrder, WatchedOrder } from '../state/trigger-state';
import { isPaidOrCompleted, isWanted, licenseCodeAvailable, type PlacedCode } from '../trigger-event';
import { recordOrder } from './record-order';

/** Orders that one poll reads again because their codes are not all there. */
const maxRepeats = 6;
/** Orders that one poll reads for the first time because they were there before, if nobody else needs the key. */
const maxUnread = 10;
/** An order that is due for so long is worth a permit of the reserve, s. */
const patienceSeconds = 240;
const daySeconds = 86_400;
const maxDays = 90;
/** Orders whose codes are awaited, and codes of theirs that are there: more do not fit in a state. */
const maxAwaited = 2_000;
const maxKnownCodes = 20_000;

/** Reads the orders that may have new license codes: one request each, and again while codes are missing. */
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
  const due = [...state.awaited].filter(([, awaited]) => isDue(awaited, now));
  due.sort(([, one], [, other]) => Number(other.isUrgent) - Number(one.isUrgent) || one.due - other.due);
  let repeats = 0;
  for (const [id, awaited] of due) {
    const isLate = now - awaited.due > patienceSeconds;
    if (!awaited.isUrgent && (++repeats > (isBusy ? 1 : maxRepeats) || (isBusy && !isLate))) return true;
    if (!(await readCodes(poll, id, awaited, awaited.isUrgent || (isLate && repeats === 1) ? 'event' : 'routine')))
      return false;
  }
  return true;
};

/** A time further ahead than any wait was set while the clock was wrong. */
const isDue = (awaited: AwaitedOrder, now: number): boolean =>
  awaited.due <= now || awaited.due > now + waitFor(awaited, now);

/** An eighth of the time that it has been waited for; on the first day at most eight minutes. */
const waitFor = ({ since }: AwaitedOrder, now: number): number => {
  const waited = Math.max(0, now - since);
  return Math.max(60, Math.min(waited / 8, waited < daySeconds ? 480 : Number.POSITIVE_INFINITY));
};

/** @returns false if no request is left */
const readCodes = async (poll: Poll, id: string, awaited: AwaitedOrder, urgency: Urgency): Promise<boolean> => {
  const { state, requests, subscription, now, warn } = poll;
  const order = await requests.getOrder(id, urgency).catch((error: unknown) => {
    if (!isUnreadable(error)) return Promise.reject(error);
    if (error.code === 'not_found') state.awaited.delete(id);
    else warn(`The license codes of order ${id} cannot be read and are tried again later: ${error.message}`);
    return unreadable;
  });
  if (order !== unreadable) {
    if (!order || !(await recordOrder(poll, order, false))) return false;
    if (!isPaidOrCompleted(order.status)) state.awaited.delete(id);
    else if (isWanted(subscription, 'licenseCodesAvailable', order.status)) takeCodes(poll, id, awaited, order);
  }
  awaited.isUrgent = false;
  awaited.due = now + waitFor(awaited, now);
  return true;
};

const unreadable = Symbol();

const takeCodes = (poll: Poll, id: string, awaited: AwaitedOrder, order: Order): void => {
  const { state, events } = poll;
  const codes = placedCodes(order);
  if (awaited.known) {
    const { known } = awaited;
    const fresh = codes.filter(({ positionId, codeId }) => !known.get(positionId)?.has(codeId));
    for (const code of fresh) events.push(licenseCodeAvailable(order, code));
  }
  const known = awaited.known ?? new Map<string, Set<string>>();
  for (const { positionId, codeId } of codes) known.set(positionId, (known.get(positionId) ?? new Set()).add(codeId));
  awaited.known = known;
  if (isComplete(order)) state.awaited.delete(id);
};

const placedCodes = (order: Order): PlacedCode[] =>
  positionsOf(order).flatMap((position, place) =>
    codesOf(position).map((code, index) => {
      return {
        position,
        positionId: plainId(position.id ?? place),
        code,
        codeId: code.id == null ? `${plainId(position.id ?? place)}.${index}` : plainId(code.id),
      };
    }),
  );

/** Whether each position has as many codes as pieces. */
const isComplete = (order: Order): boolean =>
  positionsOf(order).every((position) => codesOf(position).length >= Math.max(1, Number(position.menge) || 0));

/**
 * Orders that were paid before they were watched. Those whose states in the list are rare come first: where most orders
 * have their codes, it is the others that wait for them. Then the newest.
 */
const readUnread = async (poll: Poll): Promise<void> => {
  const { state, now } = poll;
  const groups = new Map<number, [string, WatchedOrder][]>();
  for (const entry of state.orders) {
    const { unread } = entry[1];
    if (unread === undefined) continue;
    const group = groups.get(unread);
    if (group) group.push(entry);
    else groups.set(unread, [entry]);
  }
  const rarestFirst = [...groups.values()].sort((one, other) => one.length - other.length);
  const chosen = rarestFirst.flatMap((group) => group.slice(-maxUnread).reverse()).slice(0, maxUnread);
  for (const [id, order] of chosen) {
    const awaited: AwaitedOrder = { since: now, due: now, isUrgent: false, fingerprint: '', known: undefined };
    state.awaited.set(id, awaited);
    if (await readCodes(poll, id, awaited, 'spare')) order.unread = undefined;
    else {
      state.awaited.delete(id);
      return;
    }
  }
};

/** Keeps the state small: the oldest go first, after 90 days all of them. */
const dropExcess = ({ state, now, warn }: Poll): void => {
  let codes = 0;
  let count = 0;
  const dropped: string[] = [];
  const newestFirst = [...state.awaited].sort(([, one], [, other]) => other.since - one.since);
  for (const [id, { since, known }] of newestFirst) {
    count += 1;
    for (const ids of known?.values() ?? []) codes += ids.size;
    const isOld = now - since > maxDays * daySeconds;
    if (!isOld && count <= maxAwaited && codes <= maxKnownCodes) continue;
    state.awaited.delete(id);
    dropped.push(id);
  }
  if (dropped.length === 0) return;
  const named =
    dropped.length > 5 ? `${dropped.length} orders, among them ${dropped.slice(0, 5).join(', ')}` : dropped.join(', ');
  warn(`No longer waiting for the missing license codes of these orders: ${named}.`);
};
