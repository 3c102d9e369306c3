import { argumentError, type OrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { toDate } from '../model/dates.ts';
import { checkStatus, type OrderSummary, type StatusFilter } from '../model/order.ts';
import { isAnsweredId } from '../model/order-id.ts';
import type { DateRange } from './date-range.ts';
import type { WalkGap } from './walk-gaps.ts';

/** Which orders a walk returns. */
export interface WalkFilters extends DateRange {
  statuses: StatusFilter[] | undefined;
}

/** A validated position. */
export interface ResumePoint {
  position: WalkPosition;
  filters: WalkFilters;
  gaps: WalkGap[];
  /** When the last order was created; undefined at the top of the list. */
  at: Date | undefined;
  /** True for an order that is newer than the last one. */
  isAbove(order: OrderSummary): boolean;
  /** True for an order that is not above and that the earlier walk handled. */
  isDone(order: OrderSummary): boolean;
}

/** The position before the first order. */
export const startPosition = ({ statuses, createdFrom, createdBefore }: WalkFilters): WalkPosition => ({
  version: 1,
  status: statuses ?? null,
  createdFrom: textOf(createdFrom) ?? null,
  createdBefore: textOf(createdBefore) ?? null,
  at: null,
  ids: [],
  undatedIds: [],
  gaps: [],
});

/** ISO 8601; also accepts a Date from another realm. */
const textOf = (date: Date | undefined): string | undefined => date && new Date(date.getTime()).toISOString();

const gapNames: readonly string[] = ['unsorted', 'undated', 'unseen'] satisfies WalkGap[];

/**
 * @param given the filters of the resumed walk, each equal to that of the position or undefined
 * @throws `bad_request` for anything but a position of this version, and for different filters
 */
export const checkPosition = (value: WalkPosition, given: WalkFilters): ResumePoint => {
  const position = value as Partial<WalkPosition> | null;
  if (typeof position !== 'object' || position === null || Array.isArray(position)) throw notAPosition();
  const { version, status, createdFrom, createdBefore, at, ids, undatedIds, gaps } = position;
  if (version !== 1) throw notAPosition('Another version of this library may have created it: start a new walk.');
  const filters = {
    statuses: readStatuses(status),
    createdFrom: readTime(createdFrom),
    createdBefore: readTime(createdBefore),
  };
  if (!isIds(ids) || !isIds(undatedIds)) throw notAPosition();
  if (!Array.isArray(gaps) || !gaps.every(isGap)) throw notAPosition();
  refuseOthers(filters, given);
  const last = readTime(at);
  const done = new Set<unknown>([...ids, ...undatedIds]);
  return {
    position: position as WalkPosition,
    filters,
    gaps,
    at: last,
    isAbove: ({ created_at }) => last !== undefined && Number(toDate(created_at)?.getTime()) > last.getTime(),
    isDone: ({ id }) => done.has(id),
  };
};

/** @throws `bad_request` for a filter that differs from that of the position */
const refuseOthers = (own: WalkFilters, given: WalkFilters): void => {
  const texts = ({ statuses, createdFrom, createdBefore }: WalkFilters) => ({
    status: statuses?.toSorted().join(),
    createdFrom: textOf(createdFrom),
    createdBefore: textOf(createdBefore),
  });
  const ownTexts: Record<string, string | undefined> = texts(own);
  for (const [name, text] of Object.entries(texts(given))) {
    if (text === undefined || text === ownTexts[name]) continue;
    throw argumentError(
      `\`${name}\` differs from the filter of the walk that \`position\` is from`,
      'Omit it to continue that walk, or start a new one without `position`.',
    );
  }
};

const notAPosition = (advice = 'Pass the `position` of a page, a walk or an error unchanged.'): OrderLicenseError =>
  argumentError('`position` is not the position of a walk', advice);

const readTime = (value: unknown): Date | undefined => {
  if (value === null) return undefined;
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== value) throw notAPosition();
  return date;
};

const readStatuses = (value: unknown): StatusFilter[] | undefined => {
  if (value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0) throw notAPosition();
  return value.map(checkStatus);
};

const isGap = (value: unknown): value is WalkGap => typeof value === 'string' && gapNames.includes(value);

const isIds = (value: unknown): value is (number | string)[] => Array.isArray(value) && value.every(isAnsweredId);
