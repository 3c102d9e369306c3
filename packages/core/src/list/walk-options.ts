import type { CallOptions } from '../base/call-options.ts';
import { checkWhole } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
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
}

/** The filters of a walk, checked. */
export interface CheckedFilters {
  /** Undefined for orders with any status. */
  statuses: ReadonlySet<StatusFilter> | undefined;
  /** Bounds of the range, ms; infinite where there is none. */
  from: number;
  before: number;
}

/** @throws `bad_request` for invalid filters */
export const checkFilters = ({ createdFrom, createdBefore, status }: OrderFilters): CheckedFilters => {
  const statuses = checkStatuses(status);
  const from = checkDate('createdFrom', createdFrom) ?? Number.NEGATIVE_INFINITY;
  const before = checkDate('createdBefore', createdBefore) ?? Number.POSITIVE_INFINITY;
  if (from > before) throw argumentError('`createdFrom` is later than `createdBefore`', 'Swap them.');
  return { statuses, from, before };
};

/** @throws `bad_request` unless `limit` is undefined or a positive whole number */
export const checkLimit = (name: string, limit: number | undefined): number =>
  limit === undefined ? Number.POSITIVE_INFINITY : checkWhole(name, limit);

const checkDate = (name: string, date: Date | undefined): number | undefined => {
  if (date === undefined) return undefined;
  const time = date?.getTime?.();
  if (typeof time !== 'number' || Number.isNaN(time)) {
    throw argumentError(`\`${name}\` is not a valid Date`, "Pass a Date such as new Date('2026-05-01T00:00:00Z').");
  }
  return time;
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): Set<StatusFilter> | undefined => {
  if (status === undefined) return undefined;
  const statuses = new Set(Array.isArray(status) ? status.map(checkStatus) : [checkStatus(status)]);
  if (statuses.size === 0) throw argumentError('`status` is empty', 'Pass at least one status, or omit the option.');
  return statuses;
};
