import { randomBytes } from 'node:crypto';
import { hasLicenseCodes, isOrderLicenseError, type Order, type OrderSummary } from '@order-license/core/portable';
import { describePart } from '../answers/list-answer.ts';
import { showAll } from '../answers/masked-answer.ts';
import { sumShown, sumTable } from '../answers/order-sums.ts';
import { selectProduct } from '../answers/order-tables.ts';
import type { Call } from '../client/one-call.ts';
import { emptyPart, listPart, type Part } from '../read/list-part.ts';
import { limitsOf, localText, type RangeQuery } from '../read/range.ts';
import { readPart } from '../read/read-part.ts';
import { continuing, type ExportArguments } from './export-arguments.ts';
import { type ExportFile, openExportFile } from './export-file.ts';
import { exampleOf, headOf, linesOf, rowsOf } from './export-rows.ts';

/** Number of orders that are listed before they are read. */
const maxDetails = 100;
/** Number of orders in a part that needs only their list entries. Finding the next part also takes requests. */
const maxEntries = 2_000;
/** Time reserved for closing the file, ms. */
const closingMs = 2_000;

/**
 * Writes to the file of an export until it is complete, or the call's time or the rate limit is used up. If the call
 * fails, removes a file that it began; a file that it continued stays as it is, because the same call can be repeated.
 * @param order the list entry of the only order; undefined to export the range
 * @returns what this call has written, with the file's name if the export is complete, or otherwise how to continue
 * @throws `bad_request` if the file cannot be continued; `configuration` if it cannot be written
 */
export const runExport = async (
  args: ExportArguments,
  range: RangeQuery,
  order: OrderSummary | undefined,
  folder: string,
  call: Call,
): Promise<object> => {
  const { what, csv, file: begun, bytes, incomplete } = args;
  const name = begun ?? newName(args, range);
  const file = await openExportFile(folder, name, begun === undefined ? undefined : bytes);
  try {
    if (!begun) await file.write(headOf(what, csv));
    const { read, answer } = await writeOrders(args, range, order, file, call);
    const { rest, gaps, failed } = read;
    const isWhole = !incomplete && gaps.length === 0 && failed.length === 0;
    const continued = { file: name, bytes: file.bytes(), incomplete: isWhole ? undefined : true };
    const next = rest && continuing(args, { ...limitsOf(rest), ...continued });
    return {
      ...describePart(read, next, call, await call.client.requestsLeft()),
      ...(!isWhole && { complete: false }),
      earlier_parts: incomplete ? 'incomplete' : undefined,
      folder,
      file: next ? undefined : await file.finish(isWhole),
      ...answer,
    };
  } catch (error) {
    if (!begun) await file.discard();
    throw error;
  } finally {
    await file.close();
  }
};

/** Names a file after the first and the last day in it, or after its only order. */
const newName = ({ what, order_number }: ExportArguments, { from, before, timeZone }: RangeQuery): string => {
  const dayOf = (ms: number): string => localText(ms, timeZone).slice(0, 10);
  const about =
    order_number === undefined
      ? [dayOf(Number(from)), dayOf(Number(before) - 1)]
      : [(order_number.match(/[\w.-]+/g)?.join('-') ?? 'order').slice(0, 60)];
  const name = [what === 'codes' ? 'license-codes' : 'orders', ...about, randomBytes(4).toString('hex')];
  return `${name.join('_')}.csv.partial`;
};

/** Writes orders until none is left or the time is up. Returns what was read, what remains, and the counts and sums. */
const writeOrders = async (
  args: ExportArguments,
  range: RangeQuery,
  order: OrderSummary | undefined,
  file: ExportFile,
  call: Call,
) => {
  const { what, csv, product } = args;
  const endsAt = call.endsAt - closingMs;
  const parts: Part[] = [];
  const written: Order[] = [];
  let rest: RangeQuery | undefined = range;
  let rows = 0;
  while (rest && !parts.at(-1)?.interruption && performance.now() < endsAt) {
    const part: Part = await readNext(args, rest, order, { ...call, endsAt });
    const { orders, gaps } = selectProduct(showAll(part.orders, call), product);
    for (const one of orders) {
      const lines = rowsOf(what, one);
      if (lines.length === 0) continue;
      call.record([one], what === 'codes' ? lines.length : 0);
      await file.write(linesOf(what, lines, csv));
      rows += lines.length;
      written.push(one);
    }
    call.reportProgress(`Wrote ${rows} rows from ${written.length} orders.`);
    parts.push({ ...part, gaps: [...part.gaps, ...gaps] });
    rest = part.rest;
  }
  const read = {
    range: order ? undefined : range,
    rest,
    gaps: [...new Set(parts.flatMap(({ gaps }) => gaps))],
    undated: parts.flatMap(({ undated }) => undated),
    failed: parts.flatMap(({ failed }) => failed),
    interruption: parts.at(-1)?.interruption,
  };
  return { read, answer: describeWritten(args, written, rows) };
};

/** Reads the next orders: list entries, or complete orders if their codes or products are needed. */
const readNext = async (
  { what, product }: ExportArguments,
  range: RangeQuery,
  order: OrderSummary | undefined,
  call: Call,
): Promise<Part> => {
  const inFull = what === 'codes' || product !== undefined || order !== undefined;
  const isWanted = ({ status }: OrderSummary): boolean => what === 'orders' || hasLicenseCodes(status) !== false;
  try {
    if (!inFull) return await listPart(range, { maxOrders: maxEntries, isWanted }, call);
    const part = await readPart({ from: order ? [order] : range, maxOrders: maxDetails, isWanted }, call);
    const [failure] = part.failed;
    if (order && failure?.error.retryable) throw failure.error;
    return order && part.left.length > 0 ? { ...part, rest: range } : part;
  } catch (error) {
    if (!isOrderLicenseError(error) || !error.retryable) throw error;
    return { ...emptyPart, range, rest: range, interruption: error };
  }
};

/** Describes what a call has written: counts, sums and the first row. */
const describeWritten = ({ what, product, file }: ExportArguments, written: readonly Order[], rows: number): object => {
  const [first] = written;
  const { groups, unreadable } = sumShown(what === 'orders' ? (written as object[] as OrderSummary[]) : []);
  return {
    rows,
    orders: written.length,
    ...(groups.length > 0 && {
      sums: sumTable(groups, ['status', 'zahlungsstatus']),
      sums_of: product === undefined ? undefined : 'whole orders, with their other products',
    }),
    not_in_sums: unreadable.length || undefined,
    products: selectProduct(written, product).products,
    first_row: first && !file ? exampleOf(what, first) : undefined,
  };
};
