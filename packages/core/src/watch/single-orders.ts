import type { StatusFilter } from '../model/order.ts';
import { isAwaiting } from './codes.ts';
import type { Poll } from './poll.ts';
import type { Urgency } from './reads.ts';
import { recordOrder } from './record.ts';
import { forget, type SingleRead, type Watched } from './state.ts';

/**
 * Maximum number of orders that one poll reads, by reason: they have probably changed, they are read again as planned,
 * an earlier read failed, or they were paid before they were watched.
 */
const most = { urgent: 20, again: 6, retried: 2, unread: 10 };
/** Maximum number of orders paid before the baseline that the first poll reads. */
const mostAtStart = 40;
/** If a read has been due for longer than this, one such read of each kind per poll may use the reserve. */
const patienceSeconds = 400;
const maxWaitSeconds = 90 * 86_400;
/** Maximum weight of the orders that wait for codes: each weighs ten, and one more for each known code. */
const maxWeight = 20_000;

/**
 * Reads single orders: those that left their list, those with missing license codes, those with a status that no list
 * shows, those whose read failed before, and those paid before the baseline.
 */
export const readSingles = async (poll: Poll): Promise<void> => {
  const { state, reads } = poll;
  for (const { id, urgency } of nextReads(poll)) {
    const order = await reads.getOrder(id, urgency);
    if (order === undefined) break;
    if (order === 'gone') forget(state, id);
    else if (typeof order === 'object') recordOrder(poll, order);
  }
  warnUnread(poll);
  dropExcess(poll);
};

type DueRead = SingleRead & { id: string };

const nextReads = (poll: Poll): { id: string; urgency: Urgency }[] => {
  const { toRead, orders, held, now } = poll.state;
  for (const id of toRead.keys()) if (!orders.has(id) && !held.some((event) => event.id === id)) toRead.delete(id);
  /**
   * Sorts reads for status changes before reads for license codes, which take longer anyway. Failed reads are sorted
   * only by when they are due.
   */
  const awaits = ({ id, tries }: DueRead): number => Number(tries === 0 && isAwaiting(orders.get(id) as Watched));
  const due: DueRead[] = [...toRead]
    .flatMap(([id, read]) => (orders.has(id) && read.due <= now ? [{ id, ...read }] : []))
    .sort((one, other) => awaits(one) - awaits(other) || one.due - other.due);
  // Each kind of read has its own maximum, and the first late read of a kind does not wait for an export, so that no
  // kind delays another.
  const kindOf = ({ tries, isUrgent }: DueRead) => (tries > 0 ? 'retried' : isUrgent ? 'urgent' : 'again');
  const taken = (['urgent', 'again', 'retried'] as const).flatMap((kind) =>
    due
      .filter((read) => kindOf(read) === kind)
      .slice(0, most[kind])
      .map((read, index): { id: string; urgency: Urgency } => {
        const isLate = index === 0 && now - read.due > patienceSeconds;
        return { id: read.id, urgency: read.isUrgent || isLate ? 'event' : 'routine' };
      }),
  );
  const unread = unreadOf(poll).slice(0, poll.isStart ? mostAtStart : most.unread);
  return [
    ...taken.filter(({ urgency }) => urgency === 'event'),
    ...taken.filter(({ urgency }) => urgency === 'routine'),
    ...unread.map((id) => ({ id, urgency: 'routine' as const })),
  ];
};

const isUnread = ({ codes }: Watched): boolean => codes?.before === 'unread';

/**
 * Returns orders paid before they were watched: first those with the rarest delivery status, which probably still wait
 * for codes; among those with the same status, the newest first.
 */
const unreadOf = ({ state }: Poll): string[] => {
  const counts = new Map<string, number>();
  const unread = [...state.orders].filter(([id, order]) => isUnread(order) && !state.toRead.has(id));
  const countOf = ([, { codes }]: [string, Watched]): number => counts.get(codes?.delivery ?? '') ?? 0;
  for (const entry of unread) counts.set(entry[1].codes?.delivery ?? '', countOf(entry) + 1);
  return unread.sort((one, other) => countOf(one) - countOf(other)).map(([id]) => id);
};

const warnUnread = ({ state, warnHourly }: Poll): void => {
  const count = [...state.orders.values()].filter(isUnread).length;
  if (count === 0) return;
  warnHourly(
    'unread',
    `${count} orders paid before the baseline have not been read yet. License codes that arrive before an order is first read may not be reported.`,
  );
};

/**
 * Keeps the state small: stops waiting for license codes after 90 days. If too many orders wait for codes, stops
 * waiting first for complete orders, then for the oldest.
 */
const dropExcess = ({ state, warn }: Poll): void => {
  const { toRead, orders, lists, now } = state;
  const since = ({ codes }: Watched): number => codes?.since ?? 0;
  const waiting = [...orders]
    .filter(([, order]) => isAwaiting(order))
    .sort(([id, one], [otherId, other]) => {
      return Number(toRead.has(otherId)) - Number(toRead.has(id)) || since(other) - since(one);
    });
  const dropped: string[] = [];
  let weight = 0;
  for (const [id, order] of waiting) {
    const own = 10 + (order.codes?.known.length ?? 0);
    if (weight + own <= maxWeight && now - since(order) <= maxWaitSeconds) {
      weight += own;
      continue;
    }
    if (toRead.delete(id)) dropped.push(id);
    if (lists.has(order.status as StatusFilter)) orders.set(id, { ...order, codes: undefined });
    else forget(state, id);
  }
  if (dropped.length > 0) warn(`Stopped waiting for the missing license codes of these orders: ${dropped.join(', ')}.`);
};
