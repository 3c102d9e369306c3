import {
  isOrderLicenseError,
  type OrderLicenseError,
  type StatusCounts,
  type Totals,
  type TotalsOptions,
  toDate,
} from '@order-license/core/portable';
import { describePart } from '../answers/describe-part.ts';
import { describeSums, type Sums, sumsShape } from '../answers/order-sums.ts';
import { leftMs } from '../client/call-limits.ts';
import { afterWholeLimit } from '../read/after-whole-limit.ts';
import { argumentsOf, type RangeQuery } from '../read/range.ts';
import { type Gap, maxListRequests } from '../read/read-range.ts';
import type { Answer, ToolCall } from './tool.ts';

/** True for one row of sums; a period for one row of sums per period. */
export type Summary = true | 'day' | 'week' | 'month';

/** A longer list is counted by status instead of summed up, unless dates are given. */
const maxPages = 30;
/** So that there are at most as many days as an answer can name. */
const maxRequestsByDay = 25;

/** Counts and exact sums of a range. */
export const sumUpOrders = async (range: RangeQuery, summary: Summary, call: ToolCall): Promise<Answer> => {
  const isWholeList = !range.from && !range.before && summary === true;
  const counts = isWholeList ? await countLongList(range, call) : undefined;
  if (counts) return { data: {}, shape: () => counts };
  const { totals, interruption } = await readTotals(range, summary, call);
  const continueBefore = totals.continue?.createdBefore.getTime();
  const next = totals.continue && {
    ...argumentsOf({ ...range, before: totals.continue.createdBefore }),
    summary,
  };
  const gaps = totals.gaps.filter((gap): gap is Gap => gap !== 'unfinished');
  const undated = totals.unreadable.filter(({ field }) => field === 'created_at');
  const { groups, unreadable } = totals;
  return {
    data: { groups: groups.map(withStatesAsSent), unreadable },
    documented: sumsShape,
    shape: (shown) => ({
      ...describePart({
        range,
        part: { gaps, undated, continueBefore },
        interruption,
        requests: call.requests(),
        next,
      }),
      count: totals.orders,
      ...describeSums(shown as Sums),
    }),
  };
};

/** Core writes a state that is no text as JSON; as an object, it is masked like one. */
const withStatesAsSent = (group: Totals['groups'][number]): object => ({
  ...group,
  status: asSent(group.status),
  zahlungsstatus: asSent(group.zahlungsstatus),
  lieferstatus: asSent(group.lieferstatus),
});

const asSent = (state: string | null): unknown => {
  if (!state || !/^[[{]/.test(state)) return state;
  try {
    return JSON.parse(state);
  } catch {
    return state;
  }
};

/** What was counted until the end, the budget, or an error that the next call can go on after. */
const readTotals = async (
  { statuses, from, before, timeZone }: RangeQuery,
  summary: Summary,
  call: ToolCall,
): Promise<{ totals: Totals; interruption?: OrderLicenseError }> => {
  const { client, signal, endsAt, reportProgress } = call;
  let soFar: Totals | undefined;
  const options: TotalsOptions = {
    ...{ status: statuses, createdFrom: from, createdBefore: before, signal },
    ...(summary !== true && { groupBy: summary, timeZone }),
    maxRequests: summary === 'day' ? maxRequestsByDay : maxListRequests,
    priority: 'interactive',
    deadlineMs: leftMs(endsAt),
    onProgress(totals) {
      soFar = { ...totals };
      const { oldest, orders } = totals;
      reportProgress?.(`Read ${orders} orders${oldest ? `, back to ${oldest} UTC` : ''}.`);
    },
  };
  try {
    return { totals: await client.totals(options) };
  } catch (error) {
    const canGoOn = isOrderLicenseError(error) && error.retryable;
    if (!canGoOn || !soFar?.continue || soFar.orders === 0) throw afterWholeLimit(error, call);
    return { totals: soFar, interruption: error };
  }
};

/**
 * Of a list with more than 30 pages, the number of orders by status: five requests.
 * @returns undefined for a shorter list, and if the service does not count by status
 */
const countLongList = async (range: RangeQuery, call: ToolCall): Promise<object | undefined> => {
  const { client, signal, endsAt } = call;
  const status = range.statuses?.length === 1 ? range.statuses[0] : undefined;
  try {
    const { pagination, orders } = await client.listOrders({ perPage: 50, status, signal, deadlineMs: leftMs(endsAt) });
    if (pagination.pages <= maxPages) return undefined;
    const options = { walk: false, signal, priority: 'interactive', deadlineMs: leftMs(endsAt) } as const;
    const { counts } = await client.countByStatus(options);
    const total =
      status === undefined && Math.ceil(pagination.total / 50) === pagination.pages ? pagination.total : undefined;
    const newest = toDate(orders[0]?.created_at)?.getTime() ?? Date.now();
    // With an end, the sums are not those of the whole list.
    return describeCounts({ ...range, before: new Date(newest + 1000) }, counts, total);
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
