import { concernsEveryOrder, eventIdOf, namedCodes, statusName } from '@order-license/core/host';
import {
  type ChangeEvent,
  type ChangeName,
  type Client,
  changeNames,
  isOrderLicenseError,
  type OrderLicenseError,
  type OrderSummary,
  orderStatuses,
  type StatusFilter,
} from '@order-license/core/portable';
import type { PollSettings } from './run-poll';

/** Maximum number of orders to read in search of one with license codes. */
const maxReads = 5;
/** Maximum duration of a test in the editor, ms. A person is waiting for the result and cannot cancel. */
const maxMs = 30_000;
const maxWaitMs = 15_000;

/** For each event, the statuses that an order can have when the event occurs (§3). */
const statusesAt: Record<ChangeName, readonly StatusFilter[]> = {
  newOrder: orderStatuses,
  statusChanged: orderStatuses,
  paid: ['bezahlt', 'abgeschlossen'],
  completed: ['abgeschlossen'],
  licenseCodeAvailable: ['bezahlt', 'abgeschlossen'],
};

/**
 * Finds examples for the editor: for each event, the newest order that could cause the event. Sends at most about 20
 * requests.
 */
export const findExamples = async ({
  client,
  subscription: { events, statuses = [], includeDetails },
}: PollSettings): Promise<ChangeEvent[]> => {
  const endsAt = performance.now() + maxMs;
  const bounds = () => ({ maxWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()) });
  const selected = changeNames.filter((name) => events.includes(name));
  const possible = (event: ChangeName): StatusFilter[] =>
    statusesAt[event].filter((status) => statuses.length === 0 || statuses.includes(status));
  const lists = new Map<StatusFilter, OrderSummary[]>();
  for (const status of new Set(selected.flatMap(possible))) {
    lists.set(status, (await client.listOrders({ status, perPage: maxReads, ...bounds() })).orders);
  }

  const found: ChangeEvent[] = [];
  for (const event of selected) {
    const orders = possible(event)
      .flatMap((status) => lists.get(status) ?? [])
      .sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
    if (event === 'licenseCodeAvailable') {
      const example = await codeOf(client, orders.slice(0, maxReads), bounds);
      if (example) found.push(example);
      continue;
    }
    const [order] = orders;
    if (!order) continue;
    const details = includeDetails.includes(event) ? { details: await client.getOrder(order.id, bounds()) } : {};
    const common = {
      eventId: eventIdOf({ event, id: String(order.id), status: statusName(order.status) }),
      order,
      ...details,
    };
    const previousStatus = order.status === 'ausstehend' ? 'bezahlt' : 'ausstehend';
    found.push(event === 'statusChanged' ? { event, ...common, previousStatus } : { event, ...common });
  }
  return found;
};

/**
 * Returns the newest license code of these orders. Skips orders that the API does not return.
 * @throws the last error if no order could be read, or an error that concerns every order
 */
const codeOf = async (
  client: Client,
  orders: readonly OrderSummary[],
  bounds: () => object,
): Promise<ChangeEvent | undefined> => {
  let isAnyRead = false;
  let failure: OrderLicenseError | undefined;
  for (const order of orders) {
    const details = await client.getOrder(order.id, bounds()).catch(errorOfOrder);
    if (details instanceof Error) {
      failure = details;
      continue;
    }
    isAnyRead = true;
    const [named] = namedCodes(details);
    if (named) {
      const { item, code, name } = named;
      const event = 'licenseCodeAvailable';
      const eventId = eventIdOf({ event, id: String(order.id), status: order.status, code: name });
      return { event, eventId, order, item, code, details };
    }
  }
  if (failure && !isAnyRead) throw failure;
  return undefined;
};

/**
 * Returns the error if the API responded that it cannot return this order.
 * @throws the error if it concerns every order, such as a reached rate limit
 */
const errorOfOrder = (error: unknown): OrderLicenseError => {
  const isResponse = isOrderLicenseError(error) && error.status !== undefined && error.code !== 'rate_limited';
  if (isResponse && !concernsEveryOrder(error)) return error;
  throw error;
};
