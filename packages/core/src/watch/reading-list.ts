import type { StatusFilter } from '../model/order.ts';
import { maxAwaited } from './codes.ts';
import { isDue, readLater, type SingleRead } from './reads.ts';
import { forget, recordOrder } from './record.ts';
import type { Memory, Poll, Watched } from './state.ts';

/** Orders that one poll reads because they have probably changed, again, and because they were paid before. */
const most = { urgent: 20, again: 6, unread: 10 };
/** Orders paid before the baseline that the first poll reads. */
const mostAtStart = 40;
/** One order overdue for longer than this may use the reserve. */
const patienceSeconds = 240;
const maxDays = 90;
const daySeconds = 86_400;
const maxKnownCodes = 20_000;

/**
 * Reads orders by themselves: those that left their list, those with missing license codes, those with a status that no
 * list shows, those whose read failed before, and those paid before the baseline.
 */
export const readSingles = async (poll: Poll): Promise<void> => {
  const { memory, reads, now } = poll;
  dropUnneeded(memory);
  planUnread(poll);
  const due = [...memory.toRead].filter(([id, read]) => memory.orders.has(id) && isDue(read, now));
  // A change of status comes before license codes, which wait for longer anyway.
  const rankOf = (id: string, { isUrgent }: SingleRead): number =>
    (isUrgent ? 0 : 2) + (memory.orders.get(id)?.codes ? 1 : 0);
  due.sort(([id, one], [otherId, other]) => rankOf(id, one) - rankOf(otherId, other) || one.due - other.due);
  const left = { ...most, unread: mostUnread(poll) };
  for (const [id, read] of due) {
    const why = read.isUrgent ? 'urgent' : isUnread(memory.orders.get(id)) ? 'unread' : 'again';
    const isLate = why === 'again' && left.again === most.again && now - read.due > patienceSeconds;
    if (left[why]-- <= 0) continue;
    const order = await reads.getOrder(id, read.isUrgent || isLate ? 'event' : 'routine');
    if (order === undefined) break;
    if (order === 'gone') forget(memory, id);
    else if (typeof order === 'object') recordOrder(poll, order);
  }
  warnUnread(poll);
  dropExcess(poll);
};

const dropUnneeded = ({ toRead, orders, held }: Memory): void => {
  for (const id of toRead.keys()) if (!orders.has(id) && !held.some((event) => event.id === id)) toRead.delete(id);
};

const isUnread = (order: Watched | undefined): boolean => order?.before?.isRead === false;

const mostUnread = ({ isStart }: Poll): number => (isStart ? mostAtStart : most.unread);

/** Plans to read orders paid before they were watched, newest first: the rarest delivery status first, which still waits. */
const planUnread = (poll: Poll): void => {
  const { orders, toRead } = poll.memory;
  const groups = new Map<string | undefined, string[]>();
  let left = mostUnread(poll);
  for (const [id, order] of orders) {
    const planned = toRead.get(id);
    if (!isUnread(order)) continue;
    if (planned?.tries === 0) left -= 1;
    if (planned) continue;
    const group = groups.get(order.before?.delivery) ?? [];
    group.push(id);
    groups.set(order.before?.delivery, group);
  }
  const rarestFirst = [...groups.values()].sort((one, other) => one.length - other.length).flat();
  for (const id of rarestFirst.slice(0, Math.max(0, left))) readLater(poll, id, 0);
};

const warnUnread = ({ memory, warnHourly }: Poll): void => {
  const count = [...memory.orders.values()].filter(isUnread).length;
  if (count === 0) return;
  warnHourly(
    `${count} orders paid before are not read yet. License codes that they get before that may go unreported.`,
  );
};

/** Keeps the state small: drops orders after 90 days, and if there are too many, complete ones first, then the oldest. */
const dropExcess = ({ memory, now, warn }: Poll): void => {
  let total = 0;
  let count = 0;
  const dropped: string[] = [];
  const isSettled = (id: string): number => Number(!memory.toRead.has(id));
  const newestFirst = [...memory.orders]
    .flatMap(([id, order]) => (order.codes ? [{ id, order, codes: order.codes }] : []))
    .sort((one, other) => isSettled(one.id) - isSettled(other.id) || other.codes.since - one.codes.since);
  for (const { id, order, codes } of newestFirst) {
    count += 1;
    total += codes.known.length;
    if (now - codes.since <= maxDays * daySeconds && count <= maxAwaited && total <= maxKnownCodes) continue;
    order.codes = undefined;
    if (memory.toRead.delete(id)) dropped.push(id);
    if (!memory.lists.has(order.status as StatusFilter)) forget(memory, id);
  }
  if (dropped.length === 0) return;
  const named = dropped.slice(0, 5).join(', ');
  const rest = dropped.length > 5 ? ` and ${dropped.length - 5} others` : '';
  warn(`Stopped waiting for the missing license codes of these orders: ${named}${rest}.`);
};
