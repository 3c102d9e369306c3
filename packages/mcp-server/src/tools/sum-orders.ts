import { fullPage, periodReader } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { argumentsForRest, describePart } from '../answers/describe-part.ts';
import { describeSums, sumShown } from '../answers/order-sums.ts';
import { afterWholeLimit, type Call, readOptions, showAll } from '../read/call.ts';
import { argumentsOf, type RangeQuery } from '../read/range.ts';
import { readRange } from '../read/read-range.ts';

/** `true` for one set of sums; `day`, `week` or `month` for one row of sums per period. */
export type Summary = true | 'day' | 'week' | 'month';

/**
 * Maximum number of pages in a list that is added up if no dates are given. In a longer list, orders are only counted
 * by status.
 */
const maxPages = 30;
/** Maximum number of requests for sums by day, so that there are no more days than one result can list. */
const maxRequestsByDay = 25;

/** Returns the counts and exact sums of a range. */
export const sumUpOrders = async (range: RangeQuery, summary: Summary, call: Call): Promise<object> => {
  const counts = range.from || range.before || summary !== true ? undefined : await countLongList(range, call);
  if (counts) return counts;
  const part = await readRange(range, summary === 'day' ? { maxRequests: maxRequestsByDay } : {}, call);
  const periodOf = summary === true ? undefined : periodReader(summary, range.timeZone);
  // Masking hides dates that are not in their documented form, but their periods may be shown.
  const orders = showAll(part.orders, call).map((order, index) => ({
    ...order,
    created_at: part.orders[index]?.created_at ?? '',
  }));
  return {
    ...(await describePart(part, argumentsForRest(part, { summary }), call)),
    count: orders.length,
    ...describeSums(sumShown(orders, periodOf)),
  };
};

/**
 * If the list has more than 30 pages, counts its orders by status, with five requests.
 * @returns undefined for a shorter list, or if the API does not count by status
 */
const countLongList = async (range: RangeQuery, call: Call): Promise<object | undefined> => {
  const { statuses } = range;
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  try {
    const { pagination } = await call.client.listOrders({ perPage: fullPage, status, ...readOptions(call) });
    if (pagination.pages <= maxPages) return undefined;
    const total = status ? undefined : pagination.total;
    const { counts } = await call.client.countByStatus({ walk: false, total, ...readOptions(call) });
    const asked = Object.entries(counts).filter(([name]) => statuses?.some((status) => status === name) ?? true);
    const sum = asked.reduce((sum, [, one]) => sum + one, 0);
    // Prefers the total of a single request: separate requests for each status can count an order twice, or not at all,
    // if its status changes between them.
    const isTotal = !statuses && Math.ceil(pagination.total / fullPage) === pagination.pages;
    const count = isTotal ? pagination.total : sum;
    const differs = `The counts in by_status add up to ${sum} instead of ${count}: each status is counted in a separate request, and orders may have changed in between. Some orders may also have a status that is not listed.`;
    return {
      complete: true,
      count,
      by_status: Object.fromEntries(asked),
      advice: `The counts include all orders. ${count === sum ? '' : `${differs} `}Sums are omitted, because adding up so many orders would take many calls. For the sums of a period, pass created_from and created_before; for the sums of all orders, call order_license_list_orders with the arguments in read_sums_with.`,
      read_sums_with: { ...argumentsOf({ ...range, from: new Date(0) }), summary: true },
    };
  } catch (error) {
    if (isOrderLicenseError(error) && error.reason === 'untrusted_total') return undefined;
    throw afterWholeLimit(error, call);
  }
};
