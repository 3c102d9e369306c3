import { argumentError } from '@order-license/core/host';
import { listOf, orderShape } from '@order-license/core/masking';
import * as z from 'zod';
import { checkContinuing } from '../export/export-arguments.ts';
import { findOrderByNumber } from '../read/find-order.ts';
import { rangeArguments, readRangeArguments } from '../read/range.ts';
import { orderNumber, productName, wholeNumber } from './arguments.ts';
import { defineTool } from './tool.ts';

const notComplete = 'Pass `what`, and either `order_number` or both `created_from` and `created_before`';

export const exportOrders = defineTool({
  name: 'order_license_export_orders',
  title: 'Export to a file',
  description:
    "Writes a new CSV file to the export folder on the user's machine, with the orders in a period, the license codes from a period, or the license codes of one order. Use it for accounting or for many codes, because it needs few tokens. Costs 1 request per 40 orders, plus 1 per order for codes or with `product`. Returns the folder, the file name, the number of rows, sums, and the first row without its key. A call can take 45 s. If `complete` is false, call again with exactly the arguments in `continue`, then add the rows and sums of all parts.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject(
    {
      what: z.enum(['orders', 'codes']),
      ...rangeArguments,
      order_number: orderNumber.optional().describe('bestellnummer; pass it instead of dates'),
      product: productName.optional(),
      csv: z
        .enum(['comma', 'semicolon'])
        .optional()
        .describe('Default comma; semicolon, with decimal commas, for Excel in German'),
      file: z.string().optional().describe('Copy `file`, `bytes`, `incomplete` and `check` from `continue`'),
      bytes: wholeNumber.optional(),
      incomplete: z.boolean().optional(),
      check: z.string().optional(),
    },
    { error: notComplete },
  ),
  output: z.looseObject({}).describe('complete, continue, folder, file, rows, orders, sums, first_row'),
  documented: { orders: listOf(orderShape) },
  async run(args, { exportFolder = '', ...call }) {
    const { order_number } = args;
    const range = readRangeArguments(args);
    const isOneOrder = Object.keys(rangeArguments).every((name) => !(name in args));
    if (!(order_number === undefined ? range.from && range.before : isOneOrder)) throw argumentError(notComplete);
    checkContinuing(args);
    // Loaded on first use, because few servers export.
    const { runExport } = await import('../export/export-run.ts');
    const order = order_number === undefined ? undefined : await findOrderByNumber(order_number, call);
    return runExport(args, range, order, exportFolder, call);
  },
});
