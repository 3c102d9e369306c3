import { type OrderLicenseError, ownMessage } from '../base/errors.ts';
import { compare, isAwaiting, isDecidable, isSettled, isUnread, patienceSeconds, type Sighting } from './compare.ts';
import { isUnsent, mayPass, type Poll, take, type Urgency, update } from './poll.ts';
import { daySeconds, dueAt, hasLeft, hourSeconds, type Known, type WatchState } from './state.ts';

/**
 * Why an order is due, in the sequence in which a poll reads them, and how many orders of each kind it reads at most:
 * - `changed`: it has probably changed, or has waited for an hour. A program that polls once a night reads all of them
 * - `planned`: it is read again as planned
 * - `failed`: an earlier read failed
 * - `unread`: it was paid before it was watched
 */
const most = { changed: Infinity, planned: 6, failed: Infinity, unread: 10 };
/** If a planned read has been due for longer than this, it is needed. */
const lateSeconds = 400;
/** After this many failures, a poll reads no more orders. */
const maxFailures = 4;
const maxWaitSeconds = 90 * daySeconds;
/** Maximum number of orders that wait for codes, or for the first read of their codes. */
const maxWaiting = 2_000;

/** Reads single orders that are due. */
export const readDue = async (poll: Poll): Promise<void> => {
  let failures = 0;
  for (const { id, urgency } of nextReads(poll.state)) {
    if (failures >= maxFailures) return;
    try {
      await takeOrder(poll, { id, order: await poll.getOrder(id, urgency) });
    } catch (error) {
      if (isUnsent(error) && urgency === 'routine') continue;
      if (isUnsent(error)) return;
      // A list was read in this poll, so a temporary error concerns only this order.
      if (!mayPass(error)) throw error;
      failures += Number(takeFailure(poll, id, error));
    }
  }
};

const nextReads = ({ orders, now }: WatchState): { id: string; urgency: Urgency }[] => {
  const due = [...orders]
    .map(([id, known]) => {
      const at = dueAt(known);
      const isRead = !known.codes || !isUnread(known.codes);
      const hasChanged = Number(known.readAt) <= now || (isRead && now - at > hourSeconds);
      const urgency: Urgency = hasChanged || (isRead && now - at > lateSeconds) ? 'needed' : 'routine';
      const reason: keyof typeof most = isRead ? 'planned' : 'unread';
      return { id, at, urgency, kind: known.failed ? 'failed' : hasChanged ? 'changed' : reason };
    })
    .filter(({ at }) => at <= now);
  return Object.entries(most).flatMap(([kind, count]) => {
    const ofKind = due.filter((one) => one.kind === kind);
    // New orders are reported oldest first. Of the unread ones, the newest come first, as in the state.
    if (kind !== 'unread') ofKind.sort((one, other) => one.at - other.at || Number(one.id) - Number(other.id) || 0);
    return ofKind.slice(0, count);
  });
};

const takeOrder = async (poll: Poll, { id, order }: Required<Pick<Sighting, 'id' | 'order'>>): Promise<void> => {
  const { state, entries } = poll;
  const known = state.orders.get(id) as Known;
  const sighting: Sighting = { id, order, entry: entries.get(id) };
  // An event needs the order's list entry. So do codes if their order left its list before it was clear whether they
  // are new.
  const { events, known: after } = compare(known, sighting, poll);
  const isUndecided = !state.lists.has(after.status) && after.codes && isDecidable(after.codes, state.now);
  if (!sighting.entry && order && (isUndecided || events.length > 0)) {
    sighting.entry = await poll.findEntry(order);
  }
  take(poll, sighting);
};

/**
 * Plans another read of an order that could not be read, and reports what its list entry shows, unless this has to wait
 * for the details.
 * @returns whether the failure can concern other orders too
 */
const takeFailure = (poll: Poll, id: string, error: OrderLicenseError): boolean => {
  const { state, entries, warn } = poll;
  const { now } = state;
  const known = state.orders.get(id) as Known;
  const { code, status } = error;
  const isMissing = code === 'not_found';
  warn(`Order ${id} could not be read; a later poll will try again: ${ownMessage(error)}`);
  const { since } = known.failed ?? { since: now };
  const retryAt = now + Math.min(Math.max(60, now - since), hourSeconds);
  update(state, id, { failed: { since, retryAt } });
  const entry = entries.get(id);
  const isNew = known.reached < 0;
  // A copy that lags may lack an order, or return 404 for one that a list still shows.
  if (isMissing && now - since >= patienceSeconds && hasLeft(state, known) && !isNew && !entry) state.orders.delete(id);
  else if (known.readAt !== undefined && (entry || isNew)) take(poll, { id, entry });
  // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
  return !isMissing && !(code === 'bad_request' && status === undefined);
};

/** Keeps the state small. */
export const dropOld = async (poll: Poll): Promise<void> => {
  stopWaiting(poll);
  forget(poll);
};

/**
 * Stops waiting for license codes after 90 days. If too many orders wait, stops waiting first for complete orders, then
 * for unread ones whose delivery status is common, because they probably have their codes, then for the oldest.
 */
const stopWaiting = ({ state, warn }: Poll): void => {
  const { orders, now } = state;
  /** Number of unread orders with each delivery status. */
  const counts = new Map<string | undefined, number>();
  for (const { codes } of orders.values()) {
    if (codes && isUnread(codes)) counts.set(codes.delivery, (counts.get(codes.delivery) ?? 0) + 1);
  }
  const rankOf = (known: Known): number => {
    const { codes } = known;
    if (!codes || (isSettled(codes) && dueAt(known) === Infinity)) return -Infinity;
    return isUnread(codes) ? -Number(counts.get(codes.delivery)) : codes.since;
  };
  const dropped = [...orders]
    .filter(([, { codes }]) => codes)
    .sort(([, one], [, other]) => rankOf(other) - rankOf(one) || 0)
    .filter(
      ([, known], index) =>
        index >= maxWaiting || (isAwaiting(known) && now - Number(known.codes?.since) > maxWaitSeconds),
    );
  for (const [id] of dropped) update(state, id, { codes: undefined, codesAt: undefined });
  const missing = dropped.filter(([, known]) => isAwaiting(known) && known.codesAt !== undefined).map(([id]) => id);
  if (missing.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${missing.join(', ')}.`);
};

/** Forgets orders an hour after they left the watched lists, unless something is left to read. */
const forget = ({ state: { orders, lists, head, now }, warn }: Poll): void => {
  // A status list may have shown new orders that an unfinished catch-up has yet to pass.
  if (head?.gap) return;
  for (const [id, known] of orders) {
    const isUndecided = known.codes !== undefined && !isSettled(known.codes);
    const isOld = !lists.has(known.status) && now - (known.leftAt ?? now) > hourSeconds;
    // What has probably changed is reported first, however long its read fails or has to wait.
    if (!isOld || known.readAt !== undefined || (!isUndecided && dueAt(known) < Infinity)) continue;
    orders.delete(id);
    if (!isUndecided) continue;
    const why = 'the order was not found in the list, so it is unknown whether they are new';
    warn(`License codes of order ${id} are not reported: ${why}.`);
  }
};
