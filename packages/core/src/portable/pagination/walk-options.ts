import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { checkWhole } from '../base/check-whole.ts';
import { argumentError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { checkStatus, type StatusFilter } from '../model/order-status.ts';
import { createRangeTest, type DateRange } from './date-range.ts';
import { checkPosition, type ResumePoint, type WalkFilters } from './position.ts';

export interface WalkOptions extends CallOptions, DateRange {
  /**
   * The whole walk ends within this, ms, from its first request on: every wait, retry, and pause of the caller included.
   * After an error, the next step starts the clock again. Default: the client's.
   */
  deadlineMs?: number | undefined;
  /** Only orders with this status, or with one of these. Several are read from the whole list and chosen here. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /**
   * Only orders created at this instant or later, by `created_at`. The walk ends after the first page that holds nothing
   * but older orders. An order whose date cannot be read is given.
   */
  createdFrom?: Date | undefined;
  /**
   * Only orders created before this instant. The walk searches the list for its first page: at most ⌈log2 pages⌉ + 2
   * requests. A list that is not sorted by `created_at` is walked from its top. An order whose date cannot be read is
   * given.
   */
  createdBefore?: Date | undefined;
  /** At most this many orders. */
  limit?: number | undefined;
  /**
   * The page, of 50 orders, to start from: the `page` of the error that ended an earlier walk, for a list in which walks
   * have no `position`. The last orders of that walk can come again. Under a status filter it is always 1, since orders
   * leave that list and what follows moves up: start over, and leave out the IDs that you have. Default 1.
   */
  startPage?: number | undefined;
  /**
   * Goes on behind this place of an earlier walk with its filters, which need not be given again: costs a search, at most
   * ⌈log2 pages⌉ + 2 requests, and the pages that are left. No order is left out and none is given twice, as within one
   * walk. From `position` of a walk, a page or an error; not together with `startPage`.
   */
  position?: WalkPosition | undefined;
}

interface CheckedOptions {
  filters: WalkFilters;
  resume: ResumePoint | undefined;
  limit: number | undefined;
  startPage: number;
}

/** @throws `bad_request` for options that cannot be right */
export const readOptions = (options: WalkOptions): CheckedOptions => {
  const { position, limit, startPage, createdFrom, createdBefore } = checkOptions(options);
  const given = { statuses: checkStatuses(options.status), createdFrom, createdBefore };
  createRangeTest(given);
  if (position !== undefined && startPage !== undefined) {
    throw argumentError('`position` and `startPage` are both given', 'Leave one of them out.');
  }
  const resume = position === undefined ? undefined : checkPosition(position, given);
  return {
    filters: resume?.filters ?? given,
    resume,
    limit: limit === undefined ? undefined : checkWhole('limit', limit, Number.MAX_SAFE_INTEGER),
    startPage: checkWhole('startPage', startPage ?? 1, Number.MAX_SAFE_INTEGER),
  };
};

/** @throws `bad_request` for an unknown status, and for an empty list */
const checkStatuses = (status: unknown): StatusFilter[] | undefined => {
  if (status === undefined) return undefined;
  const statuses = [...new Set(Array.isArray(status) ? status.map(checkStatus) : [checkStatus(status)])];
  if (statuses.length === 0) throw argumentError('`status` is empty', 'Give at least one status, or leave it out.');
  return statuses;
};
