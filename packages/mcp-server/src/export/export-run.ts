import { randomBytes } from 'node:crypto';
import { argumentError } from '@order-license/core/host';
import {
  combineGroups,
  hasLicenseCodes,
  isOrderLicenseError,
  type Order,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { describePart } from '../answers/describe-part.ts';
import type { MaskedKind } from '../answers/masked-answer.ts';
import { maskedNames, productNames, severalProducts, withProduct } from '../answers/order-codes.ts';
import { type Sums, sumShown, sumTable } from '../answers/order-sums.ts';
import { type Call, showAll } from '../read/call.ts';
import { localText } from '../read/instant.ts';
import { type ReadPart, readOrders, type Wanted } from '../read/read-orders.ts';
import { type Part, readRange } from '../read/read-range.ts';
import { createExportFile, type ExportFile } from './export-file.ts';
import { exampleOf, headOf, linesOf, rowsOf, type What } from './export-rows.ts';

export interface ExportOrder {
  what: What;
  product: string | undefined;
  /** The orders and the range that remain to be read. */
  wanted: Wanted;
}

/** An export, with what it has written so far. */
interface Export extends ExportOrder, Required<Pick<Part, 'gaps' | 'failed'>> {
  handle: string;
  file: ExportFile;
  rows: number;
  orders: number;
  groups: Sums['groups'];
  /** Number of orders whose amount cannot be read. */
  unreadable: number;
  /** Names of the products that `product` matched. */
  products: readonly string[];
  /** The kinds of data masked in what has been written. */
  masked: ReadonlySet<MaskedKind>;
  /** The first row, without its license key. */
  first: object | undefined;
}

/** The unfinished export that the next call can continue. A new export discards it. */
let current: Export | undefined;
let isBusy = false;

/** Maximum number of orders that are listed before they are read. */
const maxOrders = 200;
/** Maximum number of orders in a part that needs only their list entries. Finding the next part also takes requests. */
const maxEntries = 2_000;
/** Time reserved for closing the file, ms. */
const closingMs = 2_000;

/**
 * Continues an export until it is complete or the call's time is up. Discards the file if an error occurs that no retry
 * can fix, or if the caller cancels the call.
 * @param given a new export, or the handle of the export to continue
 * @returns what has been written so far, with the file's name if the export is complete, or otherwise how to continue
 * @throws `bad_request` for an unknown handle, or while another call exports; `configuration` if the file cannot be
 * written
 */
export const runExport = async (given: ExportOrder | string, folder: string, call: Call): Promise<object> => {
  const isNew = typeof given !== 'string';
  if (isBusy) throw argumentError('Another export is still running', 'Wait until it has finished.');
  if (!isNew && given !== current?.handle) {
    throw argumentError(
      'There is no export to continue with this handle',
      'Start the export again: the server was restarted, or has begun another export since.',
    );
  }
  isBusy = true;
  try {
    if (isNew) {
      await discard();
      current = await begin(given, folder);
      await current.file.write(headOf(given.what));
    }
    return await goOn(current as Export, call);
  } catch (error) {
    await discard();
    throw error;
  } finally {
    isBusy = false;
  }
};

const discard = async (): Promise<void> => {
  const { file } = current ?? {};
  current = undefined;
  await file?.discard();
};

const begin = async (order: ExportOrder, folder: string): Promise<Export> => {
  const { from, before, timeZone = 'UTC' } = order.wanted.range ?? {};
  const days = [from, before].flatMap((date) => (date ? localText(date.getTime(), timeZone).slice(0, 10) : []));
  const name = [
    order.what === 'codes' ? 'license-codes' : 'orders',
    ...(days.length > 0 ? days : ['one-order']),
    randomBytes(4).toString('hex'),
  ];
  const file = await createExportFile(folder, `${name.join('_')}.csv`);
  const nothing = {
    rows: 0,
    orders: 0,
    groups: [],
    unreadable: 0,
    products: [],
    masked: new Set<MaskedKind>(),
    first: undefined,
    gaps: [],
    failed: [],
  };
  return { ...order, ...nothing, handle: randomBytes(8).toString('hex'), file };
};

const hasMore = ({ orders, range }: Wanted): boolean => orders.length > 0 || range !== undefined;

const goOn = async (one: Export, call: Call): Promise<object> => {
  const endsAt = call.endsAt - closingMs;
  let interruption: OrderLicenseError | undefined;
  for (const kind of one.masked) call.masked.add(kind);
  one.masked = call.masked;
  while (hasMore(one.wanted) && !interruption && performance.now() < endsAt) {
    try {
      const part = await readNext(one, { ...call, endsAt });
      await write(one, part, call);
      interruption = part.interruption;
    } catch (error) {
      if (!isOrderLicenseError(error) || !error.retryable) throw error;
      interruption = error;
    }
  }
  const { file, rows, orders, groups, unreadable, products, first, gaps, failed } = one;
  const next = hasMore(one.wanted) ? { continue: one.handle } : undefined;
  const isWhole = gaps.length === 0 && failed.length === 0;
  const name = next ? undefined : await file.finish(isWhole ? file.name : file.name.replace('.csv', '_incomplete.csv'));
  if (name !== undefined) current = undefined;
  return {
    ...(await describePart({ gaps, failed, interruption }, next, call)),
    ...(name !== undefined && { file: name }),
    rows,
    orders,
    ...(groups.length > 0 && sumTable('sums', groups, ['status', 'zahlungsstatus'])),
    ...(groups.length > 0 && one.product !== undefined && { sums_of: 'whole orders, with their other products' }),
    ...(unreadable > 0 && { not_in_sums: unreadable }),
    ...severalProducts(one.product, products),
    ...(first && { first_row: first }),
  };
};

/** Reads the next orders to write: list entries, or complete orders if their codes or products are needed. */
const readNext = (
  { what, product, wanted }: Export,
  call: Call,
): Promise<Part & Partial<Pick<ReadPart, 'readable'>> & { orders: readonly (Order | OrderSummary)[] }> => {
  const isWanted = ({ status }: OrderSummary): boolean => what === 'orders' || hasLicenseCodes(status) !== false;
  return what === 'orders' && product === undefined && wanted.range
    ? readRange(wanted.range, { maxOrders: maxEntries }, call)
    : readOrders(wanted, { maxOrders, isWanted }, call);
};

/** Writes only what a model may see of these orders, so masked license keys are also masked in the file. */
const write = async (one: Export, part: Awaited<ReturnType<typeof readNext>>, call: Call): Promise<void> => {
  const { what, product } = one;
  const written: Order[] = [];
  const shown = showAll(part.orders, call) as readonly Order[];
  for (const order of withProduct(shown, product)) {
    const rows = rowsOf(what, order);
    if (rows.length === 0) continue;
    await one.file.write(linesOf(what, rows));
    one.first ??= exampleOf(what, order);
    one.rows += rows.length;
    written.push(order);
  }
  const { groups, unreadable } = sumShown(
    what === 'orders' ? (written as readonly Partial<OrderSummary>[] as OrderSummary[]) : [],
  );
  one.groups = combineGroups([...one.groups, ...groups], ['status', 'zahlungsstatus']) as typeof groups;
  one.unreadable += unreadable.length;
  one.products = [...new Set([...one.products, ...productNames(written)])];
  one.orders += written.length;
  one.wanted = { orders: part.left ?? [], range: part.rest, readable: part.readable };
  one.gaps = [...new Set([...one.gaps, ...(part.gaps ?? []), ...maskedNames(shown, product)])];
  one.failed = [...one.failed, ...(part.failed ?? [])];
  call.reportProgress(`Wrote ${one.rows} rows from ${one.orders} orders.`);
};
