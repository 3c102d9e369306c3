import type { CallOptions } from '../base/call-options.ts';
import { OrderLicenseError } from '../base/errors.ts';
import { documentedStatus, type OrderList, orderStatuses, type StatusFilter } from '../model/order.ts';
import { type ReadPage, requestSlice, totalOf } from './slice.ts';

export interface CountOptions extends CallOptions {
  /** `total` of a recent response without a filter. Saves one request. */
  total?: number | undefined;
}

export interface StatusCounts {
  /**
   * The API's own count for each status, which can differ from the statuses that the orders show. Each status is
   * counted in a separate request, so an order that changes its status during the count may be counted twice or not at
   * all.
   */
  counts: Record<StatusFilter, number>;
  /**
   * True if the counts add up to the `total` of the whole list. They agree then, but all of them may come from a cache.
   */
  complete: boolean;
  /** Number of list requests sent. */
  requests: number;
}

/**
 * Counts the orders with each status. Sends five requests: one for each status, and one for the whole list. If the
 * counts don't add up, counts the whole list once more.
 * @throws `invalid_response` (`untrusted_total`) if `total` does not count the filtered list (U-11); otherwise the
 * errors of a call
 */
export const countByStatus = async (readPage: ReadPage, options: CountOptions): Promise<StatusCounts> => {
  let requests = 0;
  const read: ReadPage = (query) => {
    requests += 1;
    return readPage(query);
  };
  const readTotal = async (status: StatusFilter | undefined): Promise<number> => {
    const { list } = await requestSlice(read, { page: 1, perPage: 1 }, status);
    const total = list && trustedTotal(list, status);
    if (total === undefined) throw untrustedTotal();
    return total;
  };

  const counts = {} as Record<StatusFilter, number>;
  for (const status of orderStatuses) counts[status] = await readTotal(status);
  const all = Object.values(counts);
  const sum = all.reduce((one, other) => one + other);
  const whole = options.total ?? (await readTotal(undefined));
  // If all counts are the same, the API may have ignored the filter and counted all orders each time.
  if (sum !== whole && new Set(all).size === 1) throw untrustedTotal();
  // An order may have arrived, or changed its status, between the requests.
  const complete = sum === whole || sum === (await readTotal(undefined));
  return { counts, complete, requests };
};

const untrustedTotal = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: "The API's totals by status cannot be trusted",
    advice: 'Count with `totals()` instead.',
    reason: 'untrusted_total',
  });

/** Returns `total` if it agrees with `pages` and the returned order matches the filter; otherwise undefined. */
const trustedTotal = (list: OrderList, status: StatusFilter | undefined): number | undefined => {
  const { orders, pagination } = list;
  const total = Number(totalOf(list));
  const isFiltered = orders.every((order) => status === undefined || documentedStatus(order.status) === status);
  // Each page has one order. An empty list has one page or none.
  const isSound = orders.length === Math.min(1, total) && Math.max(1, pagination.pages) === Math.max(1, total);
  return isSound && isFiltered ? total : undefined;
};
