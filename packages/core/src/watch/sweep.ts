import { ownMessage } from '../base/errors.ts';
import { type ListPage, type ListReader, readList } from '../list/list-reader.ts';
import { endOf, fullPage, pageAt, startOf, totalOf, widestSlice } from '../list/slice.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import { isStillNew } from './head.ts';
import { mayPass, type Poll, take, Unsent, type Urgency, update } from './poll.ts';
import type { Known, Sweep } from './state.ts';

/** If a list of at most this many pages has shrunk, it is read as a whole at once. */
const maxPages = 8;
/** If a list has not been read for this many seconds, reading it may use the reserve. */
const patience = { pending: 110, others: 280 };
/** If more orders than this have left their lists, they are looked for in the lists of their new statuses. */
const fewGone = 2;
/** Maximum number of pages that a poll reads in these lists. */
const maxSearched = 10;

/**
 * Sweeps through the lists of the watched statuses. Every poll reads at least one page of pending orders. The other
 * lists are read every four minutes if they have up to 400 orders, and within an hour if they have up to 12,000. A known
 * order that a list no longer shows is read individually. A page that fails is read again by the next poll, and skipped
 * if it fails again.
 */
export const readLists = async (poll: Poll): Promise<void> => {
  for (const [status, list] of poll.state.lists) {
    const isCurrent = ([, known]: [string, Known]): boolean => known.status === status;
    const rest = (): [string, Known][] =>
      [...poll.state.orders].filter((one) => isCurrent(one) && Number(one[1].round) < list.round);
    const count = (): number => [...poll.state.orders].filter((one) => isCurrent(one) && !one[1].leftAt).length;
    const isSeen = ({ id }: OrderSummary): boolean => {
      const known = poll.state.orders.get(String(id));
      return known?.status === status && known.round === list.round;
    };
    try {
      await sweep(poll, { status, list, isSeen, rest, count });
    } catch (error) {
      if (error instanceof Unsent) {
        if (list.isDue || !list.isKnown) poll.isCutShort = true;
        continue;
      }
      if (!mayPass(error)) throw error;
      poll.warn(
        `Page ${Math.round(list.rows / fullPage) + 1} of the orders with status ${status} could not be read; a later poll will try again: ${ownMessage(error)}`,
      );
      poll.pageError = error;
      if (list.failedAt === list.rows) skip(poll, list, rest());
      else list.failedAt = list.rows;
    }
  }
};

interface SweptList {
  status: StatusFilter;
  list: Sweep;
  /** Whether this sweep has seen an order. */
  isSeen(order: OrderSummary): boolean;
  /** Returns the known orders that this sweep has not seen. */
  rest(): [id: string, known: Known][];
  /** Returns how many known orders the list should have. */
  count(): number;
}

const sweep = async (poll: Poll, swept: SweptList): Promise<void> => {
  const { status, list, rest, count } = swept;
  const isPending = status === 'ausstehend';
  const elapsed = poll.state.now - list.readAt;
  const isFirst = !list.isKnown;
  const isLate = elapsed > (isPending ? patience.pending : patience.others);
  let left = isFirst || list.isDue ? Infinity : pagesDue(list, elapsed, isPending);
  // Until the first sweep of a list is complete, changes in the list are lost, so the sweep is urgent.
  let urgency: Urgency = isFirst || list.isDue || isLate ? 'event' : 'routine';
  let reader: ListReader | undefined;
  while (left > 0) {
    reader ??= openAt(poll, swept, () => urgency);
    const step = await reader.next();
    const isEnd = !step || step.isEnd || isLast(swept, step);
    if (step) takePage(poll, swept, step);
    // A response that does not join is not a page of the sweep: the reader asks again.
    if (!step || step.joins) left -= 1;
    const total = (step && totalOf(step.list)) ?? Infinity;
    const missing = count() - total - list.excess;
    const isShort = !isFirst && missing > 0 && (list.pages <= maxPages || missing >= list.pages);
    if (isShort && !list.isDue) {
      [urgency, left] = ['event', Infinity];
      list.isDue = true;
      // Orders may have left from the rows that were read before, so the sweep starts again.
      if (step && step.slice.page > 1) {
        restart(list);
        reader = undefined;
        continue;
      }
    }
    const isFound = list.isDue && (isEnd || missing <= 0);
    if (isFound) Object.assign(list, { isDue: false, rows: list.rows - (list.rows % list.size) });
    if (isEnd) {
      for (const [id] of rest()) readGone(poll, list, id);
      Object.assign(list, { isKnown: true, excess: Math.max(0, count() - total) });
      if (Number(list.failedAt) >= list.rows) list.failedAt = undefined;
      restart(list);
      reader = undefined;
    }
    if (isFound || (isEnd && (isFirst || list.pages === 1))) return;
    if (list.isDue || isFirst) continue;
    urgency = 'routine';
    if (step?.joins) reader = undefined;
  }
};

/**
 * Opens the list where its sweep stopped. A list that is read as a whole goes on at a row that the sweep has seen, so
 * that no row is skipped. Otherwise, plain pages do: a row that moved up between two polls is read individually.
 */
const openAt = (poll: Poll, { status, list, isSeen }: SweptList, urgency: () => Urgency): ListReader => {
  const isSkipped = list.failedAt !== undefined && list.failedAt < list.rows;
  const overlaps = (list.isDue || !list.isKnown) && !isSkipped && list.rows > 0;
  return readList(({ page, perPage }) => poll.listOrders({ status, page, perPage }, urgency()), {
    status,
    start: overlaps ? widestSlice(list.rows - 1, list.size) : pageAt(list.rows, list.size),
    isAbove: (order) => !overlaps || isSeen(order),
  });
};

/**
 * Whether the list ends with a response: its count agrees, or the response has only rows that this sweep has seen. The
 * reader itself would ask for the page behind a full one, or for pages that only a wrong count promises.
 */
const isLast = ({ list: { rows, isDue, isKnown }, isSeen }: SweptList, { list, slice, joins }: ListPage): boolean => {
  const [start, count] = [startOf(slice), list.orders.length];
  const wentBack = isKnown && !isDue && start < rows;
  const isCounted = slice.page >= list.pagination.pages && totalOf(list) === start + count;
  const isBehind = rows > 0 && (count < slice.perPage || wentBack) && list.orders.every(isSeen);
  return joins && (isCounted || isBehind);
};

const restart = (list: Sweep): void => {
  Object.assign(list, { rows: 0, size: fullPage, round: list.round + 1 });
};

/** Goes on below a page that failed again. Its orders do not count as gone. */
const skip = ({ state }: Poll, list: Sweep, rest: [string, Known][]): void => {
  for (const [id] of rest.slice(0, fullPage)) update(state, id, { round: list.round });
  list.rows += fullPage;
  if (list.rows >= list.pages * fullPage) restart(list);
};

/**
 * Returns how many pages are due: after a pause, all of them. Adds a tenth of a page before rounding down, since polls
 * are not exactly a minute apart.
 */
const pagesDue = ({ pages }: Sweep, elapsed: number, isPending: boolean): number => {
  const perMinute = Math.min(Math.max(pages / 60, isPending ? 1 : Math.min(pages, maxPages) / 4), 4);
  const due = Math.floor((elapsed / 60) * perMinute + 0.1);
  return Math.min(Math.max(due, Number(isPending)), elapsed >= 3_600 ? pages : Math.ceil(perMinute) + 1);
};

/** Compares the rows of a page, and finds known orders that are missing between two of them. */
const takePage = (poll: Poll, { list, rest }: SweptList, { list: { orders, pagination }, slice, joins }: ListPage) => {
  const { head, now } = poll.state;
  list.readAt = now;
  if (slice.page === 1 && pagination.pages > 1 && orders.length > 0) list.size = orders.length;
  list.pages = Math.max(1, Math.ceil((pagination.pages * Math.min(slice.perPage, list.size)) / fullPage));
  if (joins) {
    list.rows = startOf(slice) + orders.length;
    if (startOf(slice) <= Number(list.failedAt) && Number(list.failedAt) < endOf(slice)) list.failedAt = undefined;
  }
  for (const entry of orders) {
    // The next poll records orders that arrived during this poll.
    if (!head || !isStillNew(head, entry)) take(poll, { id: String(entry.id), entry });
  }
  const ids = orders.map(({ id }) => Number(id));
  const [most, least] = [Math.max(...ids), Math.min(...ids)];
  const unseen = rest().filter(([id, { isStray }]) => !isStray && Number(id) < most && Number(id) > least);
  for (const [index, above] of ids.entries()) {
    const between = unseen.filter(([id]) => Number(id) < above && Number(id) > Number(ids[index + 1]));
    // IDs usually fall down the list. If they don't, a whole page seems to be missing.
    if (between.length > fullPage) continue;
    for (const [id] of between) {
      readGone(poll, list, id);
      update(poll.state, id, { isStray: true });
    }
  }
};

/** Makes an order that left its list due to be read. */
const readGone = ({ state }: Poll, { round }: Sweep, id: string): void => {
  const { due, leftAt = state.now } = state.orders.get(id) as Known;
  update(state, id, { due: { ...due, gone: due.gone ?? state.now }, leftAt, round });
};

/**
 * If many orders have left their lists, reads the lists of the statuses that they may have now, from the top, as long
 * as a page brings one of them: 50 orders cost one request, and have their list entries.
 */
export const readNewStatuses = async (poll: Poll): Promise<void> => {
  const { orders } = poll.state;
  const isGone = ({ due, failed }: Known): boolean => due.gone !== undefined && !failed;
  const gone = new Set([...orders].flatMap(([id, known]) => (isGone(known) ? [id] : [])));
  // Changes that this poll or an earlier one found before do not end the search.
  const before = new Set(poll.entries.keys());
  const isFound = ({ id }: OrderSummary): boolean =>
    before.has(String(id)) || orders.get(String(id))?.leftAt !== undefined;
  let left = maxSearched;
  for (const status of ['bezahlt', 'abgeschlossen', 'storniert'] as const) {
    for (let page = 1; left > 0 && gone.size > fewGone; page++, left--) {
      if ([...gone].every((id) => orders.get(id)?.status === status)) break;
      const list = await poll.listOrders({ status, page, perPage: fullPage }, 'event').catch((error: unknown) => {
        if (!(error instanceof Unsent) && !mayPass(error)) throw error;
        if (error instanceof Unsent) poll.isCutShort = true;
      });
      // Orders that were not found here are read one by one.
      if (!list) return;
      const found = list.orders.filter(({ id }) => gone.delete(String(id)));
      for (const entry of found) take(poll, { id: String(entry.id), entry });
      const isInVain = found.length === 0 && !list.orders.some(isFound);
      if (isInVain || page >= list.pagination.pages) break;
    }
  }
};
