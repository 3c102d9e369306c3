import { timeOf } from '@order-license/core/host';
import {
  isOrderLicenseError,
  type OrderId,
  type OrderLicenseError,
  type OrderSummary,
  type Totals,
  type TotalsOptions,
  toDate,
} from '@order-license/core/portable';
import { afterWholeLimit, type Call, readOptions } from './call.ts';
import { hasState, type RangeQuery, utcText } from './range.ts';

/** Maximum number of list requests in a call: as many as the rate limit allows in a minute. */
export const maxListRequests = 60;

/** A reason why orders may be missing even after every `continue` has been followed. */
export type Gap = Exclude<Totals['gaps'][number], 'unfinished'> | 'masked_names';

/** An order to read: its ID, and the rest of its list entry if known. */
export interface Listed {
  id: OrderId;
  created_at?: string | undefined;
}

/** The part of the requested orders that one call covers: all orders except those in `left` and `rest`. */
export interface Part {
  /** The range whose orders were listed; undefined if the orders were requested by ID. */
  range?: RangeQuery | undefined;
  /** The rest of the range, which remains to be listed. It contains no order from this part. */
  rest?: RangeQuery | undefined;
  /** Whether the caller chose the orders by ID, so that an unknown ID is the caller's mistake. */
  isById?: boolean;
  gaps?: readonly Gap[];
  /** IDs of the orders that are left out because their date is unreadable. */
  undated?: readonly OrderId[];
  /** Orders that cannot be read, and why. */
  failed?: readonly { id: OrderId; error: OrderLicenseError }[];
  /** The orders that were listed, and those of them that remain to be read. */
  listed?: readonly Listed[] | undefined;
  left?: readonly Listed[];
  /** The orders with which the range began, if earlier parts contain others of the same second. */
  first?: readonly OrderId[] | undefined;
  /** The error that ended the call early. */
  interruption?: OrderLicenseError | undefined;
}

const otherwise =
  'If the call fails again, the rate limit allows too few requests for this search: call order_license_list_orders with `page` instead, or ask the person who set up this MCP server to raise ORDER_LICENSE_REQUESTS_PER_MINUTE.';

export interface RangeLimits {
  /** Maximum number of list requests. Default: 60. */
  maxRequests?: number | undefined;
  /** Maximum number of wanted orders. Default: no limit. */
  maxOrders?: number | undefined;
  /** Whether an order is wanted. Default: every order with the payment and delivery statuses of the range. */
  isWanted?(order: OrderSummary): boolean;
}

/**
 * Reads the newest orders in a range with core's `totals`, until a limit is reached. All orders created in the same
 * second are in the same part, whatever the limits.
 * @returns the orders, wanted or not, newest first; orders without a readable date only if the range has no dates
 * @throws any error that occurs before all orders of one second have been read
 */
export const readRange = async (
  range: RangeQuery,
  { maxRequests = maxListRequests, maxOrders, isWanted = (order) => hasState(range, order) }: RangeLimits,
  call: Call,
): Promise<Part & { orders: OrderSummary[] }> => {
  const { statuses, from, before } = range;
  const read: OrderSummary[] = [];
  const enough = new AbortController();
  const reads = readOptions(call);
  let soFar: Totals | undefined;
  let interruption: OrderLicenseError | undefined;
  const options: TotalsOptions = {
    status: statuses,
    createdFrom: from,
    createdBefore: before,
    maxRequests,
    ...reads,
    signal: AbortSignal.any([reads.signal, enough.signal]),
    onOrders: (orders) => void read.push(...orders),
    onProgress(totals) {
      soFar = totals;
      const oldest = toDate(totals.oldest);
      const makesProgress = Number(totals.continue?.createdBefore) < Number(before ?? Number.POSITIVE_INFINITY);
      if (makesProgress && read.filter(isWanted).length > Number(maxOrders)) enough.abort();
      call.reportProgress(`Read ${totals.orders} orders${oldest ? `, back to ${utcText(oldest.getTime())}` : ''}.`);
    },
  };
  const totals = await call.client.totals(options).catch((error: unknown) => {
    if (!isOrderLicenseError(error)) throw error;
    if (soFar && enough.signal.aborted && !reads.signal.aborted) return soFar;
    // Only the page that shows that the range has ended is missing: the next call reads it, with the first second.
    if (soFar && soFar.orders > 0 && from && !soFar.continue && isLater(before, endOfSecond(from))) {
      soFar = { ...soFar, continue: { createdBefore: endOfSecond(from) } };
    }
    const reached = soFar?.continue?.createdBefore.getTime();
    if (soFar && reached !== undefined) {
      if (error.retryable && (read.length > 0 || reached < Number(before))) {
        interruption = error;
        return soFar;
      }
      error.addAdvice(`Not all orders created at ${utcText(reached - 1000)} could be read in time.`);
    }
    const stopped = afterWholeLimit(error, call);
    throw stopped === error ? error : (stopped as OrderLicenseError).addAdvice(otherwise);
  });
  const end = endOf(read.filter(isWanted), maxOrders) ?? totals.continue?.createdBefore.getTime();
  return {
    // Later calls search by date, so they would not find undated orders again.
    orders: end === undefined ? read : read.filter((order) => !(timeOf(order) < end)),
    range,
    rest: end === undefined ? undefined : { ...range, before: new Date(end) },
    gaps: totals.gaps.filter((gap) => gap !== 'unfinished'),
    undated: totals.unreadable.filter(({ field }) => field === 'created_at').map(({ id }) => id),
    interruption,
  };
};

const isLater = (date: Date | undefined, other: Date): boolean => date === undefined || date > other;

const endOfSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000);

/**
 * Returns the oldest time in a part of at most `most` orders, ms. The part leaves out the whole second of the first
 * excess order, unless that second is also the part's first.
 * @returns undefined if all orders belong to the part
 */
const endOf = (read: readonly OrderSummary[], most = Number.POSITIVE_INFINITY): number | undefined => {
  const times = read.map(timeOf).filter((time) => !Number.isNaN(time));
  times.sort((a, b) => b - a);
  const excess = times[most];
  if (excess === undefined) return undefined;
  const end = times.findLast((time) => time > excess) ?? excess;
  return Number(times.at(-1)) < end ? end : undefined;
};
