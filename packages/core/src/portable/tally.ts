import type { OrderList, OrderSummary } from './answers.ts';
import { OrderLicenseError } from './errors.ts';
import type { StatusFilter } from './order-status.ts';

/** What moved in the list while it was walked. */
export interface Drift {
  /** `total` in the first and in the newest answer. */
  totalAtStart: number | undefined;
  totalNow: number | undefined;
  /** Orders that came again because others were put in above them. They are not given twice. */
  repeated: number;
  /** Times the walk went back because orders above had left the filter. */
  stepsBack: number;
  /** At the end of a walk over the whole list: orders that the service counts but gave on no page. */
  unseen: number;
}

/** One answer, taken in. */
export interface Step {
  /** Orders not met before in this walk. */
  fresh: OrderSummary[];
  /** The page of 50 that the walk has reached. */
  page: number;
  pages: number;
  total: number | undefined;
  requests: number;
  drift: Drift | undefined;
}

/** Takes the next step of a walk; undefined at its end. After an error it can be asked again and goes on where it was. */
export type Walk = () => Promise<Step | undefined>;

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

export interface Tally {
  /**
   * Those of the answer that were not met before; they count as met now.
   * @throws `invalid_response` when all that was met has come again, and more than a moving list explains
   */
  fresh(list: OrderList): OrderSummary[];
  /** True when at least one order of the answer was met before. */
  knows(list: OrderList): boolean;
  step(list: OrderList, fresh: OrderSummary[], page: number, moved?: Moved): Step;
}

/** More orders than are put in at the head of a list between two reads of it. */
const mostPutIn = 1_000;

/** The IDs met and the movements seen in one walk: all that it remembers. */
export const createTally = (): Tally => {
  const met = new Set<unknown>();
  let requests = 0;
  let totalAtStart: number | undefined;
  let repeated = 0;
  let stepsBack = 0;
  /** Orders in a row that were met before. */
  let again = 0;

  return {
    fresh({ orders }) {
      const fresh = orders.filter(({ id }) => {
        const known = met.has(id);
        met.add(id);
        return !known;
      });
      again = fresh.length > 0 ? 0 : again + orders.length;
      if (again >= met.size + mostPutIn) {
        again = 0;
        throw new OrderLicenseError(
          'invalid_response',
          'The list goes on without end: every order has come again, and nothing new; set a limit, and tell the shop.',
        );
      }
      return fresh;
    },
    knows: ({ orders }) => orders.some(({ id }) => met.has(id)),
    step({ pagination }, fresh, page, moved = {}) {
      const total = typeof pagination.total === 'number' ? pagination.total : undefined;
      requests += 1;
      if (requests === 1) totalAtStart = total;
      repeated += moved.repeated ?? 0;
      stepsBack += moved.stepsBack ?? 0;
      const unseen = moved.complete ? Math.max(0, (total ?? 0) - met.size) : 0;
      const still = totalAtStart === total && repeated === 0 && stepsBack === 0 && unseen === 0;
      const drift = still ? undefined : { totalAtStart, totalNow: total, repeated, stepsBack, unseen };
      return { fresh, page, pages: pagination.pages, total, requests, drift };
    },
  };
};
