import { orderListShape } from '@order-license/core/masking';
import { OrderLicenseError, orderStatuses, statusReading } from '@order-license/core/portable';
import * as z from 'zod';
import { wholeNumber } from './arguments.ts';
import { instant } from './instant.ts';
import { orderId } from './order-id.ts';
import type { RangeQuery } from './read-range.ts';
import { searchOrders, sumUpOrders } from './search-orders.ts';
import { type Answer, defineTool, type ToolCall } from './tool.ts';

const statuses = orderStatuses.map((status) => `${status} (${statusReading(status)})`).join(', ');
const oneStatus = z.enum(orderStatuses);
const notAStatus = `\`status\` must be one of ${statuses}, or a list of these; leave it out for all orders`;

const input = z.strictObject(
  {
    page: wholeNumber('`page` must be a whole number from 1 up', Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Default 1; not for searches'),
    per_page: wholeNumber('`per_page` must be a whole number from 1 to 50', 50)
      .optional()
      .describe('Default 20; in a search, 100'),
    status: z.union([oneStatus, z.array(oneStatus).min(1, { error: notAStatus })], { error: notAStatus }).optional(),
    created_from: instant('created_from').optional().describe('Date or time, inclusive; UTC without an offset'),
    created_before: instant('created_before').optional().describe('The same, but exclusive'),
    summary: z
      .boolean({ error: '`summary` must be true or false' })
      .optional()
      .describe('Counts and sums instead of rows; includes cancelled orders unless status excludes them'),
  },
  {
    error:
      'list_orders takes `page`, `per_page`, `status`, `created_from`, `created_before` and `summary` only; it cannot search or filter by anything else',
  },
);
type Arguments = z.output<typeof input>;

export const listOrders = defineTool({
  name: 'list_orders',
  title: 'List orders',
  description: `Lists orders, newest first. Without dates, summary or several statuses, it returns one page of the API (1 request of 60 per minute). With any of them, it searches all orders, however old (up to 30 requests), and returns rows: columns names their values, same has the fields that all share. With summary, it returns counts and exact sums by currency and status instead. If complete is false, call again with the arguments in continue; parts never overlap, so add their sums. Cheap: summary alone counts orders by status; per_page 1 with page = pagination.total returns the oldest order. status is the order's state: ${statuses}. zahlungsstatus is the payment status: a completed order may be unpaid. For positions and license codes, use get_order.`,
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
    .describe(
      'A page: orders, pagination. A search: columns, rows, same, interval, complete, continue. A summary: by_currency, by_status, groups',
    ),
  documented: orderListShape,
  run(args, call) {
    const { created_from: from, created_before: before, summary } = args;
    const statuses = args.status && [...new Set([args.status].flat())];
    if (!from && !before && !summary && (statuses?.length ?? 0) < 2) return readPage(args, call);
    checkSearch(args);
    const query: RangeQuery = { statuses, from, before };
    return summary ? sumUpOrders(query, call) : searchOrders(query, call, args.per_page);
  },
});

/** One page as the service sends it. */
const readPage = async ({ page, per_page, status }: Arguments, { client, signal }: ToolCall): Promise<Answer> => {
  const { pagination, ...rest } = await client.listOrders({
    page,
    perPage: per_page,
    status: Array.isArray(status) ? status[0] : status,
    signal,
  });
  return { data: { ...rest, pagination } }; // how to continue comes last
};

/** @throws `bad_request` for conflicting arguments */
const checkSearch = ({ page, per_page, created_from, created_before, summary }: Arguments): void => {
  const refuse = (detail: string, advice: string): never => {
    throw new OrderLicenseError('bad_request', { detail, advice });
  };
  if (page !== undefined) {
    refuse(
      '`page` cannot be combined with dates, several statuses or `summary`',
      'Leave it out: `continue` in the answer has the next arguments.',
    );
  }
  if (summary && per_page !== undefined)
    refuse('`summary` has no rows, so `per_page` cannot be combined with it', 'Leave it out.');
  if (created_from && created_before && created_from >= created_before) {
    refuse(
      '`created_from` must be earlier than `created_before`, which is exclusive',
      'For one day, pass that day and the next.',
    );
  }
};
