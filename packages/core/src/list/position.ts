import { isObject } from '../base/checks.ts';
import { argumentError, type OrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { checkStatus, type OrderSummary, type StatusFilter } from '../model/order.ts';
import { isResponseId } from '../model/order-id.ts';
import { type WalkGap, walkGaps } from './list-reader.ts';
import type { WalkFilters } from './walk-options.ts';
import { isDated, timeOf } from './window.ts';

export const startPosition = (filters: WalkFilters): WalkPosition => ({
  version: 1,
  owner: '',
  ...filters,
  at: null,
  ids: [],
  undatedIds: [],
  gaps: [],
});

/** A validated position. */
export interface ResumePoint {
  statuses: StatusFilter[] | undefined;
  /** Bounds of the date range, ms. */
  from: number | undefined;
  before: number | undefined;
  gaps: WalkGap[];
  /** Time at which the last order handled was created, ms; undefined at the top of the list. */
  at: number | undefined;
  /** True for an order that the earlier walk handled. Valid only for orders that are not newer than `at`. */
  isDone(order: OrderSummary): boolean;
}

/**
 * Validates a position.
 * @param given the filters of the resumed walk: each must be null or equal to the position's filter
 * @throws `bad_request` for a value that is not a position, for a position from an incompatible version of this
 * library, and for different filters
 */
export const readPosition = (value: unknown, given: WalkFilters): ResumePoint => {
  if (!isObject(value)) throw notAPosition();
  const { version, owner, status, createdFrom, createdBefore, at, ids, undatedIds, gaps, details } = value;
  if (version !== 1)
    throw notAPosition('The position may come from a different version of this library. Start a new walk.');
  const filters = { statuses: readStatuses(status), from: readTime(createdFrom), before: readTime(createdBefore) };
  if (details !== undefined || typeof owner !== 'string' || !isIds(ids) || !isIds(undatedIds)) throw notAPosition();
  if (!Array.isArray(gaps) || !gaps.every(isGap)) throw notAPosition();
  for (const name of ['status', 'createdFrom', 'createdBefore'] as const) {
    if (given[name] !== null && String(given[name]) !== String(value[name])) throw otherFilterError(name);
  }
  const done = new Set<unknown>([...ids, ...undatedIds]);
  return { ...filters, gaps, at: readTime(at), isDone: ({ id }) => done.has(id) };
};

export const otherFilterError = (name: string): OrderLicenseError =>
  argumentError(
    `\`${name}\` differs from the filter stored in \`position\``,
    `Omit \`${name}\` to continue the walk, or omit \`position\` to start a new one.`,
  );

export const notAPosition = (
  advice = 'Pass the `position` from a page, a walk or an error, unchanged.',
): OrderLicenseError => argumentError('`position` does not come from this kind of walk', advice);

const readTime = (value: unknown): number | undefined => {
  if (value === null) return undefined;
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== value) throw notAPosition();
  return date.getTime();
};

const readStatuses = (value: unknown) => {
  if (value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0) throw notAPosition();
  return value.map(checkStatus);
};

const isGap = (value: unknown): value is WalkGap => walkGaps.some((gap) => gap === value);

const isIds = (value: unknown): value is (number | string)[] => Array.isArray(value) && value.every(isResponseId);

/** Returns the position after `orders`, which follow `position` in the list. */
export const advance = (position: WalkPosition, orders: readonly OrderSummary[]): WalkPosition => {
  let at = readTime(position.at) ?? Number.POSITIVE_INFINITY;
  let ids = new Set(position.ids);
  const undatedIds = new Set(position.undatedIds);
  for (const order of orders) {
    const time = timeOf(order);
    if (!isDated(order)) undatedIds.add(order.id);
    else if (time < at) {
      at = time;
      ids = new Set([order.id]);
    } else if (time === at) ids.add(order.id);
  }
  const reached = Number.isFinite(at) ? new Date(at).toISOString() : null;
  return { ...position, at: reached, ids: [...ids], undatedIds: [...undatedIds] };
};

/** Maximum number of IDs in a position, so that it stays small enough to store. */
const maxIds = 5_000;

/** @returns undefined if the list is not sorted by date, or if too many orders have the same date or no date */
export const storable = (position: WalkPosition): WalkPosition | undefined => {
  const { gaps, ids, undatedIds } = position;
  return gaps.includes('unsorted') || ids.length + undatedIds.length > maxIds ? undefined : position;
};
