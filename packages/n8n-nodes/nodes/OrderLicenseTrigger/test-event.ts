import { eventIdOf, namedCodes, statusName } from '@order-license/core/host';
import {
  type ChangeEvent,
  type ChangeName,
  type Client,
  changeNames,
  type OrderLicenseError,
  orderStatuses,
  toDate,
  type WalkOptions,
} from '@order-license/core/portable';
import type { PollSettings } from './run-poll';

/** Maximum number of orders to read in search of one with license codes. */
const maxReads = 5;
/** Maximum duration of a test in the editor, ms. A person is waiting for the result and cannot cancel. */
const maxMs = 30_000;
const maxWaitMs = 15_000;

/** The events that need the order to be paid or completed, with the statuses that it can then have (§3). */
const statusesAt: Partial<Record<ChangeName, readonly unknown[]>> = {
  paid: ['bezahlt', 'abgeschlossen'],
  completed: ['abgeschlossen'],
  licenseCodeAvailable: ['bezahlt', 'abgeschlossen'],
};

/**
 * Finds examples for the editor: for each event, one with the newest order that could cause it, among the newest 50
 * orders. Sends about a dozen requests at most, not counting retries.
 */
export const findExamples = async ({
  client,
  subscription: { events, statuses = [], includeDetails },
}: PollSettings): Promise<ChangeEvent[]> => {
  const endsAt = performance.now() + maxMs;
  const bounds = () => ({ maxWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()) });
  const { orders } = await client.listOrders({ perPage: 50, ...bounds() });
  const createdFrom = toDate(orders.at(-1)?.created_at) ?? undefined;
  const found: ChangeEvent[] = [];
  for (const event of changeNames.filter((name) => events.includes(name))) {
    const canHave = (status: unknown): boolean =>
      (statusesAt[event]?.includes(status) ?? true) &&
      (statuses.length === 0 || statuses.some((one) => one === status));
    if (event === 'licenseCodeAvailable') {
      const example = await codeOf(client, { status: orderStatuses.filter(canHave), createdFrom, ...bounds() });
      if (example) found.push(example);
      continue;
    }
    const order = orders.find(({ status }) => canHave(statusName(status)));
    if (!order) continue;
    const details = includeDetails.includes(event) ? { details: await client.getOrder(order.id, bounds()) } : {};
    const eventId = eventIdOf({ event, id: String(order.id), status: statusName(order.status) });
    const common = { eventId, order, ...details };
    const previousStatus = order.status === 'ausstehend' ? 'bezahlt' : 'ausstehend';
    found.push(event === 'statusChanged' ? { event, ...common, previousStatus } : { event, ...common });
  }
  return found;
};

/**
 * Returns the newest license code of the orders with these statuses.
 * @throws the error of the last order that was read, if it has one and no order before had codes
 */
const codeOf = async (
  client: Client,
  options: WalkOptions & { status: readonly unknown[] },
): Promise<ChangeEvent | undefined> => {
  const event = 'licenseCodeAvailable';
  if (options.status.length === 0) return undefined;
  let failure: OrderLicenseError | undefined;
  for await (const { summary: order, order: details, error } of client.orderDetails({
    ...options,
    limit: maxReads,
    retries: 1,
  })) {
    failure = error;
    const [named] = details ? namedCodes(details) : [];
    if (!details || !named) continue;
    const { item, code, name } = named;
    const eventId = eventIdOf({ event, id: String(order.id), status: order.status, code: name });
    return { event, eventId, order, item, code, details };
  }
  return failure && Promise.reject(failure);
};
