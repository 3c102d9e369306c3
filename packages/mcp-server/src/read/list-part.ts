import { timeOf } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type Order,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
  toDate,
  type WalkGap,
} from '@order-license/core/portable';
import { afterWholeLimit, type Call, readOptions } from '../client/one-call.ts';
import { hasState, isNotAbove, isUndated, type Listed, newestFirst, type RangeQuery, utcText } from './range.ts';

/** Maximum number of list requests in a call: as many as the rate limit allows in a minute. */
export const maxListRequests = 60;
/** In a sorted list, at most this many pages precede the first order of a range. */
const maxPagesBefore = 2;

/** A reason why orders may be missing even after every `continue` has been followed. */
export type Gap = WalkGap | 'unsearched' | 'masked_names';

/** How many orders to list. */
export interface ListLimits {
  /** The list ends with the page on which the number of wanted orders exceeds this maximum. Default: no limit. */
  maxOrders?: number | undefined;
  /** Number of list requests after which the list ends. Default: 60. */
  maxRequests?: number | undefined;
  /** Whether an order of the range is wanted. Default: those with its payment and delivery statuses. */
  isWanted?(order: OrderSummary): boolean;
}

/** The orders that one call covers, and what remains. */
export interface Part {
  /** The range whose orders were listed; undefined if the orders were chosen by ID. */
  range: RangeQuery | undefined;
  /**
   * The wanted orders that were listed, newest first, or those that were chosen, in the given sequence. Orders without a
   * readable date are listed only if the range has no dates.
   */
  listed: readonly Listed[];
  /** Whether these are all wanted orders of the range. */
  isListed: boolean;
  /** The orders of the range that were found, but are not wanted. */
  unwanted: readonly OrderSummary[];
  /** The orders that were read: list entries, or full orders, which also have the fields of their list entries. */
  orders: readonly Order[];
  /** Orders that cannot be read, and why. */
  failed: readonly { id: OrderId; error: OrderLicenseError }[];
  /** The listed orders that remain to be read. */
  left: readonly Listed[];
  /** The rest of the range: the orders in `left`, and those that were not listed; undefined if nothing remains. */
  rest: RangeQuery | undefined;
  gaps: readonly Gap[];
  /** IDs of the orders that are left out because their date is unreadable. */
  undated: readonly OrderId[];
  /** The error that ended the part early. */
  interruption: OrderLicenseError | undefined;
}

export const emptyPart: Part = {
  range: undefined,
  listed: [],
  isListed: true,
  unwanted: [],
  orders: [],
  failed: [],
  left: [],
  rest: undefined,
  gaps: [],
  undated: [],
  interruption: undefined,
};

const otherwise =
  'If the call fails again, the rate limit allows too few requests for this search: call order_license_list_orders with `page` instead, or ask the person who set up this MCP server to raise ORDER_LICENSE_REQUESTS_PER_MINUTE.';

/**
 * Lists the newest orders in a range, until a limit is reached, but at least those of one second.
 * @throws any error that occurs before all orders of one second have been read
 */
export const listPart = async (range: RangeQuery, limits: ListLimits, call: Call): Promise<Part> => {
  const { statuses: status, from: createdFrom, before: createdBefore } = range;
  const { maxRequests = maxListRequests, maxOrders = Number.POSITIVE_INFINITY } = limits;
  const { isWanted = (order) => hasState(range, order) } = limits;
  const walk = call.client.orderPages({ status, createdFrom, createdBefore, ...readOptions(call) });
  const before = Number(createdBefore ?? Number.POSITIVE_INFINITY);
  const hasDates = createdFrom !== undefined || createdBefore !== undefined;
  const read: OrderSummary[] = [];
  const undated: OrderId[] = [];
  /** End of the second that the walk has reached, ms: the next page may contain more orders of that second. */
  let end: number | undefined;
  // Undated orders are included: later calls search by date, so they would not find these orders again.
  const ordersFrom = (time = Number.NaN): OrderSummary[] => read.filter((order) => !(timeOf(order) < time));
  /** Whether a part that ends here has orders, or leaves fewer orders to the next part. */
  const canEnd = (): boolean => Number(end) < before && (read.length === 0 || ordersFrom(end).length > 0);
  const partTo = (rest?: number, error?: OrderLicenseError): Part => {
    const found = ordersFrom(rest)
      .filter((order) => isNotAbove(range, order))
      .sort(newestFirst);
    const listed = found.filter(isWanted);
    return {
      ...emptyPart,
      range,
      listed,
      isListed: rest === undefined,
      unwanted: found.filter((order) => !isWanted(order)),
      orders: listed as object[] as Order[],
      rest: rest === undefined ? undefined : { ...range, before: new Date(rest), continueId: undefined },
      gaps: walk.gaps,
      undated,
      interruption: error,
    };
  };

  try {
    for await (const { orders, oldest, requests, isLast } of walk) {
      for (const order of orders) {
        if (hasDates && isUndated(order)) undated.push(order.id);
        else read.push(order);
      }
      const reached = toDate(oldest)?.getTime() ?? Number.POSITIVE_INFINITY;
      // After an order from before the range, only the walk's last page is missing. The next call can read it.
      const isPast = reached < Number(createdFrom);
      end = endOfSecond(isPast ? Number(createdFrom) : reached);
      const found = ordersFrom(end);
      reportProgress(found, call);
      if (isLast || isPast || (requests < maxRequests && found.filter(isWanted).length <= maxOrders)) continue;
      if (canEnd()) return partTo(end);
      if (reached >= before && requests >= maxRequests + maxPagesBefore) {
        return { ...partTo(), gaps: ['unsearched', ...walk.gaps] };
      }
    }
    return partTo();
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    if (error.retryable && canEnd()) return partTo(end, error);
    const begun = Math.min(Number(end), before) - 1000;
    if (Number.isFinite(begun)) error.addAdvice(`Not all orders created at ${utcText(begun)} could be read in time.`);
    const stopped = afterWholeLimit(error, call);
    throw stopped === error ? error : (stopped as OrderLicenseError).addAdvice(otherwise);
  }
};

const reportProgress = (orders: readonly OrderSummary[], call: Call): void => {
  const oldest = orders.findLast((order) => !isUndated(order));
  call.reportProgress(`Read ${orders.length} orders${oldest ? `, back to ${utcText(timeOf(oldest))}` : ''}.`);
};

const endOfSecond = (ms: number): number => Math.floor(ms / 1000) * 1000 + 1000;

/**
 * Ends a part before one of its listed orders, with which the next part begins.
 * @param isBegun whether this part contains the beginning of that order
 * @returns the same part if no order is passed
 */
export const endBefore = (part: Part, next: Listed | undefined, isBegun = false): Part => {
  const { range, listed, failed } = part;
  if (!next) return part;
  const end = listed.indexOf(next);
  const left = listed.slice(end);
  const ids = new Set(left.map(({ id }) => id));
  // The next part searches by date, so it cannot begin with an undated order.
  const first = range && left.find((order) => !isUndated(order));
  return {
    ...part,
    left,
    failed: failed.filter(({ id }) => !ids.has(id)),
    rest: first ? beginWith(first, range, isBegun || timeOf(listed[end - 1]) === timeOf(first)) : part.rest,
  };
};

/**
 * Returns the rest of a range: from this order on if a part of its second is done, otherwise from its whole second on.
 */
const beginWith = (order: Listed, range: RangeQuery, isDivided: boolean): RangeQuery => {
  const before = new Date(timeOf(order) + 1000);
  const isContinued = range.continueId !== undefined && Number(range.before) === before.getTime();
  return { ...range, before, continueId: isDivided || isContinued ? String(order.id) : undefined };
};
