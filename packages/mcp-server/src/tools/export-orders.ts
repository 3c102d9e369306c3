import { argumentError } from '@order-license/core/host';
import { listOf, orderShape } from '@order-license/core/masking';
import * as z from 'zod';
import { rangeArguments, readRangeArguments } from '../read/range.ts';
import { orderNumber, productName } from './arguments.ts';
import { findOrderByNumber } from './find-order-by-number.ts';
import { defineTool } from './tool.ts';

const notWhat = '`what` must be `orders` or `codes`';
const notComplete =
  'Pass `what`, and either `order_number` or both `created_from` and `created_before`; to continue, pass only `continue`';

export const exportOrders = defineTool({
  name: 'order_license_export_orders',
  title: 'Export to a file',
  description:
    "Writes a new CSV file to the export folder on the user's machine, with the orders in a period, the license codes from a period, or the license codes of one order. Use it for accounting or for many codes, because it needs few tokens. Costs 1 request per 50 orders, plus 1 per order for codes or with `product`. Returns the file name, the number of rows, sums, and the first row without its key. A call can take 45 s. If `complete` is false, call again with only the `continue` handle from the result.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject(
    {
      what: z.enum(['orders', 'codes'], { error: notWhat }).optional(),
      ...rangeArguments,
      order_number: orderNumber.optional().describe('bestellnummer; pass it instead of dates'),
      product: productName.optional(),
      continue: z.string({ error: '`continue` must be the handle from the result' }).optional(),
    },
    { error: notComplete },
  ),
  output: z.looseObject({}).describe('complete, continue, file, rows, orders, sums, first_row'),
  documented: { orders: listOf(orderShape) },
  async run({ continue: given, ...args }, { exportFolder = '', ...call }) {
    const { what = 'orders', product, order_number, ...dates } = args;
    const range = readRangeArguments(dates);
    const hasOrder = order_number !== undefined;
    const isNew = hasOrder ? Object.values(dates).every(isMissing) : range.from && range.before;
    if (given === undefined ? !args.what || !isNew : !Object.values(args).every(isMissing)) {
      throw argumentError(notComplete);
    }
    // Loaded on first use, because few servers export.
    const { runExport } = await import('../export/export-run.ts');
    if (given !== undefined) return runExport(given, exportFolder, call);
    const orders = hasOrder ? [await findOrderByNumber(order_number, call)] : [];
    const wanted = { orders, range: hasOrder ? undefined : range };
    return runExport({ what, product, wanted }, exportFolder, call);
  },
});

const isMissing = (value: unknown): boolean => value === undefined;
