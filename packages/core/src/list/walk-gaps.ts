import { toDate } from '../model/dates.ts';
import type { OrderList, OrderSummary } from '../model/order.ts';
import { fullPage } from './plain-walk.ts';
import { readCount } from './read-count.ts';
import type { ListChanges, ReadPage, WalkStep } from './walk-progress.ts';

/**
 * Why a walk may miss orders: `unsorted`, the list is not sorted by date; `undated`, a range was requested, and an
 * order's date cannot be read; `unseen`, the service counts more orders than it returned.
 */
export type WalkGap = 'unsorted' | 'undated' | 'unseen';

export interface GapWatch {
  /** Wraps a reader and inspects each answer. */
  read: ReadPage;
  /** Inspects a step of the walk. */
  look(step: WalkStep): void;
  /** The gaps found so far. */
  found(): WalkGap[];
  /** The same for a walk resumed from here, which cannot detect earlier omissions from `total` at its end. */
  foundSoFar(): WalkGap[];
}

export interface GapWatchOptions {
  /** Whether the walk is limited to a date range. */
  hasRange: boolean;
  /** True for an order newer than all wanted ones. */
  isAbove(order: OrderSummary): boolean;
  /** The gaps that an earlier walk found, if this one resumes it. */
  gaps: readonly WalkGap[] | undefined;
}

/** Detects why a walk may be incomplete. */
export const createGapWatch = (read: ReadPage, { hasRange, isAbove, gaps: before }: GapWatchOptions): GapWatch => {
  const gaps = new Set<WalkGap>(before);
  let isFiltered = false;
  let hasShortPage = false;
  let oldest = Number.POSITIVE_INFINITY;
  // At its end, a walk over the whole list can tell from `total` whether orders were omitted.
  const seesTotal = !hasRange && before === undefined;
  return {
    async read(query) {
      const list = await read(query);
      if (!isSorted(list.orders)) gaps.add('unsorted');
      hasShortPage ||= !query.status && isShort(list, query.perPage);
      isFiltered ||= query.status !== undefined;
      return list;
    },
    look({ fresh, changes }) {
      for (const order of fresh) {
        const time = timeOf(order);
        if (time === undefined) {
          if (hasRange) gaps.add('undated');
          continue;
        }
        // A filtered walk steps back and can read orders that entered the filter; any other walk only moves down the
        // list.
        const isRising = !isFiltered && time > oldest;
        if (isRising && !(isAbove(order) && hasMovedPages(changes))) gaps.add('unsorted');
        oldest = Math.min(oldest, time);
      }
      if (changes && hasUnseen(changes)) gaps.add('unseen');
    },
    found: () => [...gaps, ...(hasShortPage && !seesTotal && !gaps.has('unseen') ? (['unseen'] as const) : [])],
    foundSoFar: () => [...gaps, ...(hasShortPage && !gaps.has('unseen') ? (['unseen'] as const) : [])],
  };
};

const timeOf = (order: OrderSummary): number | undefined => toDate(order.created_at)?.getTime();

/** True if more orders are missing than arrived during the walk. */
const hasUnseen = ({ unseen, totalAtStart = 0, totalNow = 0 }: ListChanges): boolean =>
  unseen > Math.max(0, totalNow - totalAtStart);

/** True if so many orders arrived that orders above the first page of the walk can appear on a later one. */
const hasMovedPages = (changes: ListChanges | undefined): boolean =>
  (changes?.totalNow ?? 0) - (changes?.totalAtStart ?? 0) >= fullPage;

/** True for a page before the last with too few orders: the walk of a range does not reach the list's end. */
const isShort = ({ orders, pagination }: OrderList, perPage: number): boolean =>
  readCount(pagination.page, 1) < pagination.pages && orders.length < readCount(pagination.per_page, perPage);

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const times = orders.map(timeOf).filter((time) => time !== undefined);
  return times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
};
