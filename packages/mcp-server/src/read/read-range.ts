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
import { afterWholeLimit, type Call, readOptions } from '../client/one-call.ts';
import { isNotAbove, newestFirst, type RangeQuery, utcText } from './range.ts';

/** Maximum number of list requests in a call: as many as the rate limit allows in a minute. */
export const maxListRequests = 60;

const otherwise =
  'If the call fails again, the rate limit allows too few requests for this search: call order_license_list_orders with `page` instead, or ask the person who set up this MCP server to raise ORDER_LICENSE_REQUESTS_PER_MINUTE.';

/** A reason why orders may be missing even after every `continue` has been followed. */
export type Gap = Exclude<Totals['gaps'][number], 'unfinished'> | 'masked_names';

/** The newest orders of a range, and what remains of it. */
export interface Listing {
  /** The orders, wanted or not, newest first; orders without a readable date only if the range has no dates. */
  orders: OrderSummary[];
  /** The rest of the range, which remains to be listed: whole seconds, none of which has an order in `orders`. */
  rest: RangeQuery | undefined;
  gaps: readonly Gap[];
  /** IDs of the orders that are left out because their date is unreadable. */
  undated: readonly OrderId[];
  /** The error that ended the call early. */
  interruption: OrderLicenseError | undefined;
}

export interface RangeLimits {
  /** Maximum number of list requests. Default: 60. */
  maxRequests?: number | undefined;
  /** Number of wanted orders that end a listing. Default: no limit. */
  maxOrders?: number | undefined;
  /** Whether an order is wanted. Default: every order. */
  isWanted?(order: OrderSummary): boolean;
}

/**
 * Reads the newest orders in a range with core's `totals`, until a limit is reached.
 * @throws any error that occurs before all orders of one second have been read
 */
export const readRange = async (
  range: RangeQuery,
  { maxRequests = maxListRequests, maxOrders, isWanted = () => true }: RangeLimits,
  call: Call,
): Promise<Listing> => {
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
  const end = totals.continue?.createdBefore;
  // Later calls search by date, so they would not find undated orders again.
  const listed = end ? read.filter((order) => !(timeOf(order) < end.getTime())) : read;
  return {
    orders: listed.filter((order) => isNotAbove(range, order)).sort(newestFirst),
    rest: end && { ...range, before: end, continueId: undefined },
    gaps: totals.gaps.filter((gap) => gap !== 'unfinished'),
    undated: totals.unreadable.filter(({ field }) => field === 'created_at').map(({ id }) => id),
    interruption,
  };
};

const isLater = (date: Date | undefined, other: Date): boolean => date === undefined || date > other;

const endOfSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000 + 1000);
