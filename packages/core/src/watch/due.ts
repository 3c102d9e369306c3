import { type OrderLicenseError, ownMessage } from '../base/errors.ts';
import { hasLicenseCodes, type StatusFilter } from '../model/order.ts';
import { compare, daySeconds, hourSeconds, isAwaiting, patienceSeconds, type Sighting } from './compare.ts';
import { mayPass, type Poll, take, Unsent, type Urgency, update } from './poll.ts';
import type { Known, Read } from './state.ts';

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
/** Maximum weight of the orders that wait for codes: each weighs ten, and one more for each known code. */
const maxWeight = 20_000;

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
      if (error instanceof Unsent) {
        poll.isCutShort ||= kind === 'urgent' || kind === 'again';
        return;
      }
      // A list was read in this poll, so a temporary error concerns only this order.
      if (!mayPass(error)) throw error;
      failures += Number(takeFailure(poll, id, error));
    }
  }
};

type Kind = keyof typeof most;

const kindOf = ({ tries, isUrgent }: Read): Kind => (tries ? 'retried' : isUrgent ? 'urgent' : 'again');

/** Lists the orders to read, the most urgent first. Each kind has a maximum, so that no kind delays another. */
const nextReads = (poll: Poll): { id: string; kind: Kind; urgency: Urgency }[] => {
  const { orders, now } = poll.state;
  const due = [...orders].flatMap(([id, order]) =>
    order.read && order.read.due <= now
      ? [{ id, due: order.read.due, kind: kindOf(order.read), isAwaiting: isAwaiting(order) }]
      : [],
  );
  // Reads for license codes, which take longer anyway, come after those for status changes. New orders are told oldest
  // first.
  due.sort(
    (one, other) =>
      Number(one.isAwaiting) - Number(other.isAwaiting) ||
      one.due - other.due ||
      Number(one.id) - Number(other.id) ||
      0,
  );
  const unread = unreadOf(poll).map((id) => ({ id, due: now, kind: 'unread' as const }));
  const maximum = { ...most, unread: poll.isStart ? mostAtStart : most.unread };
  const counts = { urgent: 0, again: 0, retried: 0, unread: 0 };
  const reads = [...due, ...unread].flatMap(({ id, due, kind }) => {
    const count = counts[kind]++;
    const isLate = now - due > lateSeconds;
    const isUrgent = kind === 'urgent' || (isLate && count === 0);
    const isTaken = count < maximum[kind] || (kind === 'again' && isLate);
    return isTaken ? [{ id, kind, urgency: isUrgent ? ('event' as const) : ('routine' as const) }] : [];
  });
  poll.isCutShort ||= counts.urgent > maximum.urgent;
  const kinds = Object.keys(counts);
  const placeOf = ({ kind, urgency }: (typeof reads)[0]): number =>
    (urgency === 'event' ? 0 : kinds.length) + kinds.indexOf(kind);
  return reads.sort((one, other) => placeOf(one) - placeOf(other));
};

/**
 * Returns orders paid before they were watched: first those with the rarest delivery status, which probably still wait
 * for codes; among those with the same status, the newest first.
 */
const unreadOf = ({ state }: Poll): string[] => {
  const before = [...state.orders].filter(([, { status, codes }]) => codes?.before && hasLicenseCodes(status));
  const waiting = [...state.orders.values()].filter(isAwaiting).length;
  const unread = before
    .slice(0, Math.max(0, maxFromBefore - waiting))
    .filter(([, { codes, read }]) => codes?.before?.at === undefined && !read);
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
  const isUndecided = known.round === undefined && terms.now - Number(known.codes?.before?.at) >= patienceSeconds;
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
  const { state, terms, entries, selection, warn } = poll;
  const known = state.orders.get(id) as Known;
  const { code, status, retryable } = error;
  const isMissing = code === 'not_found';
  warn(`Order ${id} could not be read; a later poll will try again: ${ownMessage(error)}`);
  const { tries = 0, failingSince = state.now } = known.read ?? {};
  const read = {
    ...known.read,
    due: state.now + Math.min(60 * 2 ** tries, hourSeconds),
    tries: tries + 1,
    failingSince,
  };
  update(state, id, { read });
  const entry = entries.get(id);
  const isListed = known.round !== undefined && known.leftAt === undefined;
  // An order that a list still shows may return 404 for a moment.
  if (isMissing && tries >= maxTries && !isListed && !known.isNew && !entry) state.orders.delete(id);
  else if (entry || known.isNew) {
    const sighting = { id, entry, isFinal: !retryable && !isMissing };
    const { events } = compare(state.orders.get(id), sighting, terms);
    if (events.some(({ event }) => selection.withDetails.includes(event)))
      warn(`Order ${id} is reported without its details, which could not be read.`);
    if (events.length > 0) take(poll, sighting);
  }
  // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
  return !isMissing && !(code === 'bad_request' && status === undefined);
};

/**
 * Keeps the state small: forgets orders that no watched list has shown for an hour, and stops waiting for license codes
 * after 90 days. If too many orders wait for codes, stops waiting first for complete orders, then for the oldest.
 */
export const dropOld = (poll: Poll): void => {
  const { state, warn, limits } = poll;
  const { orders, lists, now } = state;
  const since = ({ codes }: Known): number => codes?.since ?? 0;
  const waiting = [...orders]
    .filter(([, order]) => isAwaiting(order))
    .sort(([, one], [, other]) => Number(Boolean(other.read)) - Number(Boolean(one.read)) || since(other) - since(one));
  const dropped: string[] = [];
  let weight = 0;
  for (const [id, order] of waiting) {
    const own = 10 + (order.codes?.known.length ?? 0);
    if (weight + own <= maxWeight && now - since(order) <= maxWaitSeconds) {
      weight += own;
      continue;
    }
    if (order.read) dropped.push(id);
    if (lists.has(order.status as StatusFilter)) update(state, id, { codes: undefined, read: undefined });
    else orders.delete(id);
  }
  if (dropped.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${dropped.join(', ')}.`);
  let late = 0;
  for (const [id, { leftAt = now, read, codes }] of orders) {
    if (read?.isUrgent && now - (read.failingSince ?? read.due) >= patienceSeconds) late += 1;
    if (now - leftAt <= hourSeconds) continue;
    if (codes?.before) {
      warn(
        `License codes of order ${id} are not reported: the order was not found in the list, so it is unknown whether they are new.`,
      );
    } else if (read) continue;
    orders.delete(id);
  }
  const waiters = late === 1 ? '1 order has' : `${late} orders have`;
  const why = 'because of failed reads or the rate limit. Later polls try again.';
  if (late > 0) limits.set('late', `${waiters} waited for more than ten minutes to be read, ${why}`);
  const unread = unreadOf(poll).length;
  const loss = 'License codes that arrive before an order is first read may not be reported.';
  if (unread > 0) {
    limits.set('unread', `${unread} orders paid before the baseline have not been read yet. ${loss}`);
  }
};
