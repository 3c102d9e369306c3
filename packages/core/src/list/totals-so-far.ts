import { isObject } from '../base/checks.ts';
import { argumentError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import { toMinorUnits } from '../model/money.ts';
import type { TotalsGroup, UnreadableOrder } from './sum-orders.ts';

/** The part of `Totals` that a position stores. */
export interface TotalsSoFar {
  /** In the order of each group's first order in the list. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /** `created_at` of the newest and of the oldest order counted, unchanged. */
  newest: string | undefined;
  oldest: string | undefined;
  /** Orders counted, and list requests sent. */
  orders: number;
  requests: number;
}

/**
 * The counts before a position; the rest of the position is checked elsewhere.
 * @throws `bad_request` for the position of another walk, and for a modified one
 */
export const readTotalsSoFar = (position: WalkPosition | undefined): TotalsSoFar | undefined => {
  if (position === undefined) return undefined;
  const totals: unknown = position?.totals;
  if (!isTotals(totals)) {
    throw argumentError(
      '`position` is not the position of `totals`',
      'Pass the `position` of an error of `totals`, or of its `onProgress`, unchanged.',
    );
  }
  return totals;
};

const isTotals = (value: unknown): value is TotalsSoFar =>
  isObject(value) &&
  isListOf(value.groups, isGroup) &&
  isListOf(value.unreadable, isUnreadable) &&
  [value.newest, value.oldest].every((date) => date === undefined || typeof date === 'string') &&
  [value.orders, value.requests].every(isCount);

const isGroup = (value: unknown): value is TotalsGroup =>
  isObject(value) &&
  [value.waehrung, value.status, value.zahlungsstatus, value.lieferstatus].every(
    (state) => state === null || typeof state === 'string',
  ) &&
  [value.count, value.unreadable].every(isCount) &&
  isAmount(value.sum);

const isUnreadable = (value: unknown): value is UnreadableOrder => isObject(value) && typeof value.field === 'string';

const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isEntry);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isAmount = (value: unknown): boolean => {
  try {
    return toMinorUnits(value as string) !== undefined;
  } catch {
    return false;
  }
};
