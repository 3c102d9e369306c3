import type { WalkPosition } from '../base/walk-position.ts';
import { toDate } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';

/** A walk has no position if it would contain more IDs than this. */
const maxIds = 5_000;

/** The position of a walk, which advances with the orders that the walk has handled. */
export interface PositionCursor {
  /** Undefined if the list is not sorted by date, or if too many orders have the same date or none. */
  position(): WalkPosition | undefined;
  pass(order: OrderSummary): void;
  /** Records why the walk may miss orders. */
  noteGaps(gaps: readonly string[]): void;
  moveTo(position: WalkPosition | undefined): void;
}

export const createPositionCursor = (start: WalkPosition | undefined): PositionCursor => {
  let base = start;
  let at = timeOf(start);
  let ids = new Set(start?.ids);
  let undatedIds = new Set(start?.undatedIds);

  return {
    position() {
      if (!base || base.gaps.includes('unsorted') || ids.size + undatedIds.size > maxIds) return undefined;
      const atText = at === undefined ? null : new Date(at).toISOString();
      return { ...base, at: atText, ids: [...ids], undatedIds: [...undatedIds] };
    },
    pass({ id, created_at }) {
      const time = toDate(created_at)?.getTime();
      if (time === undefined) undatedIds.add(id);
      else if (at === undefined || time < at) {
        at = time;
        ids = new Set([id]);
      } else if (time === at) ids.add(id);
    },
    noteGaps(gaps) {
      base &&= { ...base, gaps: [...gaps] };
    },
    moveTo(position) {
      base = position;
      at = timeOf(position);
      ids = new Set(position?.ids);
      undatedIds = new Set(position?.undatedIds);
    },
  };
};

const timeOf = (position: WalkPosition | undefined): number | undefined =>
  typeof position?.at === 'string' ? Date.parse(position.at) : undefined;

/** The position of a walk that returns the orders of pages one by one. */
export interface EntryCursor {
  position(): WalkPosition | undefined;
  /** The next orders to pass are those of this page. */
  openPage(page: { orders: readonly OrderSummary[]; position?: WalkPosition }): void;
  pass(order: OrderSummary): void;
}

export const createEntryCursor = (start: WalkPosition | undefined): EntryCursor => {
  const cursor = createPositionCursor(start);
  let left = 0;
  let afterPage: WalkPosition | undefined;
  return {
    position: cursor.position,
    openPage({ orders, position }) {
      left = orders.length;
      afterPage = position;
      if (left > 0 && position) cursor.noteGaps(position.gaps);
      else cursor.moveTo(position);
    },
    pass(order) {
      left -= 1;
      // After its last order, the page's filtered-out orders are handled too.
      if (left === 0) cursor.moveTo(afterPage);
      else cursor.pass(order);
    },
  };
};
