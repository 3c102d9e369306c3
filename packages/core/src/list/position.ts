import { isObject } from '../base/checks.ts';
import { argumentError, type OrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { checkStatus, type OrderSummary } from '../model/order.ts';
import { isResponseId } from '../model/order-id.ts';
import { type WalkGap, walkGaps } from './list-gaps.ts';
import type { WalkFilters } from './walk-options.ts';
import { timeOf } from './window.ts';

/** The position before the first order. */
export const startPosition = ({ statuses, from, before }: WalkFilters): WalkPosition => ({
  version: 1,
  owner: '',
  status: statuses ?? null,
  createdFrom: textOf(from),
  createdBefore: textOf(before),
  at: null,
  ids: [],
  undatedIds: [],
  gaps: [],
});

/** A validated position. */
export interface ResumePoint {
  filters: WalkFilters;
  gaps: WalkGap[];
  /** When the last order was created, ms; undefined at the top of the list. */
  at: number | undefined;
  /** True for an order that the earlier walk handled, if it is not newer than `at`. */
  isDone(order: OrderSummary): boolean;
}

/**
 * @param given the filters of the resumed walk, each equal to that of the position or undefined
 * @throws `bad_request` for anything but a position of this version, and for different filters
 */
export const readPosition = (value: unknown, given: WalkFilters): ResumePoint => {
  if (!isObject(value)) throw notAPosition();
  const { version, owner, status, createdFrom, createdBefore, at, ids, undatedIds, gaps, details } = value;
  if (version !== 1) throw notAPosition('Another version of this library may have created it: start a new walk.');
  const filters = { statuses: readStatuses(status), from: readTime(createdFrom), before: readTime(createdBefore) };
  if (details !== undefined || typeof owner !== 'string' || !isIds(ids) || !isIds(undatedIds)) throw notAPosition();
  if (!Array.isArray(gaps) || !gaps.every(isGap)) throw notAPosition();
  for (const [name, own, other] of [
    ['status', filters.statuses?.toSorted().join(), given.statuses?.toSorted().join()],
    ['createdFrom', filters.from, given.from],
    ['createdBefore', filters.before, given.before],
  ]) {
    if (other !== undefined && other !== own) throw otherFilterError(String(name));
  }
  const done = new Set<unknown>([...ids, ...undatedIds]);
  return { filters, gaps, at: readTime(at), isDone: ({ id }) => done.has(id) };
};

export const otherFilterError = (name: string): OrderLicenseError =>
  argumentError(
    `\`${name}\` differs from the filter of the walk that \`position\` is from`,
    'Omit it to continue that walk, or start a new one without `position`.',
  );

export const notAPosition = (
  advice = 'Pass the `position` of a page, a walk or an error unchanged.',
): OrderLicenseError => argumentError('`position` is not the position of such a walk', advice);

const textOf = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

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

/** A walk has no position if it would contain more IDs than this. */
const maxIds = 5_000;

/** The position of a walk, which advances with the orders that the walk has handled. */
export interface Cursor {
  /** Undefined if the list is not sorted by date, or if too many orders have the same date or none. */
  position(): WalkPosition | undefined;
  pass(order: OrderSummary): void;
  /** Records why the walk may miss orders. */
  noteGaps(gaps: readonly string[]): void;
}

export const createCursor = (start: WalkPosition | undefined): Cursor => {
  let gaps = start?.gaps ?? [];
  let at = start?.at ? Date.parse(start.at) : undefined;
  let ids = new Set(start?.ids);
  const undatedIds = new Set(start?.undatedIds);
  return {
    position() {
      if (!start || gaps.includes('unsorted') || ids.size + undatedIds.size > maxIds) return undefined;
      return { ...start, at: textOf(at), ids: [...ids], undatedIds: [...undatedIds], gaps: [...gaps] };
    },
    pass(order) {
      const time = timeOf(order);
      if (time === undefined) undatedIds.add(order.id);
      else if (at === undefined || time < at) {
        at = time;
        ids = new Set([order.id]);
      } else if (time === at) ids.add(order.id);
    },
    noteGaps(found) {
      gaps = [...found];
    },
  };
};
