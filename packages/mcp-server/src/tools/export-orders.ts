import { argumentError } from '@order-license/core/host';
import { listOf, orderShape } from '@order-license/core/masking';
import * as z from 'zod';
import { checkContinuing } from '../export/export-arguments.ts';
import { findOrderByNumber } from '../read/find-order.ts';
import { rangeArguments, readRangeArguments } from '../read/range.ts';
import { flag, orderNumber, productName, wholeNumber } from './arguments.ts';
import { defineTool } from './tool.ts';

const notComplete = 'Pass `what`, and either `order_number` or both `created_from` and `created_before`';
const fromResult = (name: string): string => `\`${name}\` must be the value in \`continue\` of the last result`;

export const exportOrders = defineTool({
  name: 'order_license_export_orders',
  title: 'Export to a file',
  description:
    "Writes a new CSV file to the export folder on the user's machine, with the orders in a period, the license codes from a period, or the license codes of one order. Use it for accounting or for many codes, because it needs few tokens. Costs 1 request per 50 orders, plus 1 per order for codes or with `product`. Returns the folder, the file name, the number of rows, sums, and the first row without its key. A call can take 45 s. If `complete` is false, call again with exactly the arguments in `continue`, then add the rows and sums of all parts.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject(
    {
      what: z.enum(['orders', 'codes'], { error: '`what` must be `orders` or `codes`' }),
      ...rangeArguments,
      order_number: orderNumber.optional().describe('bestellnummer; pass it instead of dates'),
      product: productName.optional(),
      csv: z
        .enum(['comma', 'semicolon'], { error: '`csv` must be comma or semicolon' })
        .optional()
        .describe('Default comma; semicolon, with decimal commas, for Excel in German'),
      file: z
        .string({ error: fromResult('file') })
        .optional()
        .describe('This and the next: only from `continue`'),
      bytes: wholeNumber(fromResult('bytes')).optional(),
      incomplete: flag('incomplete').optional(),
      check: z.string({ error: fromResult('check') }).optional(),
    },
    { error: notComplete },
  ),
  output: z.looseObject({}).describe('complete, continue, folder, file, rows, orders, sums, first_row'),
  documented: { orders: listOf(orderShape) },
  async run(args, { exportFolder = '', ...call }) {
    const { what, product, order_number, csv = 'comma', file, bytes = 0, incomplete = false, check } = args;
    const range = readRangeArguments(args);
    const isOneOrder = Object.keys(rangeArguments).every((name) => !(name in args));
    if (!(order_number === undefined ? range.from && range.before : isOneOrder)) throw argumentError(notComplete);
    const request = {
      ...{ what, csv, product, orderNumber: order_number, range, incomplete },
      file: file === undefined ? undefined : { name: file, bytes },
    };
    checkContinuing(request, check);
    // Loaded on first use, because few servers export.
    const { runExport } = await import('../export/export-run.ts');
    const order = order_number === undefined ? undefined : await findOrderByNumber(order_number, call);
    return runExport(request, order, exportFolder, call);
  },
});
