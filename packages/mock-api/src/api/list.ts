import type { OrderBook, Reorder } from '../data/order-store.ts';
import { mix } from '../data/random.ts';
import { presentSummary } from '../json/order-summary.ts';
import { dropFields } from '../settings/field-paths.ts';
import type { Dialect } from '../settings/settings.ts';
import type { MockResponse } from './http.ts';
import type { ListQuery } from './list-query.ts';
import { refusal, success } from './responses.ts';

/** The answer of GET /orders to a query that was read (§4.2). */
export const listData = (dialect: Dialect, book: OrderBook, query: ListQuery, serial: number): MockResponse => {
  const { perPage } = query;
  const matching = query.status === 'nothing' ? 0 : book.count(query.status);
  const total = dialect.totalIgnoresFilter === 'on' ? book.count() : matching;
  const pages = total === 0 ? Number(dialect.emptyPages) : Math.ceil(total / perPage);

  let { page } = query;
  if (page > Math.max(pages, 1)) {
    if (dialect.pageBeyondLast === '404') return refusal('pathNotFound', dialect);
    if (dialect.pageBeyondLast === '400') return refusal('badRequest', dialect, 'page is beyond the last page.');
    if (dialect.pageBeyondLast === 'clamp') page = Math.max(pages, 1);
  }
  const from = (page - 1) * perPage;
  const found =
    query.status === 'nothing' || from >= matching
      ? []
      : book.page(from, perPage, query.status, reorderOf(dialect, serial));

  const orders = found.map((order) => presentSummary(order, dialect));
  const pagination = { page, per_page: perPage, total, pages };
  dropFields({ 'orders[]': orders, pagination }, dialect.missing, dialect.nulls);
  return success({ orders, pagination }, dialect);
};

const reorderOf = (dialect: Dialect, serial: number): Reorder | undefined => {
  switch (dialect.tieBreak) {
    case 'idDesc':
      return undefined;
    case 'idAsc':
      return (run) => run.toReversed();
    case 'shuffle':
      return (run) => run.toSorted((a, b) => mix(serial, a.id, 0) - mix(serial, b.id, 0));
  }
};
