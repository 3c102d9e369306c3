import type { CallOptions } from '../base/call-options.ts';
import { OrderLicenseError } from '../base/errors.ts';
import { documentedStatus, type OrderList, orderStatuses, type StatusFilter } from '../model/order.ts';
import { type ReadPage, requestSlice, totalOf } from './slice.ts';
import { totals } from './totals.ts';

export interface CountOptions extends CallOptions {
  /**
   * If false, throws `invalid_response` (`reason: 'untrusted_total'`) instead of walking the whole list. Default: true.
   */
  walk?: boolean | undefined;
  /** `total` of the whole list, if a response has just shown it: saves a request. Must be a count without a filter. */
  total?: number | undefined;
}

export interface StatusCounts {
  /**
   * Number of orders by status. Always has the four statuses from the API docs; a walk adds any others that it finds,
   * with an empty name for orders without a status. Each status is counted in a separate request, so an order that
   * changes its status during the count may be counted twice or not at all.
   */
  counts: Record<StatusFilter, number> & Record<string, number>;
  /**
   * `total`: the API's own count for each filter, which need not match the status that each order shows. `walk`: the
   * orders were counted one by one, since the API's `total` cannot be trusted.
   */
  source: 'total' | 'walk';
  /**
   * True if the counts add up to the `total` of the whole list: the API's counts agree, although a cache may hold back
   * all of them. After a walk, true if it found no gap: see `gaps` of `totals`.
   */
  complete: boolean;
  /** Number of list requests sent. */
  requests: number;
}

/**
 * Counts the orders with each status. Sends five requests: one for each status, and one for the whole list, which is
 * counted once more if the counts don't add up to it. If `total` does not count the filtered list (U-11), walks the
 * whole list.
 * @throws `invalid_response` if a walk is needed but `walk` is false; otherwise the errors of a call
 * @param readOne reads single pages
 * @param readAll reads the pages of the walk
 */
export const countByStatus = async (
  readOne: ReadPage,
  readAll: ReadPage,
  options: CountOptions,
): Promise<StatusCounts> => {
  const { walk = true } = options;
  let requests = 0;
  const read: ReadPage = (query) => {
    requests += 1;
    return readOne(query);
  };
  /** @returns undefined if the total cannot be trusted, or if the API rejects the request */
  const readTotal = async (status: StatusFilter | undefined): Promise<number | undefined> => {
    const { list } = await requestSlice(read, { page: 1, perPage: 1 }, status);
    return list && trustedTotal(list, status);
  };

  const counts = new Map<string, number>();
  for (const status of orderStatuses) {
    const total = await readTotal(status);
    if (total === undefined) break;
    counts.set(status, total);
  }
  if (counts.size === orderStatuses.length) {
    const sum = [...counts.values()].reduce((one, other) => one + other);
    const whole = options.total ?? (await readTotal(undefined));
    // If all counts are the same, the API may have ignored the filter and counted all orders each time.
    const isIgnored = sum !== whole && new Set(counts.values()).size === 1;
    if (!isIgnored) {
      // An order may have arrived, or changed its status, between the requests.
      const complete = sum === whole || sum === (await readTotal(undefined));
      return { counts: toCounts(counts), source: 'total', complete, requests };
    }
  }
  if (!walk) throw untrustedTotal();

  const walked = await totals(readAll, {});
  for (const status of orderStatuses) counts.set(status, 0);
  for (const { status, count } of walked.groups) counts.set(status ?? '', (counts.get(status ?? '') ?? 0) + count);
  const { complete } = walked;
  return { counts: toCounts(counts), source: 'walk', complete, requests: requests + walked.requests };
};

const toCounts = (counts: Map<string, number>) => Object.fromEntries(counts) as StatusCounts['counts'];

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
  // Each page has one order, and an empty list has no page, or one.
  const isSound = orders.length === Math.min(1, total) && Math.max(1, pagination.pages) === Math.max(1, total);
  return isSound && isFiltered ? total : undefined;
};
