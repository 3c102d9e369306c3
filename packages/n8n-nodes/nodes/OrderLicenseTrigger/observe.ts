import type { Order, OrderSummary } from '@order-license/core/portable';
import type { EventName, Happening } from './happening';
import { createdSeconds, mayHaveCodes, printOf, type Watch } from './watch';

/** Which happenings the user wants to hear of. */
export interface Wanted {
  events: readonly EventName[];
  /** Only orders that have one of these states then; empty for any. */
  statuses: readonly string[];
}

export const isWanted = ({ events, statuses }: Wanted, event: EventName, status: string): boolean =>
  events.includes(event) && (statuses.length === 0 || statuses.includes(status));

/** Takes an entry of the list into the watch, and says what is new about it. */
export const observe = (watch: Watch, order: OrderSummary, wanted: Wanted): Happening[] => {
  const id = String(order.id);
  const known = watch.orders[id];
  const created = createdSeconds(order);
  const wasThere = watch.baseline || (created !== undefined && created * 1000 < watch.from);
  const happened = known ? changeOf(watch, order, wanted) : [];
  const remembered = known ?? { s: order.status, v: watch.sweep };
  watch.orders[id] = remembered;
  remembered.v = watch.sweep;
  if (created !== undefined) remembered.d = created;
  if (wanted.events.includes('licenseCodesAvailable')) {
    // Codes of an order that was there before the watch are not news; those of any other are.
    if (!remembered.k && (!mayHaveCodes(order.status) || (!known && !wasThere))) remembered.k = [];
    const print = printOf(order);
    if (print !== remembered.f) remembered.u = 1;
    remembered.f = print;
  } else {
    for (const field of ['k', 'f', 'u', 'w', 't'] as const) delete remembered[field];
  }
  if (known || wasThere || !isWanted(wanted, 'newOrder', order.status)) return happened;
  return [{ event: 'newOrder', eventId: `new-order:${id}`, order }];
};

/** Takes in the status of a known order, from the list or from the order itself. */
export const changeOf = (watch: Watch, order: OrderSummary | Order, wanted: Wanted): Happening[] => {
  const id = String(order.id);
  const known = watch.orders[id];
  if (!known || known.s === order.status) return [];
  const previousStatus = known.s;
  known.s = order.status;
  known.n = (known.n ?? 0) + 1;
  if (known.k) known.u = 1;
  if (watch.baseline || !isWanted(wanted, 'statusChanged', order.status)) return [];
  return [{ event: 'statusChanged', eventId: `status:${id}:${known.n}:${order.status}`, order, previousStatus }];
};
