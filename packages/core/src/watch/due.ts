import { ownMessage, retryableCodes } from '../base/errors.ts';
import { hasLicenseCodes, type StatusFilter } from '../model/order.ts';
import { compare, isAwaiting, patienceSeconds, type Sighting } from './compare.ts';
import { forget, mayPass, type Poll, take, Unsent, type Urgency, update } from './poll.ts';
import type { Known, Read } from './state.ts';

/**
 * Maximum number of orders that one poll reads, by reason: they have probably changed, they are read again as planned, an earlier read failed, or
 * they were paid before they were watched.
 */
const most = { urgent: 250, again: 6, retried: 2, unread: 10 };
/** Maximum number of orders paid before the baseline that the first poll reads. */
const mostAtStart = 40;
/** Orders paid before the baseline are read, the newest first, as long as fewer orders than this wait for codes. */
const maxFromBefore = 1_500;
/** If a read has been due for longer than this, it does not count toward `most`, and one of each kind may use the reserve. */
const lateSeconds = 400;
/** After this many failures, a poll skips orders that failed before; after `maxFailures`, it reads no more orders. */
const maxRepeated = 2;
const maxFailures = 4;
/** Number of reads in a row that may return 404 before an order counts as removed. */
const maxMisses = 3;
const hourSeconds = 3_600;
const maxWaitSeconds = 90 * 86_400;
/** Maximum weight of the orders that wait for codes: each weighs ten, and one more for each known code. */
const maxWeight = 20_000;

/**
 * Reads single orders: those that left their list, those with missing license codes, those with a status that no list
 * shows, those whose read failed before, and those paid before the baseline.
 */
export const readDue = async (poll: Poll): Promise<void> => {
  let failures = 0;
  const { state } = poll;
  for (const { id, urgency } of nextReads(poll)) {
    const tries = state.orders.get(id)?.read?.tries ?? 0;
    if (failures >= (tries > 0 ? maxRepeated : maxFailures)) continue;
    try {
      failures += Number(!(await readOrder(poll, id, urgency)));
    } catch (error) {
      if (!(error instanceof Unsent)) throw error;
      // Reads in the background, of orders paid before the baseline, are never due.
      poll.isCutShort ||= tries === 0 && state.orders.get(id)?.read !== undefined;
      return;
    }
  }
};

interface NextRead {
  id: string;
  urgency: Urgency;
}

const nextReads = (poll: Poll): NextRead[] => {
  const { orders, now } = poll.state;
  /**
   * Sorts reads for status changes before reads for license codes, which take longer anyway. Failed reads are sorted
   * only by when they are due.
   */
  const due = [...orders]
    .flatMap(([id, order]) => (order.read && order.read.due <= now ? [{ id, order, read: order.read }] : []))
    .sort((one, other) => rankOf(one.order) - rankOf(other.order) || one.read.due - other.read.due);
  // Each kind of read has its own maximum, and the first late read of a kind does not wait for an export, so that no
  // kind delays another.
  const taken = (['urgent', 'again', 'retried'] as const).flatMap((kind) =>
    due
      .filter(({ read }) => kindOf(read) === kind)
      .filter(({ read }, index) => index < most[kind] || (kind === 'again' && now - read.due > lateSeconds))
      .map(({ id, read }, index): NextRead => {
        const isLate = index === 0 && now - read.due > lateSeconds;
        return { id, urgency: read.isUrgent || isLate ? 'event' : 'routine' };
      }),
  );
  poll.isCutShort ||= due.filter(({ read }) => kindOf(read) === 'urgent').length > most.urgent;
  const unread = unreadOf(poll).slice(0, poll.isStart ? mostAtStart : most.unread);
  return [
    ...taken.filter(({ urgency }) => urgency === 'event'),
    ...taken.filter(({ urgency }) => urgency === 'routine'),
    ...unread.map((id) => ({ id, urgency: 'routine' as const })),
  ];
};

const rankOf = (order: Known): number => Number(!order.read?.tries && isAwaiting(order));

const kindOf = ({ tries, isUrgent }: Read) => (tries ? 'retried' : isUrgent ? 'urgent' : 'again');

/**
 * Returns orders paid before they were watched: first those with the rarest delivery status, which probably still wait
 * for codes; among those with the same status, the newest first.
 */
const unreadOf = ({ state }: Poll): string[] => {
  const before = [...state.orders].filter(([, { status, codes }]) => codes?.before && hasLicenseCodes(status));
  const waiting = [...state.orders.values()].filter(isAwaiting).length;
  const newest = before.slice(0, Math.max(0, maxFromBefore - waiting));
  const unread = newest.filter(([, { codes, read }]) => codes?.before?.at === undefined && !read);
  const counts = new Map<string, number>();
  const countOf = ([, { codes }]: [string, Known]): number => counts.get(codes?.delivery ?? '') ?? 0;
  for (const entry of unread) counts.set(entry[1].codes?.delivery ?? '', countOf(entry) + 1);
  return unread.sort((one, other) => countOf(one) - countOf(other)).map(([id]) => id);
};

/**
 * Reads an order and takes over what has changed.
 * @returns false if the API fails for this order
 */
const readOrder = async (poll: Poll, id: string, urgency: Urgency): Promise<boolean> => {
  const { state, terms, entries } = poll;
  const known = state.orders.get(id);
  const order = await poll.getOrder(id, urgency).catch((error: unknown) => failed(poll, id, error));
  if (!order) return false;
  if (typeof order !== 'object') return true;
  const sighting: Sighting = { id, order, entry: entries.get(id) };
  const first = state.orders.get(id)?.codes?.before?.at;
  const isUndecided =
    first !== undefined && terms.now - first >= patienceSeconds && !terms.isListed(known?.status ?? '');
  // An event needs the order's list entry. Searching for it is left out if there is no event.
  if (!sighting.entry && (isUndecided || compare(known, sighting, terms).events.length > 0)) {
    sighting.entry = await poll.findEntry(order);
  }
  take(poll, sighting);
  return true;
};

/**
 * Plans to read an order again that could not be read. Once its events have waited for ten minutes, reports them
 * without its details.
 * @returns undefined if the API fails, which also concerns other orders
 */
const failed = (poll: Poll, id: string, error: unknown): 'skipped' | undefined => {
  // A list was read in this poll, so a temporary error concerns only this order.
  if (!mayPass(error)) throw error;
  const { state, warn, entries } = poll;
  const { code, status } = error;
  const known = state.orders.get(id) as Known;
  const { read } = known;
  const tries = read?.tries ?? 0;
  const misses = code === 'not_found' ? (read?.misses ?? 0) + 1 : 0;
  warn(
    `Order ${id} could not be read; a later poll will try again: ${error.message}`.replace(
      error.message,
      ownMessage(error),
    ),
  );
  const next: Read = {
    ...read,
    due: state.now + Math.min(60 * 2 ** tries, hourSeconds),
    tries: tries + 1,
    misses,
    failingSince: read?.failingSince ?? state.now,
    isHopeless: (!retryableCodes.has(code) && code !== 'not_found') || undefined,
  };
  update(state, id, { read: next });
  const isListed = [...state.lists.values()].some(({ seen, unseen }) => seen.has(id) || unseen.has(id));
  // An order that a list still shows may return 404 for a moment.
  if (misses > maxMisses && !isListed && !known.isNew && !entries.has(id)) forget(state, id);
  else tellWithoutDetails(poll, id);
  // A missing order does not mean that the API fails, and an ID that cannot be requested costs nothing.
  return code === 'not_found' || (code === 'bad_request' && status === undefined) ? 'skipped' : undefined;
};

/** Reports what the list entry of an unreadable order shows, as far as its events need not wait for the details. */
const tellWithoutDetails = (poll: Poll, id: string): void => {
  const { state, terms, entries, selection, warn } = poll;
  const known = state.orders.get(id);
  const entry = entries.get(id);
  if (!known || (!entry && !known.isNew)) return;
  const { events } = compare(known, { id, entry }, terms);
  if (events.length === 0) return;
  if (events.some(({ event }) => selection.withDetails.includes(event)))
    warn(`Order ${id} is reported without its details, which could not be read.`);
  take(poll, { id, entry });
  if (state.orders.get(id)?.codes && known.read) update(state, id, { read: known.read });
};

/**
 * Keeps the state small: forgets orders that no watched list has shown for an hour, and stops waiting for license codes
 * after 90 days. If too many orders wait for codes, stops waiting first for complete orders, then for the oldest.
 */
export const dropOld = (poll: Poll): void => {
  const { state, warn, warnHourly } = poll;
  const { orders, lists, now } = state;
  warnWaiting(poll);
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
    else forget(state, id);
  }
  if (dropped.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${dropped.join(', ')}.`);
  for (const [id, { leftAt = now, read, codes }] of orders) {
    if (now - leftAt <= hourSeconds) continue;
    if (codes?.before) {
      warn(
        `License codes of order ${id} are not reported: the order was not found in the list, so it is unknown whether they are new.`,
      );
    } else if (read) continue;
    forget(state, id);
  }
  const unread = unreadOf(poll).length;
  if (unread === 0) return;
  warnHourly(
    'unread',
    `${unread} orders paid before the baseline have not been read yet. License codes that arrive before an order is first read may not be reported.`,
  );
};

const warnWaiting = ({ state: { orders, now }, warnHourly }: Poll): void => {
  const late = [...orders.values()].filter(
    ({ read }) => read?.isUrgent && now - (read.failingSince ?? read.due) >= patienceSeconds,
  ).length;
  if (late === 0) return;
  warnHourly(
    'late',
    `${late === 1 ? '1 order has' : `${late} orders have`} waited for more than ten minutes to be read, because of failed reads or the rate limit. Later polls try again.`,
  );
};
