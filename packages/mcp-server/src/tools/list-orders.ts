import { orderListShape, orderStatuses, statusReading } from '@order-license/core/portable';
import * as z from 'zod';
import { wholeNumber } from './arguments.ts';
import { orderId } from './order-id.ts';
import { defineTool } from './tool.ts';

const statuses = orderStatuses.map((status) => `${status} (${statusReading(status)})`).join(', ');

export const listOrders = defineTool({
  name: 'list_orders',
  title: 'List orders',
  description: `Lists the orders of the account, newest first, one page per call. Use it to find orders and their id; use get_order for positions and license keys. For all orders, call it for page 1 to pagination.pages. Order status: ${statuses}. Costs 1 of 60 requests per minute.`,
  input: z.strictObject(
    {
      page: wholeNumber('`page` has to be a whole number from 1 up', Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Default 1'),
      per_page: wholeNumber('`per_page` has to be a whole number from 1 to 50', 50).optional().describe('Default 20'),
      status: z
        .enum(orderStatuses, { error: `\`status\` has to be one of ${statuses}; leave it out for all orders` })
        .optional(),
    },
    { error: 'list_orders takes `page`, `per_page` and `status` only; it cannot search or filter by anything else' },
  ),
  output: z.looseObject({
    orders: z.array(
      z
        .looseObject({ id: orderId })
        .describe(
          'id, bestellnummer (order number), status, zahlungsstatus (payment status), gesamtpreis_brutto (gross total, decimal string), waehrung (currency), created_at (UTC), lieferstatus (delivery status)',
        ),
    ),
    pagination: z.looseObject({ pages: z.int() }).describe('page, per_page, total, pages'),
  }),
  documented: orderListShape,
  async run({ page, per_page, status }, { client, signal }) {
    const { pagination, ...rest } = await client.listOrders({ page, perPage: per_page, status, signal });
    return { ...rest, pagination }; // what says how to go on comes last
  },
});
