import type { OrderList, OrderSummary, StatusFilter } from '../model/order.ts';

/** Changes of the list during the walk. */
export interface ListChanges {
  /** `total` in the first and in the latest answer. */
  totalAtStart: number | undefined;
  totalNow: number | undefined;
  /** Orders that repeated because others were inserted above them. They are not returned twice. */
  repeated: number;
  /** How often the walk went back because orders above had left the filter. */
  stepsBack: number;
  /** At the end of a walk over the whole list: orders that the service counts but returned on no page. */
  unseen: number;
}

/** One processed answer. */
export interface WalkStep {
  /** Orders new to this walk. */
  fresh: OrderSummary[];
  /** All orders of the answer; none if it was dropped. */
  answered: OrderSummary[];
  /** The page of 50 that the walk has reached. */
  page: number;
  pages: number;
  total: number | undefined;
  requests: number;
  changes: ListChanges | undefined;
}

/** Takes the next step of a walk; undefined at its end. After an error it can be called again and resumes. */
export type Walk = () => Promise<WalkStep | undefined>;

/** Reads one page of the list. An error gets `resumePage` as its `page`. */
export type ReadPage = (query: {
  page: number;
  perPage: number;
  status: StatusFilter | undefined;
  resumePage: number;
}) => Promise<OrderList>;

interface Moved {
  repeated?: number;
  stepsBack?: number;
  /** True when every page of the whole list has been read. */
  complete?: boolean;
}

export interface WalkProgress {
  /** Requests so far. */
  readonly requests: number;
  /** Orders read so far. */
  readonly met: number;
  /** Counts a request that the service refused. */
  refused(): void;
  /** The orders of the answer that are new; marks them as read. */
  fresh(list: OrderList): OrderSummary[];
  /** True for an order read before. */
  knows(order: OrderSummary): boolean;
  /** @param fresh undefined for an answer that was dropped */
  step(list: OrderList, fresh: OrderSummary[] | undefined, page: number, moved?: Moved): WalkStep;
}

/**
 * The IDs read and the changes seen in one walk: all its memory.
 * @param requestsBefore sent by a walk that this one replaces
 */
export const createWalkProgress = (requestsBefore = 0): WalkProgress => {
  const met = new Set<unknown>();
  let requests = requestsBefore;
  let totalAtStart: number | undefined;
  let repeated = 0;
  let stepsBack = 0;

  return {
    get requests() {
      return requests;
    },
    get met() {
      return met.size;
    },
    refused() {
      requests += 1;
    },
    fresh: ({ orders }) =>
      orders.filter(({ id }) => {
        const known = met.has(id);
        met.add(id);
        return !known;
      }),
    knows: ({ id }) => met.has(id),
    step({ orders, pagination }, fresh, page, moved = {}) {
      const total = typeof pagination.total === 'number' ? pagination.total : undefined;
      if (requests === requestsBefore) totalAtStart = total;
      requests += 1;
      repeated += moved.repeated ?? 0;
      stepsBack += moved.stepsBack ?? 0;
      const unseen = moved.complete ? Math.max(0, (total ?? 0) - met.size) : 0;
      const still = totalAtStart === total && repeated === 0 && stepsBack === 0 && unseen === 0;
      const changes = still ? undefined : { totalAtStart, totalNow: total, repeated, stepsBack, unseen };
      const answered = fresh ? orders : [];
      return { fresh: fresh ?? [], answered, page, pages: pagination.pages, total, requests, changes };
    },
  };
};
