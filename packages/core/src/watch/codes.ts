import { hasLicenseCodes, type Order } from '../model/order.ts';
import { deliveryOf, unlisted } from './awaited.ts';
import { isWanted } from './events.ts';
import { isComplete, type NamedCode, namedCodes } from './named-codes.ts';
import type { Poll } from './poll.ts';
import type { Unread, Urgency } from './reads.ts';
import { forget, record } from './record.ts';
import type { Awaited, Watched } from './state.ts';
import { findEntry } from './tell.ts';

/** Orders per poll that are read again because codes are missing. */
const maxRepeats = 6;
/** Orders paid before the baseline that one poll reads if permits are free; the first poll reads more. */
const maxUnread = 10;
const maxUnreadAtStart = 40;
/** An order overdue for longer than this may use the reserve. */
const patienceSeconds = 240;
const daySeconds = 86_400;
const maxDays = 90;
const maxAwaited = 2_000;
const maxKnownCodes = 20_000;
/** Awaited orders among them reserved for orders paid after the baseline. */
const keptForNew = 500;

/** Reads orders that may have new license codes: one request each, repeated while codes are missing. */
export const readCodes = async (poll: Poll): Promise<void> => {
  const { memory } = poll;
  if (!memory.hasCodes) return memory.awaited.clear();
  if (await readDue(poll)) await readUnread(poll);
  dropExcess(poll);
};

/** @returns false if no request is left */
const readDue = async (poll: Poll): Promise<boolean> => {
  const { memory, now } = poll;
  const due = [...memory.awaited].filter(([id, awaited]) => isDue(awaited, now) && !memory.orders.get(id)?.before);
  due.sort(([, one], [, other]) => Number(other.isUrgent) - Number(one.isUrgent) || (one.due ?? 0) - (other.due ?? 0));
  let repeats = 0;
  for (const [id, awaited] of due) {
    const isLate = now - (awaited.due ?? now) > patienceSeconds;
    if (!awaited.isUrgent && ++repeats > maxRepeats) return true;
    const urgency = awaited.isUrgent || (isLate && repeats === 1) ? 'event' : 'routine';
    if (!(await readAwaited(poll, id, awaited, urgency))) return false;
  }
  return true;
};

/** A due time beyond the longest pause was set by a wrong clock. */
const isDue = (awaited: Awaited, now: number): boolean =>
  awaited.due !== undefined && (awaited.due <= now || awaited.due > now + pauseOf(awaited, now));

/** A quarter of the time waited so far: at least a minute, at most eight on the first day and thirty in the first week. */
const pauseOf = ({ since }: Awaited, now: number): number => {
  const waited = Math.max(0, now - since);
  const longest = waited < daySeconds ? 480 : waited < 7 * daySeconds ? 1_800 : Number.POSITIVE_INFINITY;
  return Math.max(60, Math.min(Math.floor(waited / 4), longest));
};

/** @returns false if no request is left */
const readAwaited = async (poll: Poll, id: string, awaited: Awaited, urgency: Urgency): Promise<boolean> => {
  const { memory, now, selection } = poll;
  const order = await readAndRecord(poll, id, urgency);
  if (!order) return false;
  const isRead = typeof order === 'object';
  if (isRead && hasLicenseCodes(order.status) !== true) return true;
  if (isRead && !(await reportCodes(poll, id, awaited, order))) {
    awaited.due = now + 60;
    return true;
  }
  const isDone = isRead && isWanted(selection, 'licenseCodeAvailable', order.status) && isComplete(order);
  awaited.isUrgent = order === 'failing' && awaited.isUrgent;
  awaited.due = isDone ? undefined : now + pauseOf(awaited, now);
  // It can get more codes than its quantity; while it is in a list, a change of its statuses shows that.
  if (isDone && !memory.orders.has(id)) memory.awaited.delete(id);
  return true;
};

/** Reads an order and records its status. @returns undefined if no request is left */
const readAndRecord = async (poll: Poll, id: string, urgency: Urgency): Promise<Order | Unread | undefined> => {
  const order = await poll.reads.getOrder(id, urgency);
  if (order === 'gone') {
    poll.memory.awaited.delete(id);
    forget(poll.memory, id);
  }
  if (!order || typeof order === 'string') return order;
  return (await record(poll, order)) ? order : undefined;
};

/** @returns false if the list entry, which events need, has not been found yet; nothing is reported then */
const reportCodes = async (poll: Poll, id: string, awaited: Awaited, order: Order): Promise<boolean> => {
  const { events, selection } = poll;
  const codes = namedCodes(order);
  const isNew = ({ name }: NamedCode): boolean => !awaited.known.has(name);
  if (codes.some(isNew) && isWanted(selection, 'licenseCodeAvailable', order.status)) {
    awaited.entrySince ??= poll.now;
    // Without the entry, nobody knows which codes it had before.
    const search = { since: awaited.before === undefined ? awaited.entrySince : poll.now };
    const entry = await findEntry(poll, id, search, order);
    if (entry) awaited.entrySince = undefined;
    if (!entry) return false;
    const { before } = awaited;
    const isSame = before === unlisted || before === deliveryOf(entry);
    if (before === undefined || !isSame) {
      for (const named of codes.filter(isNew)) {
        const { license_codes: _, ...item } = named.item;
        events.push({
          event: 'licenseCodeAvailable',
          eventId: `license-code:${id}:${named.name}`,
          order: { ...entry, status: order.status },
          item,
          code: named.code,
          ...(selection.withDetails.includes('licenseCodeAvailable') && { details: order }),
        });
        poll.isHurried = true;
      }
    }
    awaited.before = undefined;
    for (const { name } of codes) awaited.known.add(name);
  }
  return true;
};

/** Reads orders paid before they were watched, newest first: the rarest delivery status first, which still waits. */
const readUnread = async (poll: Poll): Promise<void> => {
  const { memory, isStart } = poll;
  const groups = new Map<string, [string, Watched][]>();
  for (const [id, watched] of memory.orders) {
    if (!watched.before || watched.before.isRead) continue;
    const { delivery } = watched.before;
    groups.set(delivery, [...(groups.get(delivery) ?? []), [id, watched]]);
  }
  const most = isStart ? maxUnreadAtStart : maxUnread;
  const rarestFirst = [...groups.values()].sort((one, other) => one.length - other.length);
  const unread = rarestFirst.flat();
  for (const [index, [id, watched]] of unread.slice(0, most).entries()) {
    if (await readBefore(poll, id, watched)) continue;
    return warnUnread(poll, unread.length - index);
  }
  warnUnread(poll, unread.length - most);
};

const warnUnread = ({ warnHourly }: Poll, count: number): void => {
  if (count <= 0) return;
  warnHourly(
    `${count} orders paid before are not read yet. License codes that they get before that may go unreported.`,
  );
};

/** @returns false if no request is left */
const readBefore = async (poll: Poll, id: string, watched: Watched): Promise<boolean> => {
  const { memory, now, warn } = poll;
  const { before } = watched;
  const order = await readAndRecord(poll, id, 'routine');
  if (!order) return false;
  if (!before || order === 'failing') return true;
  before.isRead = true;
  if (typeof order === 'string' || watched.before !== before) return true;
  const codes = namedCodes(order);
  if (codes.length === 0) watched.before = undefined;
  if (isComplete(order)) return true;
  if (memory.awaited.size >= maxAwaited - keptForNew) {
    warn(`Not waiting for the missing license codes of order ${id}: too many orders lack some.`);
    return true;
  }
  const known = new Set(codes.map(({ name }) => name));
  memory.awaited.set(id, { since: now, due: now + 60, isUrgent: false, states: '', known, before: undefined });
  return true;
};

/** Keeps the state small: drops orders after 90 days, and if there are too many, complete ones first, then the oldest. */
const dropExcess = ({ memory, now, warn }: Poll): void => {
  let codes = 0;
  let count = 0;
  const dropped: string[] = [];
  const isSettled = ({ due }: Awaited): number => Number(due === undefined);
  const newestFirst = [...memory.awaited].sort(
    ([, one], [, other]) => isSettled(one) - isSettled(other) || other.since - one.since,
  );
  for (const [id, awaited] of newestFirst) {
    count += 1;
    codes += awaited.known.size;
    if (now - awaited.since <= maxDays * daySeconds && count <= maxAwaited && codes <= maxKnownCodes) continue;
    memory.awaited.delete(id);
    if (!isSettled(awaited)) dropped.push(id);
  }
  if (dropped.length === 0) return;
  const named = dropped.slice(0, 5).join(', ');
  const rest = dropped.length > 5 ? ` and ${dropped.length - 5} others` : '';
  warn(`Stopped waiting for the missing license codes of these orders: ${named}${rest}.`);
};
