import { randomBytes } from 'node:crypto';
import { timeOf } from '@order-license/core/host';
import { hasLicenseCodes, isOrderLicenseError, type Order, type OrderSummary } from '@order-license/core/portable';
import { describePart } from '../answers/describe-part.ts';
import { maskedNames, productNames, severalProducts, withProduct } from '../answers/order-codes.ts';
import { sumShown, sumTable } from '../answers/order-sums.ts';
import { type Call, showAll } from '../read/call.ts';
import { localText } from '../read/instant.ts';
import type { RangeQuery } from '../read/range.ts';
import { readOrders } from '../read/read-orders.ts';
import { type Gap, type Listed, type Part, readRange } from '../read/read-range.ts';
import { continuing, type ExportRequest } from './export-arguments.ts';
import { continueExportFile, createExportFile, type ExportFile } from './export-file.ts';
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
  const file = request.file
    ? await continueExportFile(folder, name, request.file.bytes)
    : await createExportFile(folder, name);
  try {
    if (!request.file) await file.write(headOf(request.what, request.csv));
    const { read, left, answer } = await writeOrders(request, order, file, call);
    const isWhole = !request.incomplete && read.gaps?.length === 0 && read.failed?.length === 0;
    const next = left && nextOf(request, left, { name, bytes: file.bytes() }, !isWhole);
    return {
      ...(await describePart(read, next, call)),
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
      : [orderNumber.replace(/[^\w.-]+/g, '-').slice(0, 60)];
  const name = [what === 'codes' ? 'license-codes' : 'orders', ...about, randomBytes(4).toString('hex')];
  return `${name.join('_')}.csv.partial`;
};

/** Returns the arguments that continue the export. */
const nextOf = (request: ExportRequest, left: Left, file: ExportRequest['file'], incomplete: boolean): object => {
  const before = beforeOf(left);
  const range = left.range || left.listed.length > 0 ? { ...request.range, before: new Date(before) } : request.range;
  const afterId = left.last?.at === before - 1000 ? left.last.id : undefined;
  return continuing({ ...request, range, afterId, file, incomplete });
};

/** What remains to be exported: first the listed orders, then those in the range. */
interface Left {
  listed: readonly OrderSummary[];
  range: RangeQuery | undefined;
  /** The last order that was exported: its time, ms, and its ID. Of the orders in one second, higher IDs come first. */
  last: { at: number; id: string } | undefined;
  /** An order that could be read. */
  readable?: Listed | undefined;
}

interface ReadPart extends Pick<Part, 'gaps' | 'undated' | 'failed' | 'interruption'> {
  orders: readonly (Order | OrderSummary)[];
  left: Left | undefined;
}

/** Writes orders until none is left or the time is up. Returns what was read, what remains, and the counts and sums. */
const writeOrders = async (request: ExportRequest, order: OrderSummary | undefined, file: ExportFile, call: Call) => {
  const { what, csv, product, afterId } = request;
  const range = order ? undefined : request.range;
  const endsAt = call.endsAt - closingMs;
  const last = afterId === undefined ? undefined : { at: Number(request.range.before) - 1000, id: afterId };
  let left: Left | undefined = { listed: order ? [order] : [], range, last };
  const parts: ReadPart[] = [];
  const gaps = new Set<Gap>();
  const written: Order[] = [];
  let rows = 0;
  while (left && !parts.at(-1)?.interruption && performance.now() < endsAt) {
    const part: ReadPart = await readNext(request, left, { ...call, endsAt });
    const shown = showAll(part.orders, call) as readonly Order[];
    for (const one of withProduct(shown, product)) {
      const lines = rowsOf(what, one);
      if (lines.length === 0) continue;
      await file.write(linesOf(what, lines, csv));
      rows += lines.length;
      written.push(one);
    }
    for (const gap of [...(part.gaps ?? []), ...maskedNames(shown, product)]) gaps.add(gap);
    call.reportProgress(`Wrote ${rows} rows from ${written.length} orders.`);
    parts.push(part);
    left = part.left;
  }
  const read: Part = {
    range,
    rest: left && { ...request.range, before: new Date(beforeOf(left)) },
    gaps: [...gaps],
    undated: parts.flatMap(({ undated = [] }) => undated),
    failed: parts.flatMap(({ failed = [] }) => failed),
    interruption: parts.at(-1)?.interruption,
  };
  return { read, left, answer: describeWritten(request, written, rows) };
};

/** Returns the end of the range of what remains, ms. */
const beforeOf = ({ listed: [next], range }: Left): number => (next ? timeOf(next) + 1000 : Number(range?.before));

/** Reads the next orders: list entries, or complete orders if their codes or products are needed. */
const readNext = async (request: ExportRequest, left: Left, call: Call): Promise<ReadPart> => {
  try {
    if (request.what === 'codes' || request.product !== undefined || !left.range) {
      return await readDetails(request, left, call);
    }
    const { rest, ...part } = await readRange(left.range, { maxOrders: maxEntries }, call);
    return { ...part, left: rest && { ...left, range: rest } };
  } catch (error) {
    if (!isOrderLicenseError(error) || !error.retryable) throw error;
    return { orders: [], left, interruption: error };
  }
};

/**
 * Reads complete orders. An order is read again if one before it could not be read, so that what remains begins with a
 * time and an ID.
 */
const readDetails = async (
  { what }: ExportRequest,
  { listed, range, last, ...before }: Left,
  call: Call,
): Promise<ReadPart> => {
  const isLeft = ({ id, status }: OrderSummary, at: number): boolean =>
    (at !== last?.at || String(id) < last.id) && (what === 'orders' || hasLicenseCodes(status) !== false);
  const list = range && listed.length === 0 ? await readRange(range, { maxOrders }, call) : undefined;
  const entries = list?.orders
    .toSorted((one, other) => timeOf(other) - timeOf(one) || (String(one.id) < String(other.id) ? 1 : -1))
    .filter((one) => isLeft(one, timeOf(one)));
  const asked = entries ?? listed;
  const part = await readOrders({ orders: asked, range: undefined, ...before }, { maxOrders }, call);
  const { left, orders, failed, readable, interruption } = part;
  const [next] = left;
  const end = next ? asked.findIndex(({ id }) => id === next.id) : asked.length;
  const done = new Set(asked.slice(0, end).map(({ id }) => String(id)));
  const isDone = ({ id }: Listed): boolean => done.has(String(id));
  const latest = asked[end - 1];
  const rest = list ? list.rest : range;
  return {
    ...list,
    orders: orders.filter(isDone),
    failed: failed.filter(isDone),
    left:
      next || rest
        ? {
            listed: asked.slice(end),
            range: rest,
            readable,
            last: latest ? { at: timeOf(latest), id: String(latest.id) } : last,
          }
        : undefined,
    interruption: interruption ?? list?.interruption,
  };
};

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
