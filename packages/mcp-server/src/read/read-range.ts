import {
  isOrderLicenseError,
  type OrderLicenseError,
  type OrderPage,
  type OrderSummary,
  toDate,
  type WalkGap,
} from '@order-license/core/portable';
import { leftMs } from '../client/call-limits.ts';
import { afterWholeLimit } from './after-whole-limit.ts';
import type { Call } from './call.ts';
import { type RangeQuery, utcText } from './range.ts';

/** Maximum list requests of a call. */
export const maxListRequests = 50;

export interface RangeBudget {
  /** Orders to return. */
  maxOrders: number;
  /** List requests, including those of the search by date. */
  maxRequests: number;
}

export type Gap = WalkGap | 'unsearched';

export interface RangePart {
  /** Newest first. */
  orders: OrderSummary[];
  /** Where the next call ends its range, ms: the orders returned are of this second or newer. Undefined at the end. */
  continueBefore: number | undefined;
  /** Why orders may be missing; `unsearched`: the budget was used up before an order of the range was reached. */
  gaps: Gap[];
  /** Orders left out because their date cannot be read. */
  undated: OrderSummary[];
  /** The error that ended the call before its budget was spent. */
  interruption: OrderLicenseError | undefined;
}

/** Earlier than any order: a walk with a start date detects more reasons to be incomplete. */
const earliest = new Date('0001-01-01T00:00:00Z');

interface Row {
  order: OrderSummary;
  /** ms */
  time: number;
  isWanted: boolean;
}

/**
 * Reads the orders of a range, newest first, within the budget. The result ends with a whole second, so that successive
 * calls return each order once. A second is never split, whatever the budget.
 * @throws what a call throws, if no whole second has been read by then
 */
export const readRange = async (query: RangeQuery, budget: RangeBudget, call: Call): Promise<RangePart> => {
  const { statuses, from, before } = query;
  const { maxOrders, maxRequests } = budget;
  const { client, signal, reportProgress } = call;
  const isFiltered = statuses?.length === 1;
  const pages = client.orderPages({
    // Several statuses are filtered here, to know how far the walk has come.
    status: isFiltered ? statuses[0] : undefined,
    createdFrom: from ?? earliest,
    createdBefore: before,
    signal,
    priority: 'interactive',
    deadlineMs: leftMs(call.endsAt),
  });
  const isWanted = ({ status }: OrderSummary) => isFiltered || !statuses || statuses.some((one) => one === status);
  let rows: Row[] = [];
  const undated: OrderSummary[] = [];
  const part: RangePart = {
    orders: [],
    continueBefore: undefined,
    gaps: [],
    undated,
    interruption: undefined,
  };

  const take = ({ orders }: OrderPage): void => {
    const newest = rows[0]?.time ?? Number.POSITIVE_INFINITY;
    for (const order of orders) {
      const time = toDate(order.created_at)?.getTime();
      if (time === undefined) {
        if (isWanted(order)) undated.push(order);
        continue;
      }
      // A filtered walk can return to the top of the list: skips orders that have arrived since.
      if (!isFiltered || time <= newest) rows.push({ order, time, isWanted: isWanted(order) });
    }
    rows = rows.toSorted((a, b) => b.time - a.time);
  };

  /** @param cut how many rows to return; the rest is left to the next call */
  const partUntil = (cut: number, hasEnded: boolean): RangePart => {
    const isWhole = hasEnded && cut === rows.length;
    const orders = rows
      .slice(0, cut)
      .filter((row) => row.isWanted)
      .map(({ order }) => order);
    // Without a range, undated orders belong to the answer.
    const isUnbounded = isWhole && !from && !before;
    return {
      ...part,
      orders: isUnbounded ? [...orders, ...undated] : orders,
      undated: isUnbounded ? [] : undated,
      gaps: isUnbounded ? part.gaps.filter((gap) => gap !== 'undated') : part.gaps,
      continueBefore: isWhole ? undefined : rows[cut - 1]?.time,
    };
  };

  for (let pagesRead = 1; ; pagesRead++) {
    let page: OrderPage | undefined;
    try {
      page = (await pages.next()).value;
    } catch (error) {
      const cut = findCut(rows, maxOrders, false);
      if (!isOrderLicenseError(error) || !error.retryable || cut === undefined)
        throw nameSecond(afterWholeLimit(error, call), rows);
      part.interruption = error;
      return partUntil(cut, false);
    }
    if (!page) return partUntil(findCut(rows, maxOrders, true) ?? 0, true);
    take(page);
    part.gaps = page.gaps ?? [];
    const isOutOfRequests = page.requests >= maxRequests;
    const isSpent = isOutOfRequests || countWanted(rows) > maxOrders;
    const cut = isSpent ? findCut(rows, maxOrders, false) : undefined;
    if (cut !== undefined) return partUntil(cut, false);
    if (isOutOfRequests && rows.length === 0 && pagesRead > maxEmptyPages)
      return { ...part, gaps: [...part.gaps, 'unsearched'] };
    const last = rows.at(-1);
    reportProgress?.(`Read ${rows.length} orders${last ? `, back to ${utcText(last.time)}` : ''}.`);
  }
};

/** In a sorted list, at most this many pages precede the first order of the range. */
const maxEmptyPages = 2;

const countWanted = (rows: readonly Row[]): number => rows.filter(({ isWanted }) => isWanted).length;

/**
 * How many rows to return: as many whole seconds as fit in `maxOrders`, at least one.
 * @param hasEnded false if the next page may continue the last row's second
 * @returns undefined if no second is known to be whole
 */
const findCut = (rows: readonly Row[], maxOrders: number, hasEnded: boolean): number | undefined => {
  let cut: number | undefined;
  let wanted = 0;
  for (const [index, row] of rows.entries()) {
    if (row.isWanted) wanted += 1;
    const next = rows[index + 1];
    if (next ? next.time === row.time : !hasEnded) continue;
    if (wanted > maxOrders) return cut ?? index + 1;
    cut = index + 1;
  }
  return cut;
};

/** Names the second that was only partly read. */
const nameSecond = (error: unknown, [row]: readonly Row[]): unknown =>
  row && isOrderLicenseError(error)
    ? error.addAdvice(`Not all orders of ${utcText(row.time)} could be read in time.`)
    : error;
