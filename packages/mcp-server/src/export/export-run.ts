import { randomBytes } from 'node:crypto';
import {
  combineGroups,
  hasLicenseCodes,
  isOrderLicenseError,
  type Order,
  OrderLicenseError,
  type OrderSummary,
  sumOrders,
} from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { type AnyPart, describePart } from '../answers/describe-part.ts';
import type { Masking } from '../answers/masked-answer.ts';
import { matchingItems } from '../answers/order-codes.ts';
import { type Call, spentBy } from '../read/call.ts';
import { localText } from '../read/instant.ts';
import type { RangeQuery } from '../read/range.ts';
import { readOrders, type Wanted } from '../read/read-orders.ts';
import { readRange } from '../read/read-range.ts';

import { createExportFile, type ExportFile } from './export-file.ts';
import { exampleOf, headOf, linesOf, rowsOf, type What } from './export-rows.ts';

type MaskedCall = Call & { masking: Masking };

export interface ExportOrder {
  what: What;
  product: string | undefined;
  /** What is still to be read. */
  wanted: Wanted;
}

/** An export, and what it has written so far. */
interface Export extends ExportOrder, Required<Pick<AnyPart, 'gaps' | 'failed'>> {
  handle: string;
  file: ExportFile;
  isBusy: boolean;
  rows: number;
  orders: number;
  groups: ReturnType<typeof sumOrders>['groups'];
  /** Orders whose amount cannot be read. */
  unreadable: number;
  /** The first row, without a key. */
  first: object | undefined;
}

/** The export that waits for its next call. A new one discards it. */
let current: Export | undefined;

/** Orders listed before they are read. */
const maxOrders = 200;
/** Time that is kept for closing the file, ms. */
const closingMs = 2_000;

const rejected = (detail: string, advice: string): OrderLicenseError =>
  new OrderLicenseError('bad_request', { detail, advice });
const isRunning = (): OrderLicenseError => rejected('An export is running', 'Wait for it.');

/**
 * @returns the handle to continue it with
 * @throws `bad_request` while another export runs; `configuration` if no file can be created in the folder
 */
export const startExport = async (order: ExportOrder, folder: string): Promise<string> => {
  if (current?.isBusy) throw isRunning();
  await end();
  const { what, wanted } = order;
  const stem = what === 'codes' ? 'license-codes' : 'orders';
  const name = `${stem}_${wanted.range ? daysOf(wanted.range) : 'one-order'}_${randomBytes(4).toString('hex')}.csv`;
  const file = await createExportFile(folder, name);
  const handle = randomBytes(8).toString('hex');
  if (current) {
    await file.discard();
    throw isRunning();
  }
  const nothing = { rows: 0, orders: 0, groups: [], unreadable: 0, first: undefined, gaps: [], failed: [] };
  current = { ...order, ...nothing, handle, file, isBusy: false };
  await file.write(headOf(what));
  return handle;
};

const end = async (): Promise<void> => {
  const { file } = current ?? {};
  current = undefined;
  await file?.discard();
};

const daysOf = ({ from, before, timeZone }: RangeQuery): string =>
  [from, before].map((date) => localText(date?.getTime() ?? 0, timeZone).slice(0, 10)).join('_');

/**
 * Goes on with an export until it is whole or the time of the call is over. An error that no retry can help, or the end
 * of the call by its caller, discards the file.
 * @returns what it has written so far, with how to continue first, or the file's name once it is whole
 * @throws `bad_request` for a handle that is unknown or in use
 */
export const continueExport = async (handle: string, call: MaskedCall): Promise<object> => {
  const one = current;
  if (one?.handle !== handle) {
    throw rejected(
      'There is no export to continue with this handle',
      'Start the export again: this server was restarted, or began another since.',
    );
  }
  if (one.isBusy) throw isRunning();
  one.isBusy = true;
  try {
    const interruption = await writeParts(one, { ...call, endsAt: call.endsAt - closingMs });
    const { file, rows, orders, groups, unreadable, first, gaps, failed } = one;
    const next = hasMore(one.wanted) ? { continue: handle } : undefined;
    const isWhole = gaps.length === 0 && failed.length === 0;
    const name = next ?? (await file.finish(isWhole ? file.name : file.name.replace('.csv', '_incomplete.csv')));
    if (!next) current = undefined;
    return {
      ...describePart({ gaps, failed, interruption }, await spentBy(call), next),
      ...(!next && { file: name }),
      ...{ rows, orders },
      ...(groups.length > 0 && { sums: compactRows(groups.map(({ unreadable, ...group }) => group)) }),
      ...(unreadable > 0 && { not_in_sums: unreadable }),
      ...(first && { first_row: first }),
    };
  } catch (error) {
    await end();
    throw error;
  } finally {
    one.isBusy = false;
  }
};

const hasMore = ({ orders, range }: Wanted): boolean => orders.length > 0 || range !== undefined;

/** @returns why the call can't go on; undefined at its end */
const writeParts = async (one: Export, call: MaskedCall): Promise<OrderLicenseError | undefined> => {
  try {
    while (hasMore(one.wanted) && performance.now() < call.endsAt) {
      const { orders, left = [], rest, gaps = [], failed = [], interruption } = await readNext(one, call);
      await write(one, orders, call.masking);
      one.wanted = { orders: left, range: rest };
      one.gaps = [...new Set([...one.gaps, ...gaps])];
      one.failed = [...one.failed, ...failed];
      if (interruption) return interruption;
      call.reportProgress(`Wrote ${one.rows} rows of ${one.orders} orders.`);
    }
  } catch (error) {
    if (isOrderLicenseError(error) && error.retryable) return error;
    throw error;
  }
  return undefined;
};

/** The next orders to write: list entries, or whole orders for their codes or for a product. */
const readNext = (
  { what, product, wanted }: Export,
  call: Call,
): Promise<AnyPart & { orders: (Order | OrderSummary)[] }> => {
  const isWanted = ({ status }: OrderSummary): boolean => what === 'orders' || hasLicenseCodes(status) !== false;
  return what === 'orders' && product === undefined && wanted.range
    ? readRange(wanted.range, { maxOrders }, call)
    : readOrders(wanted, { maxOrders, isWanted }, call);
};

const write = async (one: Export, orders: readonly (Order | OrderSummary)[], masking: Masking): Promise<void> => {
  const { what, product } = one;
  for (const order of orders) {
    if (product !== undefined && matchingItems(order as Order, product).length === 0) continue;
    const rows = rowsOf(what, order, product, masking);
    if (rows.length === 0) continue;
    await one.file.write(linesOf(what, rows));
    one.first ??= exampleOf(what, order, product);
    one.rows += rows.length;
    one.orders += 1;
    if (what === 'codes') continue;
    const { groups, unreadable } = sumOrders([order as OrderSummary]);
    one.groups = combineGroups([...one.groups, ...groups], ['status', 'zahlungsstatus']) as typeof groups;
    one.unreadable += unreadable.length;
  }
};
