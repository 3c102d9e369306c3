import { concernsEveryOrder, eventIdOf, namedCodes, statusName } from '@order-license/core/host';
import {
  type ChangeEvent,
  type ChangeName,
  type Client,
  changeNames,
  isOrderLicenseError,
  type OrderLicenseError,
  type OrderSummary,
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
 * orders. Sends at most ten requests.
 */
export const findExamples = async ({
  client,
  subscription: { events, statuses = [], includeDetails },
}: PollSettings): Promise<ChangeEvent[]> => {
  const endsAt = performance.now() + maxMs;
  const bounds = () => ({ maxWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()) });
  const { orders } = await client.listOrders({ perPage: 50, ...bounds() });
  const found: ChangeEvent[] = [];
  for (const event of changeNames.filter((name) => events.includes(name))) {
    const possible = orders.filter(({ status }) => {
      const name = statusName(status);
      return (
        (statusesAt[event]?.includes(name) ?? true) && (statuses.length === 0 || statuses.some((one) => one === name))
      );
    });
    if (event === 'licenseCodeAvailable') {
      const example = await codeOf(client, possible.slice(0, maxReads), bounds);
      if (example) found.push(example);
      continue;
    }
    const [order] = possible;
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
 * Returns the newest license code of these orders. Skips orders that the API does not return.
 * @throws the error of the last order if none could be read, or an error that concerns every order
 */
const codeOf = async (
  client: Client,
  orders: readonly OrderSummary[],
  bounds: () => object,
): Promise<ChangeEvent | undefined> => {
  const event = 'licenseCodeAvailable';
  const failures: OrderLicenseError[] = [];
  for (const order of orders) {
    const details = await client.getOrder(order.id, bounds()).catch((error: unknown) => {
      const isResponse = isOrderLicenseError(error) && error.status !== undefined && error.code !== 'rate_limited';
      if (!isResponse || concernsEveryOrder(error)) return Promise.reject(error);
      failures.push(error);
      if (failures.length === orders.length) return Promise.reject(error);
      return undefined;
    });
    const [named] = details ? namedCodes(details) : [];
    if (!details || !named) continue;
    const { item, code, name } = named;
    const eventId = eventIdOf({ event, id: String(order.id), status: order.status, code: name });
    return { event, eventId, order, item, code, details };
  }
  return undefined;
};
