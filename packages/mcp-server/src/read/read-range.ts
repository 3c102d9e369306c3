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
import { type RangeQuery, utcText } from './range.ts';

/** Maximum list requests of a call: the whole limit of a minute. */
export const maxListRequests = 60;

export type RangeLimits = Pick<TotalsOptions, 'maxRequests' | 'maxOrders' | 'groupBy'>;

/** Why orders may be missing, besides those that `continue` leads to. */
export type Gap = Exclude<Totals['gaps'][number], 'unfinished'>;

/** What a call covers of what was asked. */
export interface Part {
  /** The range that was listed; unset for orders by ID. */
  range?: RangeQuery | undefined;
  /** The part of the range that is still to be listed, without any order of this part. */
  rest?: RangeQuery | undefined;
  gaps?: readonly Gap[];
  /** Orders left out because their date cannot be read. */
  undated?: readonly OrderId[];
  /** The error that ended the call early. */
  interruption?: OrderLicenseError | undefined;
}

/** The newest orders of a range, down to a whole second. */
export interface RangePart extends Part {
  /** Newest first; an order without a readable date only without a range. */
  orders: OrderSummary[];
  /** Of these orders, if there is no `maxOrders`. */
  totals: Totals;
}

/**
 * Reads the orders of a range with core's count of them, which has the one budget. A second is never split, whatever
 * the limits.
 * @throws what a call throws, if no whole second has been read by then
 */
export const readRange = async (
  range: RangeQuery,
  { maxRequests = maxListRequests, maxOrders, groupBy }: RangeLimits,
  call: Call,
): Promise<RangePart> => {
  const { statuses, from, before, timeZone } = range;
  const read: OrderSummary[] = [];
  let soFar: Totals | undefined;
  let interruption: OrderLicenseError | undefined;
  const options: TotalsOptions = {
    ...{ status: statuses, createdFrom: from, createdBefore: before, maxRequests, maxOrders },
    ...(groupBy && { groupBy, timeZone }),
    ...readOptions(call),
    onOrders: (orders) => void read.push(...orders),
    onProgress(totals) {
      soFar = totals;
      const oldest = toDate(totals.oldest);
      call.reportProgress(`Read ${totals.orders} orders${oldest ? `, back to ${utcText(oldest.getTime())}` : ''}.`);
    },
  };
  const totals = await call.client.totals(options).catch((error: unknown) => {
    const reached = soFar?.continue?.createdBefore.getTime();
    const hasPart = reached !== undefined && (read.length > 0 || reached < Number(before));
    if (!soFar || !hasPart || !isOrderLicenseError(error) || !error.retryable) {
      if (reached !== undefined && isOrderLicenseError(error)) {
        error.addAdvice(`Not all orders of ${utcText(reached - 1000)} could be read in time.`);
      }
      throw afterWholeLimit(error, call);
    }
    interruption = error;
    return soFar;
  });
  const { orders, end = totals.continue?.createdBefore } = cut(read, maxOrders ?? Number.POSITIVE_INFINITY);
  return {
    orders,
    totals,
    range,
    rest: end && { ...range, before: end },
    gaps: totals.gaps.filter((gap) => gap !== 'unfinished'),
    undated: totals.unreadable.filter(({ field }) => field === 'created_at').map(({ id }) => id),
    interruption,
  };
};

/** As many whole seconds as have `most` orders, at least one, and where the rest begins. */
const cut = (read: OrderSummary[], most: number): { orders: OrderSummary[]; end?: Date } => {
  if (read.length <= most) return { orders: read };
  const dated = read.filter(timeOf).toSorted((a, b) => Number(timeOf(b)) - Number(timeOf(a)));
  const ends = dated.flatMap((one, index) =>
    Number(timeOf(one)) === Number(timeOf(dated[index + 1])) ? [] : [index + 1],
  );
  const kept = dated.slice(0, ends.findLast((end) => end <= most) ?? ends[0]);
  const end = timeOf(kept.at(-1));
  if (!end || kept.length === dated.length) return { orders: read };
  // Undated orders could not be found again.
  return { orders: [...kept, ...read.filter((order) => !timeOf(order))], end };
};

const timeOf = (order: OrderSummary | undefined): Date | null => toDate(order?.created_at);
