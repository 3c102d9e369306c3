import type { Poll } from '../poll';
import { newOnPage, type RecentOrders, totalOf, trimSeen } from '../state/recent-orders';
import { recordPage } from './record-order';

const pageSize = 50;
/** Pages whose orders one poll records; the next poll continues. */
const maxPages = 10;
/** Pages above the place that one poll reads in search of it. */
const maxMisses = 60;
/** After so many of them the place is searched by date. */
const missesBeforeSearch = 3;

/**
 * Reads new orders that came in during an outage from the oldest up, each poll as many as it can. It begins where the
 * orders end that are not new; each page overlaps the one below it, so orders that arrive meanwhile are not stepped over.
 * @param total orders in the list
 */
export const readMissedOrders = async (poll: Poll, recent: RecentOrders, total: number | undefined): Promise<void> => {
  const { requests, warn } = poll;
  /** Orders above the newest one that is not new. */
  let above =
    total !== undefined && recent.settled !== undefined
      ? Math.max(0, total - recent.settled)
      : ((await findPlace(poll, recent)) ?? pageSize);
  let size = pageSize;
  let misses = 0;
  let isFound = true;
  for (let pages = 0; pages < maxPages && misses < maxMisses; ) {
    const window = isFound ? windowAbove(above, size) : { page: Math.floor(above / size) + 1, perPage: size };
    const list = await requests.listOrders(window, 'event');
    if (!list) return;
    const { orders, pagination } = list;
    if (pagination.per_page < window.perPage && orders.length === pagination.per_page) {
      // The service returns smaller pages than asked for (U-02), so this is another page.
      size = pagination.per_page;
      if (window.perPage > size) continue;
    }
    const start = (window.page - 1) * window.perPage;
    const { fresh, reached } = newOnPage(recent, orders);
    const isLast = orders.length === 0 || window.page >= pagination.pages;
    if (!reached && !isLast) {
      misses += 1;
      isFound = false;
      above = start + orders.length;
      if (misses === missesBeforeSearch) above = Math.max(above, (await findPlace(poll, recent)) ?? 0);
      continue;
    }
    pages += 1;
    isFound = true;
    if (!(await recordPage(poll, recent, orders, new Set(fresh.map(({ id }) => id))))) return;
    trimSeen(recent);
    const count = totalOf(list);
    recent.settled = count === undefined ? undefined : count - start;
    if (start === 0) return;
    above = isLast && orders.length === 0 ? Math.max(0, start - 1) : start;
  }
  warn('Many orders arrived since the last poll. The next polls emit the rest, oldest first.');
};

/** By the date of the newest order that is not new. */
const findPlace = async ({ requests }: Poll, recent: RecentOrders): Promise<number | undefined> => {
  const newest = Math.max(...[...recent.seen.values()].map((created) => created ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return undefined;
  const page = await requests.findPage(new Date((newest + 1) * 1000));
  return page === undefined ? undefined : page * pageSize - 1;
};

/** The page that holds the order with so many above it, and as many of those as one page can. */
const windowAbove = (above: number, size: number): { page: number; perPage: number } => {
  let best = { page: 1, perPage: size };
  let bestStart = Number.POSITIVE_INFINITY;
  for (let perPage = size; perPage >= Math.ceil(size / 2); perPage--) {
    const page = Math.floor(above / perPage) + 1;
    const start = (page - 1) * perPage;
    if (start < bestStart) {
      best = { page, perPage };
      bestStart = start;
    }
  }
  return best;
};
