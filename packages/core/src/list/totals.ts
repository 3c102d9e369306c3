import type { CallOptions } from '../base/call-options.ts';
import { callOptionNames, checkOptions, type OptionNames } from '../base/checks.ts';
import { isOrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary, StatusFilter } from '../model/order.ts';
import type { DateRange } from './date-range.ts';
import { createOrderCounter, type UnreadableOrder } from './sum-orders.ts';
import { readTotalsSoFar, type TotalsSoFar } from './totals-so-far.ts';
import { walkPages } from './walk.ts';
import type { WalkGap } from './walk-gaps.ts';
import type { ReadPage } from './walk-progress.ts';

export interface TotalsOptions extends CallOptions, DateRange {
  /** Only orders with this status, or with one of these. For several, the whole list is read and filtered locally. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /** Called after each list request with the totals so far. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
  /**
   * Resumes counting after this position of an earlier call, with its filters, which need not be passed again; the
   * result equals that of one call. From the error that ended that call, or from its `onProgress`.
   */
  position?: WalkPosition | undefined;
}

const optionNames: OptionNames<TotalsOptions> = {
  ...callOptionNames,
  status: true,
  createdFrom: true,
  createdBefore: true,
  onProgress: true,
  position: true,
};

/** Why orders may be missing: as in a walk, or `unfinished` while the walk is running. */
export type TotalsGap = 'unfinished' | WalkGap;

export interface Totals extends TotalsSoFar {
  /**
   * True if `groups` contains every order of the range: nothing in `gaps`, and no order in `unreadable` for its date.
   */
  complete: boolean;
  /** Why `complete` is false. */
  gaps: TotalsGap[];
  /** While the count is running: the position to resume from. Absent in a list that is not sorted by date. */
  position?: WalkPosition;
}

/**
 * Counts and sums the orders of a range. The first answer with orders in the range fixes the upper end: newer orders
 * are excluded, so that a later call with `createdFrom` can begin there.
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call, with `position`
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, onProgress, position } = checkOptions(options, optionNames);
  const before = readTotalsSoFar(position);
  const walk = walkPages((query) => counted(query), { status, createdFrom, createdBefore, position });
  const hasRange = [createdFrom, createdBefore, position?.createdFrom, position?.createdBefore].some(isGiven);
  const isFiltered = (position ? position.status : [status ?? []].flat())?.length === 1;
  const [undated, unreadable] = split(before?.unreadable ?? []);
  const counter = createOrderCounter({ groups: before?.groups ?? [], unreadable });
  const gaps = new Set<TotalsGap>(['unfinished']);
  let newest = before?.newest;
  let oldest = before?.oldest;
  let upperEnd = timeOf(newest);
  let orders = before?.orders ?? 0;
  let requests = before?.requests ?? 0;

  const counted: ReadPage = async (query) => {
    const list = await read(query);
    requests += 1;
    return list;
  };
  const add = (order: OrderSummary): void => {
    const time = timeOf(order.created_at);
    if (time === undefined && hasRange) {
      undated.push({ id: order.id, field: 'created_at', value: order.created_at });
      return;
    }
    if (time !== undefined && upperEnd !== undefined && time > upperEnd) {
      // A walk over the whole list never returns to its top, so this order did not arrive during the walk.
      if (isFiltered) return;
      gaps.add('unsorted');
    }
    if (time !== undefined && time > (timeOf(newest) ?? Number.NEGATIVE_INFINITY)) newest = order.created_at;
    if (time !== undefined && time < (timeOf(oldest) ?? Number.POSITIVE_INFINITY)) oldest = order.created_at;
    orders += 1;
    counter.add(order);
  };
  const result = (): Totals => {
    const { groups, unreadable } = counter.result();
    return {
      groups,
      unreadable: [...unreadable, ...undated],
      complete: gaps.size === 0,
      gaps: [...gaps],
      newest,
      oldest,
      orders,
      requests,
    };
  };

  const positionNow = (): WalkPosition | undefined => walk.position && { ...walk.position, totals: result() };

  try {
    for await (const page of walk) {
      page.orders.forEach(add);
      upperEnd ??= timeOf(newest);
      for (const gap of page.gaps ?? []) gaps.add(gap);
      const here = onProgress && positionNow();
      onProgress?.({ ...result(), ...(here && { position: here }) });
    }
  } catch (error) {
    if (isOrderLicenseError(error)) error.position = positionNow();
    throw error;
  }
  gaps.delete('unfinished');
  return result();
};

const timeOf = (createdAt: string | undefined): number | undefined => toDate(createdAt)?.getTime();

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Splits off orders with unreadable dates, which are not counted. */
const split = (unreadable: readonly UnreadableOrder[]): [undated: UnreadableOrder[], counted: UnreadableOrder[]] => [
  unreadable.filter(({ field }) => field === 'created_at'),
  unreadable.filter(({ field }) => field !== 'created_at'),
];
