import type { CallOptions } from '../base/call-options.ts';
import { OrderLicenseError } from '../base/errors.ts';
import { type OrderList, orderStatuses, type StatusFilter } from '../model/order.ts';
import { type Totals, totals } from './totals.ts';
import { hasSoundTotal, isRejectedPage, type ReadPage, readCount } from './window.ts';

export interface CountOptions extends CallOptions {
  /** False: throws `invalid_response` (`reason: 'untrusted_total'`) instead of walking the whole list. Default true. */
  walk?: boolean | undefined;
  /** Called after each request of a walk over the list, if one is needed. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
}

export interface StatusCounts {
  /**
   * Orders by status: the four of the API docs always, others if a walk read them, with an empty name for orders
   * without a status. Each is counted by its own request, so an order that changes its status during the count may
   * count twice or not at all.
   */
  counts: Record<StatusFilter, number> & Record<string, number>;
  /**
   * `total`: the API's count under each filter, whatever status the orders themselves show. `walk`: counted one by
   * one, since its `total` cannot be trusted.
   */
  source: 'total' | 'walk';
  /** False if a walk may have missed orders: see `gaps` of `totals`. */
  complete: boolean;
  /** List requests sent. */
  requests: number;
}

/**
 * Counts the orders of each status: four requests, five in case of doubt, and a walk over the whole list if `total`
 * does not count the filtered list (U-11).
 * @throws `invalid_response` with `walk: false` if a walk would be needed; then the errors of a call
 * @param readOne reads the single pages, `readAll` those of the walk
 */
export const countByStatus = async (
  readOne: ReadPage,
  readAll: ReadPage,
  options: CountOptions,
): Promise<StatusCounts> => {
  const { onProgress, walk = true } = options;
  let requests = 0;
  /** @returns undefined if the API rejects the request */
  const readTotal = async (status: StatusFilter | undefined): Promise<number | undefined> => {
    requests += 1;
    const query = { page: 1, perPage: 1, status };
    const list = await readOne(query).catch((error: unknown) => {
      if (isRejectedPage(error)) return undefined;
      throw error;
    });
    return list && trustedTotal(list, status);
  };

  const counts = await readCounts(readTotal);
  if (counts) return { counts, source: 'total', complete: true, requests };
  if (!walk) throw untrustedTotal();

  const walked = await totals(readAll, { onProgress });
  return {
    counts: sumByStatus(walked),
    source: 'walk',
    complete: walked.complete,
    requests: requests + walked.requests,
  };
};

const untrustedTotal = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: "The API's totals by status cannot be trusted",
    advice: 'Count with `totals()` instead.',
    reason: 'untrusted_total',
  });

/** @returns undefined if one of the totals cannot be trusted */
const readCounts = async (
  readTotal: (status: StatusFilter | undefined) => Promise<number | undefined>,
): Promise<StatusCounts['counts'] | undefined> => {
  const counts = noCounts();
  for (const status of orderStatuses) {
    const total = await readTotal(status);
    if (total === undefined) return undefined;
    counts[status] = total;
  }
  const [first = 0, ...others] = Object.values(counts);
  const isInDoubt = first > 0 && others.every((count) => count === first);
  return isInDoubt && (await readTotal(undefined)) !== first * orderStatuses.length ? undefined : counts;
};

/** `total`, if `pages` agrees with it, and the returned orders with the filter. */
const trustedTotal = (list: OrderList, status: StatusFilter | undefined): number | undefined => {
  const { orders, pagination } = list;
  const { total } = pagination;
  const isFiltered = orders.every((order) => status === undefined || order.status === status);
  const isThere = total > 0 === orders.length > 0;
  return hasSoundTotal(list, readCount(pagination.per_page, 1)) && isFiltered && isThere ? total : undefined;
};

const noCounts = (): StatusCounts['counts'] => ({ ausstehend: 0, bezahlt: 0, abgeschlossen: 0, storniert: 0 });

const sumByStatus = ({ groups }: Totals): StatusCounts['counts'] => {
  const counts = new Map(Object.entries(noCounts()));
  for (const { status, count } of groups) counts.set(status ?? '', (counts.get(status ?? '') ?? 0) + count);
  return Object.fromEntries(counts) as StatusCounts['counts'];
};
