import { isOrderLicenseError, type StatusCounts } from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { describeSums, maxNamed } from '../answers/order-sums.ts';
import { callLimits } from '../client/call-limits.ts';
import { afterWholeLimit } from './after-whole-limit.ts';
import { instantText } from './instant.ts';
import { type Gap, type RangeBudget, type RangePart, type RangeQuery, readRange } from './read-range.ts';
import { retryAfter } from './retry-after.ts';
import { type Answer, shapedAnswer, type ToolCall } from './tool.ts';

const maxRequests = 30;
const maxOrders = 100;

/**
 * Orders of a range as compact rows: at most 30 list requests a call.
 * @param perCall maximum orders per call
 */
export const searchOrders = async (query: RangeQuery, call: ToolCall, perCall = maxOrders): Promise<Answer> => {
  const part = await readRange(query, { maxOrders: perCall, maxRequests }, call);
  const further = perCall === maxOrders ? {} : { per_page: perCall };
  return shapedAnswer({ orders: part.orders }, ({ orders }) => ({
    count: orders.length,
    ...compactRows(orders),
    ...describeEnd(query, part, further),
  }));
};

/** Counts and exact sums of a range: at most 30 list requests a call. */
export const sumUpOrders = async (query: RangeQuery, call: ToolCall): Promise<Answer> => {
  const budget: RangeBudget = { maxOrders: Number.POSITIVE_INFINITY, maxRequests };
  const isWholeList = !query.from && !query.before;
  // Sums that take many calls are seldom wanted; the number of orders is known at once.
  const stopsAfter = isWholeList ? ({ pages }: { pages: number }) => pages > maxRequests : undefined;
  const endsAt = performance.now() + callLimits.deadlineMs;
  const leftMs = () => Math.max(1, endsAt - performance.now());
  let part = await readRange(query, { ...budget, stopsAfter }, call);
  if (part.stopped) {
    const { newest, total } = part.stopped;
    const before = new Date(newest + 1000);
    const counts = await readCounts(call, leftMs());
    if (counts) return { data: {}, shape: () => describeCounts({ ...query, before }, counts, total) };
    part = await readRange(query, { ...budget, deadlineMs: leftMs() }, call);
  }
  return shapedAnswer({ orders: part.orders }, ({ orders }) => ({
    count: orders.length,
    ...describeSums(orders),
    ...describeEnd(query, part, { summary: true }),
  }));
};

/** @returns undefined if the service does not count by status */
const readCounts = async (call: ToolCall, deadlineMs: number): Promise<StatusCounts['counts'] | undefined> => {
  try {
    const { client, signal } = call;
    return (await client.countByStatus({ walk: false, signal, priority: 'interactive', deadlineMs })).counts;
  } catch (error) {
    if (isOrderLicenseError(error) && error.reason === 'untrusted_total') return undefined;
    throw afterWholeLimit(error, call);
  }
};

/** @param total counted by one request, so an order that changes its status meanwhile counts once */
const describeCounts = (query: RangeQuery, counts: StatusCounts['counts'], total: number | undefined): object => {
  const sum = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const advice = [
    'The counts include all orders.',
    ...(total === undefined || total === sum ? [] : [differs(sum)]),
    'Sums of so many orders take many calls and are left out: for the sums of a period, pass created_from and created_before; for those of all orders, start with read_sums_with.',
  ];
  return {
    count: total ?? sum,
    by_status: counts,
    complete: true,
    advice: advice.join(' '),
    read_sums_with: { ...argumentsOf(query), summary: true },
  };
};

const differs = (sum: number): string =>
  `by_status adds up to ${sum}: each status is counted by its own request, and orders changed meanwhile or have another status.`;

/** The arguments that ask for this range. */
const argumentsOf = ({ statuses, from, before }: RangeQuery): object => ({
  ...(statuses && { status: statuses.length === 1 ? statuses[0] : statuses }),
  ...(from && { created_from: instantText(from.getTime()) }),
  ...(before && { created_before: instantText(before.getTime()) }),
});

const reasons: Record<Gap, string> = {
  unsorted: 'The service does not sort its list by date, so orders may be missing.',
  undated: 'Orders with an unreadable date are left out; `undated` counts and lists them.',
  unseen: 'The service counts more orders than it returns.',
  unsearched: 'The search ended before it reached the interval: read the list by `page` instead.',
};

/**
 * Says how far the answer reaches, and how to continue.
 * @param further arguments besides those of the range
 */
const describeEnd = (query: RangeQuery, part: RangePart, further: object): object => {
  const { from, before } = query;
  const { continueBefore, gaps, undated, interruption } = part;
  const begins = continueBefore ?? from?.getTime();
  const advice = [
    ...gaps.map((gap) => reasons[gap]),
    ...(interruption ? [interruption.message] : []),
    ...(continueBefore === undefined ? [] : ['The answer is incomplete: call again with the arguments in `continue`.']),
  ];
  return {
    interval: {
      created_from: begins === undefined ? null : instantText(begins),
      created_before: before ? instantText(before.getTime()) : null,
      zone: 'UTC',
    },
    ...(undated.length > 0 && {
      undated: { count: undated.length, ids: undated.slice(0, maxNamed).map(({ id }) => id) },
    }),
    complete: gaps.length === 0 && continueBefore === undefined,
    ...(gaps.length > 0 && { gaps }),
    ...(interruption && { interrupted_by: interruption.code, ...retryAfter(interruption) }),
    ...(advice.length > 0 && { advice: advice.join(' ') }),
    ...(continueBefore !== undefined && {
      continue: { ...argumentsOf({ ...query, before: new Date(continueBefore) }), ...further },
    }),
  };
};
