import type { CallOptions } from '../base/call-options.ts';
import { checkWhole } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { checkStatus, type StatusFilter } from '../model/order.ts';

/** Which orders to read or count. */
export interface OrderFilters {
  /**
   * Only orders with this status, or with one of these statuses. For several statuses, the whole list is read and
   * filtered locally.
   */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /** Only orders created at or after this instant, by `created_at`. */
  createdFrom?: Date | undefined;
  /** Only orders created before this instant, by `created_at`. */
  createdBefore?: Date | undefined;
}

export interface WalkOptions extends CallOptions, OrderFilters {
  /**
   * Time limit for the whole walk from its first request, ms, including waits, retries and the caller's pauses. After
   * an error, the next step restarts the clock. Default: the client's.
   */
  deadlineMs?: number | undefined;
  /**
   * Only orders created at or after this instant, by `created_at`. The walk ends after the first page that contains
   * only older orders. Orders whose date cannot be read are returned.
   */
  createdFrom?: Date | undefined;
  /**
   * Only orders created before this instant. To find the first page of the range, the walk sends at most ⌈log2 pages⌉ +
   * 2 requests. A list that is not sorted by `created_at` is read from its top. Orders whose date cannot be read are
   * returned.
   */
  createdBefore?: Date | undefined;
  /** Maximum number of orders. */
  limit?: number | undefined;
  /**
   * Resumes after this position of an earlier walk. The filters of that walk apply, and need not be passed again.
   * Resuming costs a search of at most ⌈log2 pages⌉ + 2 requests, and the remaining pages. As within one walk, no order
   * is skipped or returned twice. Take the position from a walk, a page or an error of the same account.
   */
  position?: WalkPosition | undefined;
}

/** The filters of a walk in the form in which a position stores them: statuses in alphabetical order. */
export type WalkFilters = Pick<WalkPosition, 'status' | 'createdFrom' | 'createdBefore'>;

/** @throws `bad_request` for invalid options */
export const checkFilters = ({ createdFrom, createdBefore, status }: WalkOptions): WalkFilters => {
  const filters = {
    status: checkStatuses(status),
    createdFrom: checkDate('createdFrom', createdFrom),
    createdBefore: checkDate('createdBefore', createdBefore),
  };
  if (createdFrom && createdBefore && createdFrom > createdBefore) {
    throw argumentError('`createdFrom` is later than `createdBefore`', 'Swap them.');
  }
  return filters;
};

/** @throws `bad_request` unless `limit` is undefined or a positive whole number */
export const checkLimit = (name: string, limit: number | undefined): number =>
  limit === undefined ? Number.POSITIVE_INFINITY : checkWhole(name, limit);

const checkDate = (name: string, date: Date | undefined): string | null => {
  if (date === undefined) return null;
  const time = date?.getTime?.();
  if (typeof time !== 'number' || Number.isNaN(time)) {
    throw argumentError(`\`${name}\` is not a valid Date`, "Pass a Date such as new Date('2026-05-01T00:00:00Z').");
  }
  return new Date(time).toISOString();
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): StatusFilter[] | null => {
  if (status === undefined) return null;
  const statuses = new Set(Array.isArray(status) ? status.map(checkStatus) : [checkStatus(status)]);
  if (statuses.size === 0) throw argumentError('`status` is empty', 'Pass at least one status, or omit the option.');
  return [...statuses].sort();
};
