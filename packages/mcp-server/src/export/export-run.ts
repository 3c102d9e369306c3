import { randomBytes } from 'node:crypto';
import { timeOf } from '@order-license/core/host';
import { hasLicenseCodes, isOrderLicenseError, type Order, type OrderSummary } from '@order-license/core/portable';
import { describePart } from '../answers/describe-part.ts';
import { maskedNames, productNames, severalProducts, withProduct } from '../answers/order-codes.ts';
import { sumShown, sumTable } from '../answers/order-sums.ts';
import { type Call, showAll } from '../read/call.ts';
import { localText } from '../read/instant.ts';
import { readOrders } from '../read/read-orders.ts';
import { type Listed, type Part, readRange } from '../read/read-range.ts';
import { continuing, type ExportRequest } from './export-arguments.ts';
import { type ExportFile, openExportFile } from './export-file.ts';
import { exampleOf, headOf, linesOf, rowsOf } from './export-rows.ts';

/** Maximum number of orders that are listed before they are read. */
const maxOrders = 100;
/** Maximum number of orders in a part that needs only their list entries. Finding the next part also takes requests. */
const maxEntries = 2_000;
/** Time reserved for closing the file, ms. */
const closingMs = 2_000;

/**
 * Writes to the file of an export until it is complete or the call's time is up. If the call fails, removes a file that
 * it began; a file that it continued stays as it is, because the same call can be repeated.
 * @param order the list entry of the only order; undefined to export the range
 * @returns what this call has written, with the file's name if the export is complete, or otherwise how to continue
 * @throws `bad_request` if the file cannot be continued; `configuration` if it cannot be written
 */
export const runExport = async (
  request: ExportRequest,
  order: OrderSummary | undefined,
  folder: string,
  call: Call,
): Promise<object> => {
  const name = request.file?.name ?? newName(request);
  const file = await openExportFile(folder, name, request.file?.bytes);
  try {
    if (!request.file) await file.write(headOf(request.what, request.csv));
    const { read, rest, answer } = await writeOrders(request, order, file, call);
    const isWhole = !request.incomplete && read.gaps?.length === 0 && read.failed?.length === 0;
    const continued = { file: { name, bytes: file.bytes() }, incomplete: !isWhole };
    const next = rest && continuing({ ...request, ...rest, ...continued });
    return {
      ...describePart(read, next, call, await call.client.requestsLeft()),
      ...(request.incomplete && { complete: false, earlier_parts: 'incomplete' }),
      folder,
      ...(!next && { file: await file.finish(isWhole) }),
      ...answer,
    };
  } catch (error) {
    if (!request.file) await file.discard();
    throw error;
  } finally {
    await file.close();
  }
};

/** Names a file after the first and the last day in it, or after its only order. */
const newName = ({ what, orderNumber, range: { from, before, timeZone } }: ExportRequest): string => {
  const dayOf = (ms: number): string => localText(ms, timeZone).slice(0, 10);
  const about =
    orderNumber === undefined
      ? [dayOf(Number(from)), dayOf(Number(before) - 1)]
      : [(orderNumber.match(/[\w.-]+/g)?.join('-') ?? 'order').slice(0, 60)];
  const name = [what === 'codes' ? 'license-codes' : 'orders', ...about, randomBytes(4).toString('hex')];
  return `${name.join('_')}.csv.partial`;
};

/** What remains to be exported. */
type Rest = Pick<ExportRequest, 'range' | 'afterId'>;

interface ReadPart extends Omit<Part, 'range' | 'rest' | 'left'> {
  orders: readonly (Order | OrderSummary)[];
  rest: Rest | undefined;
}

/** Writes orders until none is left or the time is up. Returns what was read, what remains, and the counts and sums. */
const writeOrders = async (request: ExportRequest, order: OrderSummary | undefined, file: ExportFile, call: Call) => {
  const { what, csv, product } = request;
  const endsAt = call.endsAt - closingMs;
  const parts: ReadPart[] = [];
  const written: Order[] = [];
  let rest: Rest | undefined = request;
  let rows = 0;
  while (rest && !parts.at(-1)?.interruption && performance.now() < endsAt) {
    const part: ReadPart = await readNext({ ...request, ...rest }, order, { ...call, endsAt });
    const shown = showAll(part.orders, call) as readonly Order[];
    for (const one of withProduct(shown, product)) {
      const lines = rowsOf(what, one);
      if (lines.length === 0) continue;
      await file.write(linesOf(what, lines, csv));
      rows += lines.length;
      written.push(one);
    }
    call.reportProgress(`Wrote ${rows} rows from ${written.length} orders.`);
    parts.push({ ...part, gaps: [...(part.gaps ?? []), ...maskedNames(shown, product)] });
    rest = part.rest;
  }
  const all: Part = {
    range: order ? undefined : request.range,
    rest: rest?.range,
    gaps: [...new Set(parts.flatMap(({ gaps = [] }) => gaps))],
    undated: parts.flatMap(({ undated = [] }) => undated),
    failed: parts.flatMap(({ failed = [] }) => failed),
    interruption: parts.at(-1)?.interruption,
  };
  return { read: all, rest, answer: describeWritten(request, written, rows) };
};

/** Reads the next orders: list entries, or complete orders if their codes or products are needed. */
const readNext = async (request: ExportRequest, order: OrderSummary | undefined, call: Call): Promise<ReadPart> => {
  try {
    if (order || request.what === 'codes' || request.product !== undefined)
      return await readDetails(request, order, call);
    const { rest, ...part } = await readRange(request.range, { maxOrders: maxEntries }, call);
    return { ...part, rest: rest && { range: rest, afterId: undefined } };
  } catch (error) {
    if (!isOrderLicenseError(error) || !error.retryable) throw error;
    return { orders: [], rest: request, interruption: error };
  }
};

/**
 * Reads complete orders. An order is read again by the next call if one before it could not be read, so that what
 * remains can be said with a time and an ID.
 */
const readDetails = async (
  { what, range, afterId }: ExportRequest,
  order: OrderSummary | undefined,
  call: Call,
): Promise<ReadPart> => {
  const lastSecond = Number(range.before) - 1000;
  const isLeft = ({ id, status, ...one }: OrderSummary): boolean =>
    (afterId === undefined || timeOf(one) !== lastSecond || String(id) < afterId) &&
    (what === 'orders' || hasLicenseCodes(status) !== false);
  const list = order ? undefined : await readRange(range, { maxOrders }, call);
  const listed = list?.orders.filter(isLeft).sort(newestFirst) ?? [order as OrderSummary];
  const { left, ...part } = await readOrders(
    { orders: listed, range: undefined },
    { maxOrders, most: maxOrders },
    call,
  );
  const [failure] = part.failed;
  if (order && failure?.error.retryable) throw failure.error;
  const [next] = left;
  const end = next ? listed.findIndex(({ id }) => id === next.id) : listed.length;
  const done = listed.slice(0, end);
  const ids = new Set(done.map(({ id }) => String(id)));
  const isDone = ({ id }: Listed): boolean => ids.has(String(id));
  const last = done.at(-1);
  const [lastTime, lastId] = last ? [timeOf(last), String(last.id)] : [lastSecond, afterId];
  const restAt = (order: Listed): Rest => ({
    range: { ...range, before: new Date(timeOf(order) + 1000) },
    afterId: timeOf(order) === lastTime ? lastId : undefined,
  });
  return {
    ...list,
    orders: part.orders.filter(isDone),
    failed: part.failed.filter(isDone),
    rest: next ? restAt(next) : list?.rest && { range: list.rest, afterId: undefined },
    interruption: part.interruption ?? list?.interruption,
  };
};

/** Sorts orders as the API does. Of the orders in one second, higher IDs come first, compared as texts. */
const newestFirst = (one: OrderSummary, other: OrderSummary): number =>
  timeOf(other) - timeOf(one) || (String(one.id) < String(other.id) ? 1 : -1);

/** Describes what a call has written: counts, sums and the first row. */
const describeWritten = ({ what, product, file }: ExportRequest, written: readonly Order[], rows: number): object => {
  const [first] = written;
  const { groups, unreadable } = sumShown(what === 'orders' ? (written as readonly object[] as OrderSummary[]) : []);
  return {
    rows,
    orders: written.length,
    ...(groups.length > 0 && sumTable('sums', groups, ['status', 'zahlungsstatus'])),
    ...(groups.length > 0 && product !== undefined && { sums_of: 'whole orders, with their other products' }),
    ...(unreadable.length > 0 && { not_in_sums: unreadable.length }),
    ...severalProducts(product, productNames(written)),
    ...(first && !file && { first_row: exampleOf(what, first) }),
  };
};
