import { listOf, orderShape } from '@order-license/core/masking';
import { OrderLicenseError } from '@order-license/core/portable';
import * as z from 'zod';
import { compactRows } from '../answers/compact-rows.ts';
import { describePart } from '../answers/describe-part.ts';
import { rangeArguments, readRangeArguments } from '../read/range.ts';
import { productName } from './arguments.ts';
import { defineTool } from './tool.ts';

const notWhat = '`what` must be orders or codes';
const notComplete = 'Pass `what`, `created_from` and `created_before`, or `continue` alone';

export const exportOrders = defineTool({
  name: 'export_orders',
  title: 'Export to a file',
  description:
    "Writes the orders of a period, or all of its license codes, into a new CSV file in the export folder on the user's machine, for accounting or many codes: it takes few tokens. orders: 1 request per 50 orders; codes, or with product: 1 more per order. Returns the file name, the number of rows, sums and a first row without its key. A call lasts up to 45 s; if complete is false, call again with the arguments in continue.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject(
    {
      what: z.enum(['orders', 'codes'], { error: notWhat }).optional(),
      ...rangeArguments,
      product: productName.optional(),
      continue: z.string({ error: '`continue` must be the handle from the answer' }).optional(),
    },
    { error: notComplete },
  ),
  output: z.looseObject({}).describe('complete, continue, file, rows, orders, sums, first_row'),
  documented: { orders: listOf(orderShape) },
  async run({ what, product, continue: given, ...dates }, call) {
    const range = readRangeArguments(dates);
    const isNew = what !== undefined && range.from !== undefined && range.before !== undefined;
    const isAlone = what === undefined && product === undefined && Object.keys(dates).length === 0;
    if (given === undefined ? !isNew : !isAlone) throw new OrderLicenseError('bad_request', { detail: notComplete });
    // Loaded when it is first used, since few servers export.
    const { continueExport, startExport } = await import('../export/export-run.ts');
    const handle = given ?? (await startExport({ what: what ?? 'orders', range, product }, call.exportFolder ?? ''));
    const {
      handle: next,
      interruption,
      file,
      gaps,
      failed,
      ...done
    } = await continueExport(handle, call, call.masking);
    const part = { orders: [], continueBefore: undefined, gaps, undated: [], interruption: undefined };
    return {
      data: {},
      shape: () => ({
        ...describePart({
          part,
          interruption,
          requests: call.requests(),
          failed,
          next: next === undefined ? undefined : { continue: next },
        }),
        ...(file !== undefined && { file }),
        rows: done.rows,
        orders: done.orders,
        ...(done.groups.length > 0 && { sums: compactRows(done.groups.map(({ unreadable, ...group }) => group)) }),
        ...(done.unreadable > 0 && { not_in_sums: done.unreadable }),
        ...(done.first && { first_row: done.first }),
      }),
    };
  },
});
