import { type Client, type OrderSummary, orderStatuses, type StatusFilter } from '@order-license/core/portable';
import { codesOf, lineItemsOf } from '../shared/output';
import { namedStatus } from './named-status';
import { plainId } from './plain-id';
import {
  isPaidOrCompleted,
  licenseCodeAvailable,
  newOrder,
  paidOrCompleted,
  type Subscription,
  statusChanged,
  type TriggerEvent,
} from './trigger-event';

/** Orders read in search of one with codes. */
const maxReads = 5;
/** A user waits in the editor and cannot cancel. */
const maxMs = 30_000;
const maxWaitMs = 15_000;

/** Examples for the editor: the newest matching order for each event. At most ten requests. */
export const findExamples = async (client: Client, subscription: Subscription): Promise<TriggerEvent[]> => {
  const { events, statuses, includeDetails } = subscription;
  const endsAt = performance.now() + maxMs;
  const bounds = () => ({ maxWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()) });
  const wanted = statuses.length > 0 ? orderStatuses.filter((status) => statuses.includes(status)) : undefined;
  const withCodes = (wanted ?? orderStatuses).filter(isPaidOrCompleted);

  const newestWith = async (from: readonly StatusFilter[], perPage: number): Promise<OrderSummary[]> => {
    for (const status of from) {
      const { orders } = await client.listOrders({ status, perPage, ...bounds() });
      if (orders.length > 0) return orders;
    }
    return [];
  };
  const newest = async (): Promise<OrderSummary[]> =>
    wanted ? newestWith(wanted, 1) : (await client.listOrders({ perPage: 1, ...bounds() })).orders;
  const whole = async (order: OrderSummary) =>
    includeDetails ? { ...order, ...(await client.getOrder(order.id, bounds())) } : order;

  const found: TriggerEvent[] = [];
  if (events.includes('newOrder') || events.includes('statusChanged')) {
    const [order] = await newest();
    const example = order && namedStatus(await whole(order), subscription);
    if (example && events.includes('newOrder')) found.push(newOrder(example));
    if (example && events.includes('statusChanged')) found.push(statusChanged(example, null));
  }
  if (events.includes('paidOrCompleted')) {
    const [order] = await newestWith(withCodes, 1);
    if (order) found.push(paidOrCompleted(await whole(order)));
  }
  if (!events.includes('licenseCodesAvailable')) return found;
  for (const { id } of (await newestWith(withCodes, maxReads)).slice(0, maxReads)) {
    const order = await client.getOrder(id, bounds());
    for (const position of lineItemsOf(order)) {
      const [code] = codesOf(position);
      if (!code) continue;
      const placed = { position, positionId: plainId(position.id), code, codeId: plainId(code.id) };
      return [...found, licenseCodeAvailable(order, placed)];
    }
  }
  return found;
};
