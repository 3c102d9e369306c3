import type { Order, OrderSummary } from '@order-license/core/portable';
import type { EventName, Happening } from './happening';
import { createdSeconds, mayHaveCodes, printOf, type Watch, type Watched } from './watch';

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
  const isNew = !known && !wasThereBefore(watch, created);
  if (!known && !isNew) watch.unknown = true;
  const changes = changeOf(watch, order, wanted);

  const remembered: Watched = known ?? { s: order.status, v: watch.sweep };
  watch.orders[id] = remembered;
  remembered.v = watch.sweep;
  if (created !== undefined) remembered.d = created;
  if (wanted.events.includes('licenseCodesAvailable')) noteForCodes(remembered, order, isNew);
  else for (const field of ['k', 'f', 'u', 'w', 't'] as const) delete remembered[field];

  if (!isNew || !isWanted(wanted, 'newOrder', order.status)) return changes;
  return [{ event: 'newOrder', eventId: `new-order:${id}`, order }];
};

/** Whether an order that is met for the first time was there when the watch began, or was made before its time. */
const wasThereBefore = ({ baseline, newest, from }: Watch, created: number | undefined): boolean => {
  if (created !== undefined && created * 1000 < from) return true;
  // The page of the newest order is known: what is as new and was not on it came in later.
  return baseline && (newest === undefined || created === undefined || created < newest);
};

/** Codes that an order had before it was watched are not news; all others are. */
const noteForCodes = (remembered: Watched, order: OrderSummary, isNew: boolean): void => {
  if (!remembered.k && (isNew || !mayHaveCodes(order.status))) remembered.k = [];
  const print = printOf(order);
  if (print !== remembered.f) remembered.u = 1;
  remembered.f = print;
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
  // Codes that come with a change are looked for from now on.
  delete known.t;
  if (!isWanted(wanted, 'statusChanged', order.status)) return [];
  return [{ event: 'statusChanged', eventId: `status:${id}:${known.n}:${order.status}`, order, previousStatus }];
};
