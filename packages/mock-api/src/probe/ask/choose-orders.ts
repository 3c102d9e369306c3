import { type Fields, isPaid, ordersOf } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import type { Answer } from './asker.ts';

/** A listed order. */
export interface Listed {
  /** As the path takes it. */
  id: string;
  status: string | undefined;
  /** Equal for orders with the same three statuses. */
  kind: string;
}

const maxOrders = 20;
/** Unpaid orders have no codes to check. */
const maxUnpaid = 6;

/** Returns each order of these lists once. If an entry has no status, the filter of its list provides it. */
export const listedIn = (lists: readonly (Answer | undefined)[]): Listed[] => {
  const found = new Map<string, Listed>();
  for (const list of lists) {
    for (const entry of ordersOf(list) ?? []) {
      const id = pathOf(entry.id);
      if (id === undefined) continue;
      const filter = list?.question.orderStatus;
      const status = typeof entry.status === 'string' ? entry.status : filter;
      if (!found.get(id)?.status) found.set(id, { id, status, kind: kindOf(entry, status) });
    }
  }
  return [...found.values()];
};

/** Chooses up to 20 orders, one of each kind in turn. */
export const chooseOrders = (listed: readonly Listed[]): Listed[] => {
  const kinds = groupBy(listed, ({ kind }) => kind);
  const chosen: Listed[] = [];
  let unpaid = 0;
  for (let turn = 0; turn < maxOrders; turn++) {
    for (const orders of kinds.values()) {
      const order = orders[turn];
      if (!order || chosen.length === maxOrders) continue;
      if (!isPaid(order.status) && ++unpaid > maxUnpaid) continue;
      chosen.push(order);
    }
  }
  return chosen;
};

const pathOf = (id: unknown): string | undefined => {
  const text = typeof id === 'number' || typeof id === 'bigint' || typeof id === 'string' ? String(id) : '';
  return /^-?\d{1,30}$/.test(text) ? text : undefined;
};

const kindOf = (entry: Fields, status: string | undefined): string =>
  JSON.stringify([status, entry.zahlungsstatus, entry.lieferstatus].map(String));
