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
import type { Masking } from '../answers/masked-answer.ts';
import { matchingItems } from '../answers/order-codes.ts';
import type { Call } from '../read/call.ts';
import { localText } from '../read/instant.ts';
import type { RangeQuery } from '../read/range.ts';
import { type ReadOrders, readOrders, withListEntry } from '../read/read-orders.ts';
import { type Gap, readRange } from '../read/read-range.ts';
import { createExportFile, type ExportFile } from './export-file.ts';
import { codeRows, firstRow, headOf, lineOf, orderRows, type What } from './export-rows.ts';

export interface ExportOrder {
  what: What;
  range: RangeQuery;
  product: string | undefined;
}

/** An export in progress. */
interface Export extends ExportOrder {
  file: ExportFile;
  /** The part of the range that is still to be listed; undefined once it is. */
  rest: RangeQuery | undefined;
  /** Listed orders that are still to be read. */
  queue: OrderSummary[];
  rows: number;
  orders: number;
  groups: ReturnType<typeof sumOrders>['groups'];
  unreadable: number;
  gaps: Set<Gap>;
  failed: ReadOrders['failed'];
  first: object | undefined;
  isBusy: boolean;
}

/** What a call has done. */
export interface ExportPart extends Pick<Export, 'rows' | 'orders' | 'groups' | 'unreadable' | 'failed' | 'first'> {
  /** The file's name once it is whole. */
  file: string | undefined;
  gaps: Gap[];
  /** For the next call; undefined at the end. */
  handle: string | undefined;
  interruption: OrderLicenseError | undefined;
}

/** Exports that wait for their next call, the oldest first. A new one replaces the oldest beyond four. */
const waiting = new Map<string, Export>();
const maxWaiting = 4;

/** Orders listed before they are read. */
const listedAtOnce = 200;
/** Time that is kept for closing the file, ms. */
const closingMs = 2_000;

/** @throws `configuration` if no file can be created in the folder */
export const startExport = async (order: ExportOrder, folder: string): Promise<string> => {
  const { what, range } = order;
  const day = (date: Date | undefined): string => localText(date?.getTime() ?? 0, range.timeZone).slice(0, 10);
  const stem = what === 'codes' ? 'license-codes' : 'orders';
  const name = `${stem}_${day(range.from)}_${day(range.before)}_${randomBytes(4).toString('hex')}.csv`;
  const file = await createExportFile(folder, name);
  const handle = randomBytes(8).toString('hex');
  const begun: Export = {
    ...order,
    ...{
      file,
      rest: range,
      queue: [],
      rows: 0,
      orders: 0,
      groups: [],
      unreadable: 0,
      gaps: new Set<Gap>(),
      failed: [],
    },
    ...{ first: undefined, isBusy: false },
  };
  waiting.set(handle, begun);
  await file.write(headOf(what));
  for (const [other, one] of [...waiting].slice(0, Math.max(0, waiting.size - maxWaiting))) {
    if (one.isBusy) continue;
    waiting.delete(other);
    await one.file.discard();
  }
  return handle;
};

/**
 * Goes on with an export until it is whole or the time of the call is over. An error that no retry can help, or the end
 * of the call by its caller, discards the file.
 * @throws `bad_request` for a handle that is unknown or in use
 */
export const continueExport = async (handle: string, call: Call, masking: Masking): Promise<ExportPart> => {
  const one = waiting.get(handle);
  if (!one || one.isBusy) {
    throw new OrderLicenseError('bad_request', {
      detail: one ? 'Another call continues this export' : 'There is no export to continue with this handle',
      advice: one ? 'Wait for it.' : 'Start the export again: this server was restarted, or began others since.',
    });
  }
  one.isBusy = true;
  try {
    const interruption = await work(one, { ...call, endsAt: call.endsAt - closingMs }, masking);
    if (one.rest || one.queue.length > 0) return partOf(one, { handle, interruption });
    waiting.delete(handle);
    const isWhole = one.gaps.size === 0 && one.failed.length === 0;
    const name = isWhole ? one.file.name : one.file.name.replace('.csv', '_incomplete.csv');
    return partOf(one, { file: await one.file.finish(name), interruption: undefined });
  } catch (error) {
    waiting.delete(handle);
    await one.file.discard();
    throw error;
  } finally {
    one.isBusy = false;
  }
};

const partOf = (
  one: Export,
  end: { file?: string; handle?: string; interruption: ExportPart['interruption'] },
): ExportPart => {
  const { rows, orders, groups, unreadable, failed, first } = one;
  return {
    rows,
    orders,
    groups,
    unreadable,
    failed,
    first,
    gaps: [...one.gaps],
    file: end.file,
    handle: end.handle,
    interruption: end.interruption,
  };
};

/** @returns why the call can't go on; undefined at its end */
const work = async (one: Export, call: Call, masking: Masking): Promise<OrderLicenseError | undefined> => {
  while ((one.rest || one.queue.length > 0) && performance.now() < call.endsAt) {
    const problem = one.queue.length > 0 ? await readSome(one, call, masking) : await listSome(one, call, masking);
    if (problem) return problem;
    call.reportProgress?.(`Wrote ${one.rows} rows of ${one.orders} orders.`);
  }
  return undefined;
};

const listSome = async (one: Export, call: Call, masking: Masking): Promise<OrderLicenseError | undefined> => {
  if (!one.rest) return undefined;
  try {
    const part = await readRange(one.rest, { maxOrders: listedAtOnce, maxRequests: 20 }, call);
    const { continueBefore, orders } = part;
    for (const gap of part.gaps) one.gaps.add(gap);
    one.rest = continueBefore === undefined ? undefined : { ...one.rest, before: new Date(continueBefore) };
    if (one.what === 'codes') one.queue = orders.filter(({ status }) => hasLicenseCodes(status) !== false);
    else if (one.product !== undefined) one.queue = orders;
    else await writeOrders(one, orders, masking);
    return part.interruption;
  } catch (error) {
    if (isOrderLicenseError(error) && error.retryable) return error;
    throw error;
  }
};

const readSome = async (one: Export, call: Call, masking: Masking): Promise<OrderLicenseError | undefined> => {
  const listed = new Map(one.queue.map((order) => [String(order.id), order]));
  const read = await readOrders(
    [...listed.values()].slice(0, 8).map(({ id }) => id),
    call,
  );
  for (const order of read.orders) {
    const summary = listed.get(String(order.id));
    if (one.what === 'codes') await writeCodes(one, withListEntry(order, summary), masking);
    else if (summary && matchingItems(order, one.product).length > 0) await writeOrders(one, [summary], masking);
  }
  one.failed.push(...read.failed);
  const done = new Set([...read.orders, ...read.failed].map(({ id }) => String(id)));
  one.queue = one.queue.filter(({ id }) => !done.has(String(id)));
  return read.interruption;
};

const writeOrders = async (one: Export, orders: readonly OrderSummary[], masking: Masking): Promise<void> => {
  const rows = orderRows(orders, masking);
  await one.file.write(rows.map((row) => lineOf('orders', row)).join(''));
  one.first ??= rows[0];
  const { groups, unreadable } = sumOrders(orders);
  one.groups = combineGroups([...one.groups, ...groups], ['status', 'zahlungsstatus']) as typeof groups;
  one.unreadable += unreadable.length;
  one.orders += orders.length;
  one.rows += rows.length;
};

const writeCodes = async (one: Export, order: Order, masking: Masking): Promise<void> => {
  const rows = codeRows(order, one.product, masking);
  if (rows.length === 0) return;
  await one.file.write(rows.map((row) => lineOf('codes', row)).join(''));
  one.first ??= firstRow(order, one.product);
  one.orders += 1;
  one.rows += rows.length;
};
