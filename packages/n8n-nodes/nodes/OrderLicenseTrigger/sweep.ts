import type { CallOptions, Client, Order, OrderList, OrderSummary, StatusFilter } from '@order-license/core/portable';
import { isOrderLicenseError } from '@order-license/core/portable';
import type { Happening } from './happening';
import { changeOf, observe, type Wanted } from './observe';
import { createdSeconds, isClosed, type Watch, type Watched } from './watch';

/** Work that takes one request. Gives undefined when there is nothing to do, and has sent nothing then. */
export type Step = () => Promise<Happening[] | undefined>;

export interface SweepOptions {
  client: Client;
  watch: Watch;
  wanted: Wanted;
  /** Orders made before this are watched only while they are open, ms since 1970. */
  cutoff: number;
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
export const createSweep = ({ client, watch, wanted, cutoff, options }: SweepOptions): { head: Step; step: Step } => {
  watch.at ??= { stage: 'young', page: 1 };
  let headPage: number | undefined = watch.at.stage === 'young' && watch.at.page === 1 ? undefined : 1;

  const isOld = (order: OrderSummary): boolean => (createdSeconds(order) ?? Number.POSITIVE_INFINITY) * 1000 < cutoff;

  /** Young, open, or open when last seen. */
  const isWatched = (order: OrderSummary): boolean =>
    !isOld(order) || !isClosed(order.status) || !isClosed(watch.orders[String(order.id)]?.s ?? 'storniert');

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
    if (watch.baseline) watch.newest ??= newestOf(list);
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
      if (order.d !== undefined && order.d * 1000 < cutoff && !order.u) delete watch.orders[id];
      else order.v = watch.sweep;
    }
    watch.at = undefined;
    watch.sweep += 1;
    watch.baseline = false;
    delete watch.newest;
    watch.from = Math.max(watch.from, cutoff);
    return undefined;
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

/** Seconds of the newest order of the first page; one more where the page does not hold all orders of that second. */
const newestOf = ({ orders, pagination }: OrderList): number => {
  const created = orders.map(createdSeconds).filter((seconds) => seconds !== undefined);
  const newest = Math.max(0, ...created);
  return pagination.pages > 1 && Math.min(...created) === newest ? newest + 1 : newest;
};

/** An order by its ID; undefined when it is gone. */
const readIfThere = (client: Client, id: string, options: CallOptions): Promise<Order | undefined> =>
  client
    .getOrder(id, options)
    .catch((error: unknown) =>
      isOrderLicenseError(error) && error.code === 'not_found' ? undefined : Promise.reject(error),
    );
