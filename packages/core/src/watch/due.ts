import { type OrderLicenseError, ownMessage } from '../base/errors.ts';
import { hasLicenseCodes } from '../model/order.ts';
import { compare, daySeconds, hourSeconds, isAwaiting, isSettled, isUnread, type Sighting } from './compare.ts';
import { mayPass, type Poll, take, Unsent, type Urgency, update } from './poll.ts';
import type { Known } from './state.ts';

/**
 * Maximum number of orders that one poll reads, by reason: they have probably changed, they are read again as planned,
 * an earlier read failed, or they were paid before they were watched.
 */
const most = { urgent: 250, again: 6, retried: 2, unread: 10 };
/** Maximum number of orders paid before the baseline that the first poll reads. */
const mostAtStart = 40;
/** Orders paid before the baseline are read, the newest first, as long as fewer orders than this wait for codes. */
const maxFromBefore = 1_500;
/** The first read of each kind that has been due for longer than this may use the reserve. */
const lateSeconds = 400;
/** After this many failures, a poll skips orders that failed before; after `maxFailures`, it reads no more orders. */
const maxRepeated = 2;
const maxFailures = 4;
/** An order that no list shows counts as removed if a read after this many failed ones returns 404. */
const maxTries = 3;
const maxWaitSeconds = 90 * daySeconds;
/** Maximum number of orders that wait for codes. */
const maxWaiting = 2_000;

type Kind = keyof typeof most;

/** Returns the time from which to read an order. */
const dueAt = ({ due, failed }: Known): number =>
  Math.max(Math.min(...Object.values(due).map((time) => time ?? Infinity)), failed?.retryAt ?? 0);

/** A read that has been due for an hour is urgent, so that a program that polls once a night reads all orders. */
const kindOf = (known: Known, now: number): Kind => {
  const { gone, news = gone } = known.due;
  if (known.failed) return 'retried';
  return news !== undefined || now - dueAt(known) > hourSeconds ? 'urgent' : 'again';
};

/**
 * Reads single orders: those that left their list, those with missing license codes, those with a status that no list
 * shows, those whose read failed before, and those paid before the baseline.
 */
export const readDue = async (poll: Poll): Promise<void> => {
  let failures = 0;
  for (const { id, kind, urgency } of nextReads(poll)) {
    if (failures >= (kind === 'retried' ? maxRepeated : maxFailures)) continue;
    try {
      await takeOrder(poll, { id, order: await poll.getOrder(id, urgency) });
    } catch (error) {
      if (error instanceof Unsent) return;
      // A list was read in this poll, so a temporary error concerns only this order.
      if (!mayPass(error)) throw error;
      failures += Number(takeFailure(poll, id, error));
    }
  }
};

/** Lists the orders to read, the most urgent first. Each kind has a maximum, so that no kind delays another. */
const nextReads = (poll: Poll): { id: string; kind: Kind; urgency: Urgency }[] => {
  const { orders, now } = poll.state;
  const planned = [...orders]
    .map(([id, known]) => ({ id, kind: kindOf(known, now), at: dueAt(known), isLast: isAwaiting(known) }))
    .filter(({ at }) => at <= now)
    // Reads for license codes, which take longer anyway, come after those for status changes. New orders are told
    // oldest first.
    .sort(
      (one, other) =>
        Number(one.isLast) - Number(other.isLast) || one.at - other.at || Number(one.id) - Number(other.id) || 0,
    );
  const unread = unreadOf(poll).map((id) => ({ id, kind: 'unread' as const, at: now }));
  const reads = (Object.keys(most) as Kind[]).flatMap((kind) => {
    const ofKind = [...planned, ...unread].filter((read) => read.kind === kind);
    const maximum = kind === 'unread' && poll.isStart ? mostAtStart : most[kind];
    poll.isCutShort ||= kind === 'urgent' && ofKind.length > maximum;
    return ofKind.slice(0, maximum).map(({ id, at }, index) => {
      const isUrgent = kind === 'urgent' || (index === 0 && now - at > lateSeconds);
      return { id, kind, urgency: isUrgent ? ('event' as const) : ('routine' as const) };
    });
  });
  return reads.sort((one, other) => Number(one.urgency === 'routine') - Number(other.urgency === 'routine'));
};

/**
 * Returns orders paid before they were watched: first those with the rarest delivery status, which probably still wait
 * for codes; among those with the same status, the newest first.
 */
const unreadOf = ({ state }: Poll): string[] => {
  const waiting = [...state.orders.values()].filter(isAwaiting).length;
  const unread = [...state.orders]
    .filter(([, { status, codes }]) => codes && !isSettled(codes) && hasLicenseCodes(status))
    .slice(0, Math.max(0, maxFromBefore - waiting))
    .filter(([, known]) => known.codes && isUnread(known.codes) && dueAt(known) === Infinity);
  const counts = new Map<string | undefined, number>();
  const countOf = ([, { codes }]: [string, Known]): number => counts.get(codes?.delivery) ?? 0;
  for (const one of unread) counts.set(one[1].codes?.delivery, countOf(one) + 1);
  return unread.sort((one, other) => countOf(one) - countOf(other)).map(([id]) => id);
};

const takeOrder = async (poll: Poll, { id, order }: Required<Pick<Sighting, 'id' | 'order'>>): Promise<void> => {
  const { terms, entries } = poll;
  const known = poll.state.orders.get(id) as Known;
  const sighting: Sighting = { id, order, entry: entries.get(id) };
  // An event needs the order's list entry, and so do codes of an order that left its list before they were old.
  const isUndecided = known.round === undefined && Number(known.codes?.oldAt) <= terms.now;
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
  const { state, entries, warn } = poll;
  const { now } = state;
  const known = state.orders.get(id) as Known;
  const { code, status, retryable } = error;
  const isMissing = code === 'not_found';
  warn(`Order ${id} could not be read; a later poll will try again: ${ownMessage(error)}`);
  const { tries, since } = known.failed ?? { tries: 0, since: now };
  const isFinal = retryable || isMissing ? undefined : (true as const);
  const failed = { tries: tries + 1, since, retryAt: now + Math.min(60 * 2 ** tries, hourSeconds), isFinal };
  update(state, id, { failed });
  const entry = entries.get(id);
  const isNew = known.reached < 0;
  const isListed = known.round !== undefined && known.leftAt === undefined;
  // An order that a list still shows may return 404 for a moment.
  if (isMissing && tries >= maxTries && !isListed && !isNew && !entry) state.orders.delete(id);
  else if (known.due.news !== undefined && (entry || isNew)) take(poll, { id, entry });
  // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
  return !isMissing && !(code === 'bad_request' && status === undefined);
};

/**
 * Keeps the state small: forgets orders that no watched list has shown for an hour, and stops waiting for license codes
 * after 90 days. If too many orders wait for codes, stops waiting first for complete orders, then for the oldest.
 */
export const dropOld = ({ state, warn }: Poll): void => {
  const { orders, now } = state;
  const since = ({ codes }: Known): number => codes?.since ?? 0;
  const isMissing = ({ due }: Known): boolean => due.codes !== undefined;
  const waiting = [...orders]
    .filter(([, known]) => isAwaiting(known))
    .sort(([, one], [, other]) => Number(isMissing(other)) - Number(isMissing(one)) || since(other) - since(one));
  const dropped = waiting.filter(([, known], index) => index >= maxWaiting || now - since(known) > maxWaitSeconds);
  for (const [id, { due }] of dropped) update(state, id, { codes: undefined, due: { ...due, codes: undefined } });
  const missing = dropped.filter(([, known]) => isMissing(known)).map(([id]) => id);
  if (missing.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${missing.join(', ')}.`);
  for (const [id, known] of orders) {
    const isUnsettled = known.codes !== undefined && !isSettled(known.codes);
    const isOld = now - (known.leftAt ?? now) > hourSeconds;
    if (!isOld || (!isUnsettled && dueAt(known) < Infinity)) continue;
    orders.delete(id);
    if (!isUnsettled) continue;
    const why = 'the order was not found in the list, so it is unknown whether they are new';
    warn(`License codes of order ${id} are not reported: ${why}.`);
  }
};
