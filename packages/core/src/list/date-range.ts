import { argumentError } from '../base/errors.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';

export interface DateRange {
  /** Only orders created at or after this instant, by `created_at`. */
  createdFrom?: Date | undefined;
  /** Only orders created before this instant, by `created_at`. */
  createdBefore?: Date | undefined;
}

export interface RangeTest {
  /** True for an order created at `createdBefore` or later. */
  isNewer(order: OrderSummary): boolean;
  /** True for an order created before `createdFrom`. */
  isOlder(order: OrderSummary): boolean;
}

/**
 * Sorts orders into those in a range, newer and older. An order with an unreadable date is neither newer nor older.
 * @throws `bad_request` for an invalid date, and for a range that ends before it begins
 */
export const createRangeTest = ({ createdFrom, createdBefore }: DateRange): RangeTest => {
  const from = timeOf('createdFrom', createdFrom) ?? Number.NEGATIVE_INFINITY;
  const before = timeOf('createdBefore', createdBefore) ?? Number.POSITIVE_INFINITY;
  if (from > before) throw argumentError('`createdFrom` is later than `createdBefore`', 'Swap them.');
  const createdAt = (order: OrderSummary): number => toDate(order.created_at)?.getTime() ?? Number.NaN;
  return {
    isNewer: (order) => createdAt(order) >= before,
    isOlder: (order) => createdAt(order) < from,
  };
};

const timeOf = (name: string, date: Date | undefined): number | undefined => {
  if (date === undefined) return undefined;
  const time = date?.getTime?.();
  if (typeof time !== 'number' || Number.isNaN(time)) {
    throw argumentError(`\`${name}\` is not a valid Date`, "Pass one, such as new Date('2026-05-01T00:00:00Z').");
  }
  return time;
};
