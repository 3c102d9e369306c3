import { argumentError } from '@order-license/core/host';
import { listOf, orderListShape, orderShape } from '@order-license/core/masking';
import * as z from 'zod';
import { readOptions } from '../read/call.ts';
import { rangeArguments, readRangeArguments, statusReadings } from '../read/range.ts';
import { maxListRequests } from '../read/read-range.ts';
import { orderId, productName, wholeNumber } from './arguments.ts';
import { searchOrders } from './search-orders.ts';
import { sumUpOrders } from './sum-orders.ts';
import { defineTool, type ToolCall } from './tool.ts';

const input = z.strictObject(
  {
    page: wholeNumber('`page` must be a positive whole number')
      .optional()
      .describe('Default 1; not allowed in a search'),
    per_page: wholeNumber('`per_page` must be a whole number from 1 to 50', 50)
      .optional()
      .describe('Default 20, or 100 in a search'),
    ...rangeArguments,
    product: productName.optional().describe('Only orders with a product whose name contains this text'),
    summary: z
      .union(
        [
          // Some model providers reject a schema with a description beside `anyOf`.
          z
            .boolean()
            .describe(
              'true, or day, week or month for one row per period; includes cancelled orders unless `status` is set',
            ),
          z.enum(['day', 'week', 'month']),
        ],
        { error: '`summary` must be true, false, day, week or month' },
      )
      .optional(),
  },
  {
    error:
      'order_license_list_orders can search and filter only by `status`, `created_from`, `created_before`, `time_zone` and `product`; it also accepts `page`, `per_page` and `summary`',
  },
);
type Arguments = z.output<typeof input>;

export const listOrders = defineTool({
  name: 'order_license_list_orders',
  title: 'List orders',
  description: `Lists orders, newest first. Without dates, \`product\`, \`summary\` or several statuses, returns one page (1 request). Otherwise, searches all orders (up to ${maxListRequests} requests, plus 1 per order with \`product\`) and returns a table: \`columns\` names the values in each row, and \`same\` holds the fields common to all rows. With \`summary\`, returns exact counts and sums by currency, \`status\`, \`zahlungsstatus\` and \`lieferstatus\`. If \`complete\` is false, call again with the arguments in \`continue\`, then add the sums of all parts. To count orders by status in few requests, pass only \`summary\`. \`status\` is one of ${statusReadings}. The payment status, \`zahlungsstatus\`, is independent: bezahlt and abgeschlossen orders can be unpaid. For line items and codes, use \`order_license_get_order\`.`,
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
    .describe('Page: orders, pagination. Search: a table. Summary: by_currency, groups, periods'),
  documented: { ...orderListShape, orders: listOf(orderShape) },
  run(args, call) {
    const { page, per_page, product, summary } = args;
    const range = readRangeArguments(args);
    if (!range.from && !range.before && !summary && product === undefined && (range.statuses?.length ?? 0) < 2) {
      if (args.time_zone !== undefined)
        throw argumentError(
          '`time_zone` requires dates, `product`, several statuses or `summary`',
          'Omit `time_zone`: the times in a page are always in UTC.',
        );
      return readPage(args, call);
    }
    if (page !== undefined) {
      throw argumentError(
        '`page` cannot be combined with dates, `product`, several statuses or `summary`',
        'Omit `page`: `continue` in the result holds the arguments for the next part.',
      );
    }
    if (!summary) return searchOrders(range, { per_page, product }, call);
    if (per_page !== undefined)
      throw argumentError('`summary` lists no orders, so `per_page` cannot be combined with it', 'Omit `per_page`.');
    if (product !== undefined)
      throw argumentError(
        '`summary` counts whole orders, so `product` cannot be combined with it',
        'Omit one of them.',
      );
    return sumUpOrders(range, summary, call);
  },
});

/** Returns one page as the API sends it, with the pagination last. */
const readPage = async ({ page, per_page, status }: Arguments, call: ToolCall): Promise<object> => {
  const query = { page, perPage: per_page, status: status?.[0], ...readOptions(call) };
  const { pagination, ...rest } = await call.client.listOrders(query);
  return call.show({ ...rest, pagination });
};
