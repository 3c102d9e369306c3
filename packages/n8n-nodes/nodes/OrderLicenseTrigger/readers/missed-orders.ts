import type { Poll } from '../poll';
import { newOnPage, type RecentOrders, totalOf, trimSeen } from '../state/recent-orders';
import { recordPage } from './record-order';

const pageSize = 50;
/** Pages that one poll records; the next poll continues. */
const maxPages = 10;
/** Pages that one poll reads in search of the newest known order. */
const maxMisses = 60;
/** After this many pages, the search continues by date. */
const missesBeforeSearch = 3;

/**
 * Reads orders that arrived during an outage, oldest first, over as many polls as needed. It starts at the newest known
 * order; each page overlaps the one below it, so orders that arrive in between cause no gaps.
 * @param total orders in the list
 */
export const readMissedOrders = async (poll: Poll, recent: RecentOrders, total: number | undefined): Promise<void> => {
  const { requests, warn } = poll;
  /** Number of orders above the newest known one. */
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
      // The service returns smaller pages than requested (U-02), so this is a different page.
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

/** Finds the position of the newest known order by its date. */
const findPlace = async ({ requests }: Poll, recent: RecentOrders): Promise<number | undefined> => {
  const newest = Math.max(...[...recent.seen.values()].map((created) => created ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return undefined;
  const page = await requests.findPage(new Date((newest + 1) * 1000));
  return page === undefined ? undefined : page * pageSize - 1;
};

/** The page that contains the order at this position, and as many of those above it as possible. */
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
