import { argumentError, fullPage, periodReader } from '@order-license/core/host';
import { listOf, orderListShape, orderShape } from '@order-license/core/masking';
import { isOrderLicenseError, type OrderSummary } from '@order-license/core/portable';
import * as z from 'zod';
import { entriesThatFit } from '../answers/budget.ts';
import { argumentsForRest, describePart, maxNamed, tableOf, unlessEmpty } from '../answers/list-answer.ts';
import { showAll } from '../answers/masked-answer.ts';
import { describeSums, sumShown } from '../answers/order-sums.ts';
import { selectProduct } from '../answers/order-tables.ts';
import { afterWholeLimit, type Call, readOptions } from '../client/one-call.ts';
import { endBefore, listPart, maxListRequests, type Part } from '../read/list-part.ts';
import {
  isUndated,
  type Listed,
  limitsOf,
  localText,
  type RangeQuery,
  rangeArguments,
  readRangeArguments,
  stateArguments,
  statusReadings,
} from '../read/range.ts';
import { maxReads, readPart } from '../read/read-part.ts';
import { orderId, productName, wholeNumber } from './arguments.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject(
  {
    page: wholeNumber.optional().describe('Not allowed in a search'),
    per_page: wholeNumber.max(fullPage).optional().describe('Default 20, or 100 in a search'),
    ...rangeArguments,
    ...stateArguments,
    product: productName.optional().describe('Part of a product name'),
    summary: z
      .union([
        // Some model providers reject a schema with a description next to `anyOf`.
        z.boolean().describe('true, or day, week or month for one row per period'),
        z.enum(['day', 'week', 'month']),
      ])
      .optional(),
  },
  {
    error:
      'order_license_list_orders can search and filter only by `status`, `zahlungsstatus`, `lieferstatus`, `created_from`, `created_before`, `time_zone` and `product`; it also accepts `page`, `per_page` and `summary`',
  },
);
type Arguments = z.output<typeof input>;

export const listOrders = defineTool({
  name: 'order_license_list_orders',
  title: 'List orders',
  description: `Lists orders, newest first. With only \`page\`, \`per_page\` and one \`status\`, returns one page (1 request). Otherwise, searches (1 request per 40 orders, up to ${maxListRequests}, plus 1 per order with \`product\`) and returns a table: \`columns\` names the values in each row, and \`same\` holds the fields common to all rows. \`summary\` returns exact counts and sums by currency and status, cancelled orders included; without dates, more than 1,500 orders are only counted by status (5 to 7 requests). If \`complete\` is false, call again with the arguments in \`continue\`, then add the sums of all parts. \`status\` is one of ${statusReadings}. The payment status, \`zahlungsstatus\`, is independent: bezahlt and abgeschlossen orders can be unpaid. For items and codes, use \`order_license_get_order\`.`,
  input,
  output: z
    .looseObject({
      orders: z
        .array(
          z
            .looseObject({ id: orderId })
            .describe(
              'id, bestellnummer (order number), status, zahlungsstatus, gesamtpreis_brutto (gross total, decimal string), waehrung (currency), created_at (UTC), lieferstatus (delivery status)',
            ),
        )
        .optional(),
      pagination: z.looseObject({ pages: z.int() }).optional().describe('page, per_page, total, pages'),
    })
    .describe('Search: a table. Summary: by_status, by_currency, groups, periods'),
  documented: { ...orderListShape, orders: listOf(orderShape) },
  run(args, call) {
    const { page, product, summary } = args;
    const range = readRangeArguments(args);
    const { statuses = [] } = range;
    if (!(isFiltered(args) || summary || product !== undefined || statuses.length > 1)) {
      if (range.timeZone !== 'UTC') {
        throw argumentError(
          `\`time_zone\` requires ${searches}`,
          'Omit `time_zone`: the times in a page are always in UTC.',
        );
      }
      return readPage(args, call);
    }
    // Models often pass the first page, which is where a search begins.
    if (page !== undefined && page > 1) {
      throw argumentError(
        `\`page\` cannot be combined with ${searches}`,
        'Omit `page`: `continue` in the result holds the arguments for the next part.',
      );
    }
    const more = { ...args, page: undefined, summary: summary || undefined };
    if (!summary) return searchOrders(range, more, call);
    if (product !== undefined)
      throw argumentError(
        '`summary` counts whole orders, so `product` cannot be combined with it',
        'Omit one of them.',
      );
    return sumUpOrders(range, { ...more, summary }, call);
  },
});

/** The API cannot filter by these arguments, so the server reads orders to compare them. */
const filters = ['created_from', 'created_before', 'zahlungsstatus', 'lieferstatus'] as const;
const isFiltered = (args: Arguments): boolean => filters.some((name) => args[name] !== undefined);

const searches = 'dates, `product`, `zahlungsstatus`, `lieferstatus`, several statuses or `summary`';

/** Returns one page as the API sends it, with the pagination last. */
const readPage = async ({ page, per_page, status }: Arguments, call: Call): Promise<object> => {
  const query = { page, perPage: per_page, status: status?.[0], ...readOptions(call) };
  const { pagination, ...rest } = await call.client.listOrders(query);
  const shown = call.show({ ...rest, pagination });
  call.record(shown.orders);
  return shown;
};

/** Maximum number of orders in the result of a search. */
const maxOrders = 100;

/** Returns the orders in a range as a table. */
const searchOrders = async (range: RangeQuery, args: Arguments, call: Call): Promise<object> => {
  const { per_page = maxOrders, product } = args;
  const inFull = product !== undefined;
  const most = inFull ? Math.min(per_page, maxReads) : per_page;
  const part = await (inFull
    ? readPart({ from: range, maxOrders: most }, call)
    : listPart(range, { maxOrders: most }, call));
  const { interruption, listed, left } = part;
  if (interruption && left.length > 0 && left.length === listed.length) throw afterWholeLimit(interruption, call);
  // The result contains no line items, so it does not name what is masked in them.
  const selected = inFull ? selectProduct(call.peek({ orders: part.orders }).orders, product) : undefined;
  const ids = new Set((selected?.orders ?? listed).map(({ id }) => String(id)));
  const found = listed.filter(({ id }) => ids.has(String(id))) as OrderSummary[];
  const orders = showAll(found, call, inFull ? part.orders : undefined);
  const requestsLeft = await call.client.requestsLeft();
  const answerWith = (count: number): object => {
    const cut = cutBefore({ ...part, gaps: [...part.gaps, ...(selected?.gaps ?? [])] }, found[count]);
    return {
      ...describePart(cut, argumentsForRest(cut, args), call, requestsLeft),
      count,
      products: selected?.products,
      seen: otherStates(part, found, call),
      ...tableOf(orders.slice(0, count)),
    };
  };
  const count = entriesThatFit(Math.min(found.length, most), (count) => call.fits(answerWith(count)));
  call.record(orders.slice(0, count));
  return answerWith(count);
};

/** Ends a part before this order. Undated orders after it are only named, because the next part searches by date. */
const cutBefore = (part: Part, next: Listed | undefined): Part => {
  const { left, ...cut } = endBefore(part, next);
  return { ...cut, left: [], undated: [...cut.undated, ...left.filter(isUndated).map(({ id }) => id)] };
};

/** If no order of the range has the requested payment and delivery statuses, names the statuses that occur. */
const otherStates = ({ unwanted }: Part, found: readonly OrderSummary[], call: Call): object | undefined => {
  if (found.length > 0 || unwanted.length === 0) return undefined;
  const shown = showAll(unwanted, call);
  const valuesOf = (values: readonly unknown[]) => [...new Set(values)].slice(0, maxNamed);
  return {
    zahlungsstatus: valuesOf(shown.map(({ zahlungsstatus }) => zahlungsstatus)),
    lieferstatus: valuesOf(shown.map(({ lieferstatus }) => lieferstatus)),
  };
};

/** `true` for one set of sums; `day`, `week` or `month` for one row of sums per period. */
type Summary = true | 'day' | 'week' | 'month';

/**
 * Maximum number of pages in a list that is added up if no dates are given. In a longer list, orders are only counted
 * by status.
 */
const maxPages = 30;
/** Maximum number of requests for sums by day: a result has no room for the days of more orders. */
const maxRequestsByDay = 25;

/** Returns the counts and exact sums of a range. */
const sumUpOrders = async (range: RangeQuery, args: Arguments & { summary: Summary }, call: Call): Promise<object> => {
  const { summary } = args;
  const counts = isFiltered(args) || summary !== true ? undefined : await countLongList(range, args, call);
  if (counts) return counts;
  const maxRequests = summary === 'day' ? maxRequestsByDay : undefined;
  const part = await listPart(range, { maxRequests }, call);
  const found = part.listed as OrderSummary[];
  const periodOf = summary === true ? undefined : periodReader(summary, range.timeZone);
  // Masking hides dates that are not in their documented form, but their periods may be shown.
  const orders = showAll(found, call).map((order, index) => ({ ...order, created_at: found[index]?.created_at ?? '' }));
  const requestsLeft = await call.client.requestsLeft();
  const answerWith = (count: number): object => {
    const cut = cutBefore(part, found[count]);
    return {
      ...describePart(cut, argumentsForRest(cut, args), call, requestsLeft),
      count,
      partial_periods: periodOf && partialPeriods({ ...range, from: cut.rest?.before ?? range.from }, periodOf),
      seen: otherStates(part, found, call),
      ...describeSums(sumShown(orders.slice(0, count), periodOf)),
    };
  };
  return answerWith(entriesThatFit(found.length, (count) => call.fits(answerWith(count))));
};

/** Names the periods that a range covers only in part: those in which it begins or ends. */
const partialPeriods = ({ from, before }: RangeQuery, periodOf: (order: OrderSummary) => string | null) => {
  const periodAt = (ms: number) => periodOf({ created_at: localText(ms, 'UTC') } as OrderSummary);
  const split = [from, before].flatMap((date) => {
    const period = date && periodAt(date.getTime());
    return date && period === periodAt(date.getTime() - 1000) ? [period] : [];
  });
  return unlessEmpty([...new Set(split)]);
};

/**
 * If the list has more than 30 pages, counts its orders by status, with five to seven requests.
 * @returns undefined for a shorter list, or if the API does not count by status
 */
const countLongList = async (range: RangeQuery, args: Arguments, call: Call): Promise<object | undefined> => {
  const { statuses } = range;
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  try {
    const { pagination } = await call.client.listOrders({ perPage: fullPage, status, ...readOptions(call) });
    if (pagination.pages <= maxPages) return undefined;
    const total = status ? undefined : pagination.total;
    const { counts, complete } = await call.client.countByStatus({ total, ...readOptions(call) });
    const asked = Object.entries(counts).filter(([name]) => statuses?.some((status) => status === name) ?? true);
    const sum = asked.reduce((sum, [, one]) => sum + one, 0);
    // Separate requests for each status can count an order twice, or not at all, if its status changes between them.
    const count = statuses || complete ? sum : pagination.total;
    const differs = `The counts in by_status add up to ${sum} instead of ${count}: each status is counted in a separate request, and orders may have changed in between. Some orders may also have a status that is not listed. `;
    return {
      complete: true,
      count,
      by_status: Object.fromEntries(asked),
      advice: `The counts include all orders. ${count === sum ? '' : differs}Sums are omitted, because adding up so many orders would take many calls. For the sums of a period, pass created_from and created_before; for the sums of all orders, call order_license_list_orders with the arguments in read_sums_with.`,
      read_sums_with: { ...args, ...limitsOf({ ...range, from: new Date(0) }) },
    };
  } catch (error) {
    if (isOrderLicenseError(error) && error.reason === 'untrusted_total') return undefined;
    throw afterWholeLimit(error, call);
  }
};
