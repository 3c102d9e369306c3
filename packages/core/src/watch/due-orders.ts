import { type OrderLicenseError, ownMessage } from '../base/errors.ts';
import { hasLicenseCodes } from '../model/order.ts';
import { compare, isAwaiting, isDecidable, isSettled, isUnread, patienceSeconds, type Sighting } from './compare.ts';
import { isUnsent, mayPass, type Poll, take, type Urgency, update } from './poll.ts';
import { daySeconds, dueAt, hourSeconds, type Known } from './state.ts';

/** Maximum number of orders that one poll reads again as planned. */
const mostAgain = 6;
/** Maximum number of orders paid before the baseline that the first poll and each later one read. */
const mostUnread = { first: 40, later: 10 };
/** Orders paid before the baseline are read as long as fewer paid orders than this have been read or are new. */
const maxFromBefore = 1_500;
/** If a planned read has been due for longer than this, the first one may use the reserve. */
const lateSeconds = 400;
/** After this many failures, a poll reads no more orders. Those that failed before come last. */
const maxFailures = 4;
const maxWaitSeconds = 90 * daySeconds;
/** Maximum number of orders that wait for codes. */
const maxWaiting = 2_000;

/**
 * Reads single orders: those that left their list or went a step back, those that an event needs as a whole, those with
 * missing license codes, those with a status that no list shows, those whose read failed before, and those paid before
 * the baseline.
 */
export const readDue = async (poll: Poll): Promise<void> => {
  let failures = 0;
  for (const { id, urgency } of nextReads(poll)) {
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

/** Lists the orders to read: first those that have probably changed, and of each other kind a few. */
const nextReads = (poll: Poll): { id: string; urgency: Urgency }[] => {
  const { orders, now } = poll.state;
  const due = [...orders]
    .map(([id, known]) => {
      const at = dueAt(known);
      const { gone, news = gone } = known.due;
      // A program that polls once a night reads all orders that are due.
      const urgency: Urgency = news !== undefined || now - at > hourSeconds ? 'needed' : 'routine';
      return { id, at, urgency, hasFailed: known.failed !== undefined };
    })
    .filter(({ at }) => at <= now)
    // New orders are told oldest first.
    .sort((one, other) => one.at - other.at || Number(one.id) - Number(other.id) || 0);
  const planned = due.filter(({ hasFailed }) => !hasFailed);
  const urgent = planned.filter(({ urgency }) => urgency === 'needed');
  const again = planned.filter(({ urgency }) => urgency === 'routine').slice(0, mostAgain);
  if (again[0] && now - again[0].at > lateSeconds) again[0].urgency = 'needed';
  const unread = unreadOf(poll).map((id) => ({ id, urgency: 'routine' as const }));
  return [...urgent, ...again, ...due.filter(({ hasFailed }) => hasFailed), ...unread];
};

/**
 * Returns orders paid before they were watched: first those with the rarest delivery status, which probably still wait
 * for codes; among those with the same status, the newest first.
 */
const unreadOf = ({ state: { orders, now }, isStart }: Poll): string[] => {
  const paid = [...orders].filter(([, { status }]) => hasLicenseCodes(status));
  const unread = paid.filter(([, { codes }]) => codes && isUnread(codes));
  const left = Math.max(0, maxFromBefore - (paid.length - unread.length));
  const counts = new Map<string | undefined, number>();
  const countOf = ([, { codes }]: [string, Known]): number => counts.get(codes?.delivery) ?? 0;
  for (const one of unread) counts.set(one[1].codes?.delivery, countOf(one) + 1);
  const next = unread.filter(([, known]) => dueAt(known) === Infinity && (known.failed?.retryAt ?? 0) <= now);
  next.sort((one, other) => countOf(one) - countOf(other));
  return next.slice(0, Math.min(left, isStart ? mostUnread.first : mostUnread.later)).map(([id]) => id);
};

const takeOrder = async (poll: Poll, { id, order }: Required<Pick<Sighting, 'id' | 'order'>>): Promise<void> => {
  const { terms, entries } = poll;
  const known = poll.state.orders.get(id) as Known;
  const sighting: Sighting = { id, order, entry: entries.get(id) };
  // An event needs the order's list entry, and so do codes of an order that left its list before they were old.
  const isUndecided = !terms.isListed(known.status) && known.codes && isDecidable(known.codes, terms.now);
  if (!sighting.entry && order && (isUndecided || compare(known, sighting, terms).events.length > 0)) {
    sighting.entry = await poll.findEntry(order);
  }
  take(poll, sighting);
};

/**
 * Plans to read an order again that could not be read, and reports what its list entry shows, as far as this need not
 * wait for the details.
 * @returns whether the failure can concern other orders too
 */
const takeFailure = (poll: Poll, id: string, error: OrderLicenseError): boolean => {
  const { state, entries, terms, warn } = poll;
  const { now } = state;
  const known = state.orders.get(id) as Known;
  const { code, status, retryable } = error;
  const isMissing = code === 'not_found';
  warn(`Order ${id} could not be read; a later poll will try again: ${ownMessage(error)}`);
  const { since } = known.failed ?? { since: now };
  const retryAt = now + Math.min(Math.max(60, now - since), hourSeconds);
  const isFinal = retryable || isMissing ? undefined : (true as const);
  update(state, id, { failed: { since, retryAt, isFinal } });
  const entry = entries.get(id);
  const isNew = known.reached < 0;
  const isListed = terms.isListed(known.status) && known.unlistedSince === undefined;
  // A copy that lags may lack an order, or return 404 for one that a list still shows.
  if (isMissing && now - since >= patienceSeconds && !isListed && !isNew && !entry) state.orders.delete(id);
  else if (known.due.news !== undefined && (entry || isNew)) take(poll, { id, entry });
  // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
  return !isMissing && !(code === 'bad_request' && status === undefined);
};

/**
 * Keeps the state small: forgets orders an hour after they left the watched lists, and stops waiting for license codes
 * after 90 days. If too many orders wait for codes, stops waiting first for complete orders, then for the oldest.
 */
export const dropOld = ({ state, terms, warn }: Poll): void => {
  const { orders, now } = state;
  const rankOf = ({ due, codes }: Known): number => (due.codes === undefined ? 0 : 1e12) + (codes?.since ?? 0);
  const dropped = [...orders]
    .filter(([, known]) => isAwaiting(known))
    .sort(([, one], [, other]) => rankOf(other) - rankOf(one))
    .filter(([, { codes }], index) => index >= maxWaiting || now - Number(codes?.since) > maxWaitSeconds);
  for (const [id, { due }] of dropped) update(state, id, { codes: undefined, due: { ...due, codes: undefined } });
  const missing = dropped.filter(([, { due }]) => due.codes !== undefined).map(([id]) => id);
  if (missing.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${missing.join(', ')}.`);
  for (const [id, known] of orders) {
    const isUnsettled = known.codes !== undefined && !isSettled(known.codes);
    const isOld = !terms.isListed(known.status) && now - (known.unlistedSince ?? now) > hourSeconds;
    // What has probably changed is told first, however long its read fails or has to wait.
    const isUntold = known.due.gone !== undefined || known.due.news !== undefined;
    if (!isOld || isUntold || (!isUnsettled && dueAt(known) < Infinity)) continue;
    orders.delete(id);
    if (!isUnsettled) continue;
    const why = 'the order was not found in the list, so it is unknown whether they are new';
    warn(`License codes of order ${id} are not reported: ${why}.`);
  }
};
