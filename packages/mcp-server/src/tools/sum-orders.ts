import { isOrderLicenseError, type StatusCounts } from '@order-license/core/portable';
import { describePart } from '../answers/describe-part.ts';
import { describeSums } from '../answers/order-sums.ts';
import { leftMs } from '../client/call-limits.ts';
import { afterWholeLimit } from '../read/after-whole-limit.ts';
import { argumentsOf, type RangeQuery } from '../read/range.ts';
import { maxListRequests, type RangeBudget, readRange } from '../read/read-range.ts';
import { type Answer, shapedAnswer, type ToolCall } from './tool.ts';

/** A longer list is counted by status instead of summed up, unless dates are given. */
const maxPages = 30;

/** Counts and exact sums of a range. */
export const sumUpOrders = async (range: RangeQuery, call: ToolCall): Promise<Answer> => {
  const budget: RangeBudget = { maxOrders: Number.POSITIVE_INFINITY, maxRequests: maxListRequests };
  const isWholeList = !range.from && !range.before;
  // Sums that take many calls are seldom wanted; the number of orders is known at once.
  const stopsAfter = isWholeList ? ({ pages }: { pages: number }) => pages > maxPages : undefined;
  let part = await readRange(range, { ...budget, stopsAfter }, call);
  if (part.stopped) {
    const { newest, total } = part.stopped;
    const before = new Date(newest + 1000);
    const counts = await readCounts(call);
    if (counts) return { data: {}, shape: () => describeCounts({ ...range, before }, counts, total) };
    part = await readRange(range, budget, call);
  }
  const { continueBefore } = part;
  const next = continueBefore !== undefined && {
    ...argumentsOf({ ...range, before: new Date(continueBefore) }),
    summary: true,
  };
  return shapedAnswer({ orders: part.orders }, ({ orders }) => ({
    ...describePart({ range, part, requests: call.requests(), next: next || undefined }),
    count: orders.length,
    ...describeSums(orders),
  }));
};

/** @returns undefined if the service does not count by status */
const readCounts = async (call: ToolCall): Promise<StatusCounts['counts'] | undefined> => {
  try {
    const { client, signal, endsAt } = call;
    const options = { walk: false, signal, priority: 'interactive', deadlineMs: leftMs(endsAt) } as const;
    return (await client.countByStatus(options)).counts;
  } catch (error) {
    if (isOrderLicenseError(error) && error.reason === 'untrusted_total') return undefined;
    throw afterWholeLimit(error, call);
  }
};

/** @param total counted by one request, so an order that changes its status meanwhile counts once */
const describeCounts = (range: RangeQuery, counts: StatusCounts['counts'], total: number | undefined): object => {
  const sum = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const advice = [
    'The counts include all orders.',
    ...(total === undefined || total === sum ? [] : [differs(sum)]),
    'Sums of so many orders take many calls and are left out: for the sums of a period, pass created_from and created_before; for those of all orders, start with read_sums_with.',
  ];
  return {
    complete: true,
    count: total ?? sum,
    by_status: counts,
    advice: advice.join(' '),
    read_sums_with: { ...argumentsOf(range), summary: true },
  };
};

const differs = (sum: number): string =>
  `by_status adds up to ${sum}: each status is counted by its own request, and orders changed meanwhile or have another status.`;
