import { isOrderLicenseError } from '../base/errors.ts';
import type { WalkPosition } from '../base/walk-position.ts';
import type { OrderSummary } from '../model/order.ts';
import { anchoredWalk } from './anchored-walk.ts';
import { createRangeTest } from './date-range.ts';
import { iterate, type OrderWalk } from './order-walk.ts';
import { fullPage, plainWalk } from './plain-walk.ts';
import { type ResumePoint, startPosition, type WalkFilters } from './position.ts';
import { createEntryCursor, createPositionCursor } from './position-cursor.ts';
import { rangedWalk } from './ranged-walk.ts';
import { createGapWatch, type WalkGap } from './walk-gaps.ts';
import { readOptions, type WalkOptions } from './walk-options.ts';
import type { ListChanges, ReadPage, WalkStep } from './walk-progress.ts';

/** One step of a walk over the list. */
export interface OrderPage {
  /** Orders new to this walk, newest first. May be empty. */
  orders: OrderSummary[];
  /** The page of 50 that the walk has reached. */
  page: number;
  /** Total pages and orders, as the service counted them in this answer. */
  pages: number;
  total: number | undefined;
  /** Orders returned so far, including this page. */
  read: number;
  /** List requests so far. */
  requests: number;
  /** How the list changed; absent if it hasn't. */
  changes?: ListChanges;
  /** Why orders may be missing so far; absent if nothing suggests it. */
  gaps?: WalkGap[];
  /** After this page: see `position` of the walk. Absent if the walk has none. */
  position?: WalkPosition;
}

/**
 * @param onFailure called when a step fails; the next step resumes the walk
 * @throws `bad_request` for invalid options, before anything is sent; then the errors of a call, with `page` and
 * `position`
 */
export const walkPages = (read: ReadPage, options: WalkOptions, onFailure?: () => void): OrderWalk<OrderPage> => {
  const { filters, resume, limit, startPage } = readOptions(options);
  const { statuses } = filters;
  const { isNewer, isOlder } = createRangeTest(filters);
  const hasRange = filters.createdFrom !== undefined || filters.createdBefore !== undefined;
  const status = statuses?.length === 1 ? statuses[0] : undefined;
  const keep = (order: OrderSummary): boolean => !statuses || statuses.some((wanted) => wanted === order.status);
  // Requests a full page if the page decides whether the walk ends, or must have 50 orders.
  const isFull = startPage > 1 || filters.createdFrom !== undefined || (statuses !== undefined && !status);
  const perPage = isFull ? fullPage : Math.min(limit ?? fullPage, fullPage);
  const isAbove = (order: OrderSummary): boolean => isNewer(order) || (resume?.isAbove(order) ?? false);
  const watch = createGapWatch(read, { hasRange, isAbove, gaps: resume?.gaps });
  const top = upperEnd(filters, resume);
  const walk =
    top !== undefined && startPage === 1
      ? rangedWalk(watch.read, { at: top, isNewer: isAbove, status, keep })
      : status
        ? anchoredWalk(watch.read, { status, startPage, perPage })
        : plainWalk(watch.read, { startPage, perPage, keep });
  const isWanted = (order: OrderSummary): boolean => !isAbove(order) && !isOlder(order) && !resume?.isDone(order);
  const cursor = createPositionCursor(resume?.position ?? startPosition(filters));
  let given = 0;
  let ended = false;

  const next = async (): Promise<OrderPage | undefined> => {
    if (ended) return undefined;
    let step: WalkStep | undefined;
    try {
      step = await walk();
    } catch (error) {
      onFailure?.();
      if (isOrderLicenseError(error)) error.position = cursor.position();
      throw error;
    }
    if (!step) return undefined;
    watch.look(step);
    const gaps = watch.found();
    const { fresh, answered, page, pages, total, requests, changes } = step;
    const orders = fresh.filter(isWanted).slice(0, (limit ?? Number.POSITIVE_INFINITY) - given);
    given += orders.length;
    ended = given === limit || (answered.length > 0 && answered.every(isOlder));
    cursor.noteGaps(watch.foundSoFar());
    // Orders beyond the limit are still to come.
    for (const order of given === limit ? orders : answered) cursor.pass(order);
    const position = cursor.position();
    const notes = { ...(changes && { changes }), ...(gaps.length > 0 && { gaps }), ...(position && { position }) };
    return { orders, page, pages, total, read: given, requests, ...notes };
  };
  return iterate(next, cursor.position);
};

/** The orders of a walk, one by one. */
export const walkOrders = (pages: OrderWalk<OrderPage>): OrderWalk<OrderSummary> => {
  const cursor = createEntryCursor(pages.position);
  let rest: OrderSummary[] = [];
  return iterate(async () => {
    while (rest.length === 0) {
      const { value, done } = await pages.next();
      if (done) return undefined;
      cursor.openPage(value);
      rest = value.orders.toReversed();
    }
    const order = rest.pop() as OrderSummary;
    cursor.pass(order);
    return order;
  }, cursor.position);
};

/** All wanted orders are older than this instant; undefined for the top of the list. */
const upperEnd = ({ createdBefore }: WalkFilters, resume: ResumePoint | undefined): Date | undefined => {
  const afterLast = resume?.at && new Date(resume.at.getTime() + 1);
  if (!afterLast || !createdBefore) return afterLast ?? createdBefore;
  return afterLast < createdBefore ? afterLast : createdBefore;
};
