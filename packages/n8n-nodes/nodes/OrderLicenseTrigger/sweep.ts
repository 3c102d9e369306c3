import type { CallOptions, Client, Order, OrderList, OrderSummary, StatusFilter } from '@order-license/core/portable';
import { isOrderLicenseError } from '@order-license/core/portable';
import type { Happening } from './happening';
import { changeOf, isWanted, observe, type Wanted } from './observe';
import { createdSeconds, isClosed, mayHaveCodes, type Watch, type Watched } from './watch';

/** Work that takes one request. Gives undefined when there is nothing to do, and has sent nothing then. */
export type Step = () => Promise<Happening[] | undefined>;

export interface SweepOptions {
  client: Client;
  watch: Watch;
  wanted: Wanted;
  /** Orders made before this are watched only while they are open, or their codes are waited for, ms since 1970. */
  cutoff: number;
  /** When the poll began, ms since 1970. */
  now: number;
  /** For each request. */
  options(): CallOptions;
}

const openStates: readonly StatusFilter[] = ['ausstehend', 'bezahlt'];

/**
 * Reads the list again and again, over as many polls as it takes. One sweep meets all young orders, page by page, then
 * the older ones that are open, by the status filter, and last, one by one, the open orders that it has not met: most
 * of those have been closed. The list need not stand still: an open order that is passed over is read singly, any other
 * is met by the next sweep.
 */
export const createSweep = ({
  client,
  watch,
  wanted,
  cutoff,
  now,
  options,
}: SweepOptions): { head: Step; step: Step } => {
  watch.at ??= { stage: 'young', page: 1 };
  let headPage: number | undefined = watch.at.stage === 'young' && watch.at.page === 1 ? undefined : 1;

  const isMadeBefore = (order: OrderSummary, time: number): boolean =>
    (createdSeconds(order) ?? Number.POSITIVE_INFINITY) * 1000 < time;

  /** Too old to be a new one that came in while nobody polled. */
  const isOld = (order: OrderSummary): boolean => isMadeBefore(order, Math.min(cutoff, watch.from));

  /** Young, unknown so far, open, or open when last seen. */
  const isWatched = (order: OrderSummary): boolean => {
    const known = watch.orders[String(order.id)];
    if (!isClosed(order.status) || (known && !isClosed(known.s))) return true;
    return known ? !isMadeBefore(order, cutoff) : !isOld(order);
  };

  /** Its codes are to be read, or waited for as long as any order is watched. */
  const awaitsCodes = ({ s, u, w, t = 0 }: Watched): boolean =>
    mayHaveCodes(s) &&
    isWanted(wanted, 'licenseCodesAvailable', s) &&
    (u === 1 || (w !== undefined && t * 1000 >= cutoff));

  const takePage = ({ orders }: OrderList): Happening[] =>
    orders.filter(isWatched).flatMap((order) => observe(watch, order, wanted));

  const isLast = ({ orders, pagination }: OrderList, page: number): boolean =>
    orders.length === 0 || page >= pagination.pages || (pagination.page ?? page) !== page;

  const notMet = (): [string, Watched][] => Object.entries(watch.orders).filter(([, { v }]) => v !== watch.sweep);

  /** The stage after this one, as far as one has something to do. */
  const stageAfter = (stage: string): string => {
    const left = openStates.slice(openStates.indexOf(stage as StatusFilter) + 1);
    const unmet = new Set(notMet().map(([, { s }]) => s));
    return left.find((status) => watch.baseline || unmet.has(status)) ?? 'missing';
  };

  const readPage = async (at: { stage: string; page: number }): Promise<Happening[]> => {
    const { stage, page } = at;
    const young = stage === 'young';
    const status = young ? undefined : (stage as StatusFilter);
    const list = await client.listOrders({ page, perPage: 50, status, ...options() }).catch((error: unknown) => {
      // The list may have become shorter since the last poll (U-05).
      if (page > 1 && isOrderLicenseError(error) && (error.status === 404 || error.status === 400)) return pastEnd;
      return Promise.reject(error);
    });
    const found = takePage(list);
    if (watch.baseline && watch.newest === undefined) beginWith(newestOf(list, now));
    const ended = isLast(list, page) || (young && list.orders.every(isOld));
    watch.at = ended ? { stage: stageAfter(stage), page: 1 } : { stage, page: page + 1 };
    return found;
  };

  /** Old orders that are closed are forgotten; one that was open when last seen is read. */
  const readMissing = async (): Promise<Happening[] | undefined> => {
    for (const [id, order] of notMet()) {
      if (!isClosed(order.s)) {
        order.v = watch.sweep; // also when it cannot be read: the next sweep tries again
        const read = await readIfThere(client, id, options());
        if (!read) delete watch.orders[id];
        return read ? changeOf(watch, read, wanted) : [];
      }
      if (order.d !== undefined && order.d * 1000 < cutoff && !awaitsCodes(order)) forget(id, order.d);
      else order.v = watch.sweep;
    }
    watch.sweep += 1;
    const { unknown } = watch;
    delete watch.unknown;
    if (!watch.baseline || !unknown) {
      watch.baseline = false;
      delete watch.newest;
      watch.at = undefined;
      return undefined;
    }
    // The list may have moved under the first sweep. What another one meets was there too, until it meets nothing.
    watch.at = { stage: 'young', page: 1 };
    return readPage(watch.at);
  };

  /** From now on nothing tells it from an order that was there already: so neither may any that is as old. */
  const forget = (id: string, created: number): void => {
    delete watch.orders[id];
    watch.from = Math.max(watch.from, (created + 1) * 1000);
  };

  const beginWith = (newest: number | undefined): void => {
    if (newest === undefined) return;
    watch.newest = newest;
    // The time that the watch began with came from this clock, which may have been ahead.
    watch.from = Math.min(watch.from, (newest + 1) * 1000);
  };

  return {
    /** New orders at the head of the list, while the sweep is further down. */
    async head() {
      if (headPage === undefined) return undefined;
      const list = await client.listOrders({ page: headPage, perPage: 50, ...options() });
      const reached = list.orders.some(({ id }) => watch.orders[String(id)]);
      headPage = reached || isLast(list, headPage) || list.orders.every(isOld) ? undefined : headPage + 1;
      return takePage(list);
    },
    async step() {
      if (!watch.at) return undefined;
      return watch.at.stage === 'missing' ? readMissing() : readPage(watch.at);
    },
  };
};

const pastEnd = { orders: [], pagination: {} } as unknown as OrderList;

/**
 * Seconds of the newest order of the first page that is not in the future; one more where the page does not hold all
 * orders of that second. Undefined where no date can be read.
 */
const newestOf = ({ orders, pagination }: OrderList, now: number): number | undefined => {
  const created = orders.map(createdSeconds).filter((seconds) => seconds !== undefined);
  if (created.length === 0) return undefined;
  const past = created.filter((seconds) => seconds * 1000 <= now);
  const newest = Math.max(...(past.length > 0 ? past : created));
  return pagination.pages > 1 && Math.min(...created) === newest ? newest + 1 : newest;
};

/** An order by its ID; undefined when it is gone. */
const readIfThere = (client: Client, id: string, options: CallOptions): Promise<Order | undefined> =>
  client
    .getOrder(id, options)
    .catch((error: unknown) =>
      isOrderLicenseError(error) && error.code === 'not_found' ? undefined : Promise.reject(error),
    );
