import type { CallOptions } from '../base/call-options.ts';
import { callOptionNames, checkOptions, checkWhole, type OptionNames } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { checkStatus, type StatusFilter } from '../model/order.ts';
import { createRangeTest, type DateRange } from './date-range.ts';
import { checkPosition, type ResumePoint, type WalkFilters } from './position.ts';

export interface WalkOptions extends CallOptions, DateRange {
  /**
   * Time limit for the whole walk from its first request, ms, including waits, retries and the caller's pauses. After
   * an error, the next step restarts the clock. Default: the client's.
   */
  deadlineMs?: number | undefined;
  /** Only orders with this status, or with one of these. For several, the whole list is read and filtered locally. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /**
   * Only orders created at or after this instant, by `created_at`. The walk ends after the first page that contains
   * only older orders. An order whose date cannot be read is returned.
   */
  createdFrom?: Date | undefined;
  /**
   * Only orders created before this instant. The walk searches the list for its first page: at most ⌈log2 pages⌉ + 2
   * requests. A list that is not sorted by `created_at` is read from its top. An order whose date cannot be read is
   * returned.
   */
  createdBefore?: Date | undefined;
  /** Maximum number of orders. */
  limit?: number | undefined;
  /**
   * The page, of 50 orders, to start from: the `page` of the error that ended an earlier walk, for a list in which
   * walks have no `position`. The last orders of that walk can repeat. Under a status filter it is always 1, since
   * orders leave that list and the rest moves up: start over, and skip the IDs that you already have. Default 1.
   */
  startPage?: number | undefined;
  /**
   * Resumes after this position of an earlier walk, with its filters, which need not be passed again. It costs a
   * search, at most ⌈log2 pages⌉ + 2 requests, and the remaining pages. No order is skipped or returned twice, as
   * within one walk. From `position` of a walk, a page or an error; not together with `startPage`.
   */
  position?: WalkPosition | undefined;
}

export const walkOptionNames: OptionNames<WalkOptions> = {
  ...callOptionNames,
  status: true,
  createdFrom: true,
  createdBefore: true,
  limit: true,
  startPage: true,
  position: true,
};

interface CheckedOptions {
  filters: WalkFilters;
  resume: ResumePoint | undefined;
  limit: number | undefined;
  startPage: number;
}

/** @throws `bad_request` for invalid options */
export const readOptions = (options: WalkOptions): CheckedOptions => {
  const { position, limit, startPage, createdFrom, createdBefore } = checkOptions(options, walkOptionNames);
  const given = { statuses: checkStatuses(options.status), createdFrom, createdBefore };
  createRangeTest(given);
  if (position !== undefined && startPage !== undefined) {
    throw argumentError('Both `position` and `startPage` are set', 'Omit one of them.');
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
  if (statuses.length === 0) throw argumentError('`status` is empty', 'Pass at least one status, or omit the option.');
  return statuses;
};
