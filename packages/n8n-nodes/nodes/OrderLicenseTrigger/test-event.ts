import { concernsEveryOrder, eventIdOf, namedCodes, statusName } from '@order-license/core/host';
import { type ChangeEvent, type ChangeName, changeNames, isOrderLicenseError } from '@order-license/core/portable';
import { adviseIfMissing, listedAdvice } from '../shared/errors';
import type { PollSettings } from './run-poll';

/** Maximum number of orders to try for one event, because an order can lack license codes, or be unreadable. */
const maxTried = 5;
/** Maximum duration of a test in the editor, ms. A person is waiting for the result and cannot cancel. */
const maxMs = 30_000;
const maxWaitMs = 15_000;

/** The events that need the order to be paid or completed, with the statuses that it can then have (§3). */
const statusesAt: Partial<Record<ChangeName, readonly string[]>> = {
  paid: ['bezahlt', 'abgeschlossen'],
  completed: ['abgeschlossen'],
  licenseCodeAvailable: ['bezahlt', 'abgeschlossen'],
};

/** Whether an order can have this status when the event occurs. */
export const canOccur = (event: ChangeName, status: string): boolean => statusesAt[event]?.includes(status) ?? true;

/**
 * Finds examples for the editor: for each event, one with the newest order that could cause it, among the newest 50
 * orders. Their `eventId` is unique to the test: n8n's Remove Duplicates also remembers what it saw in a test, and must
 * drop neither the real event nor the next test. Sends one request, and one for each event with details; up to five if
 * orders cannot be read or have no license codes. Retries are not counted.
 * @throws the error of an order that cannot be read, if no example is found
 */
export const findExamples = async ({ client, subscription }: PollSettings): Promise<ChangeEvent[]> => {
  const { events, statuses = [], includeDetails } = subscription;
  const endsAt = performance.now() + maxMs;
  const bounds = () => ({ maxWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()), retries: 1 });
  const { orders } = await client.listOrders({ perPage: 50, ...bounds() });
  const testId = `test:${Date.now()}`;
  const found: ChangeEvent[] = [];
  let failure: unknown;
  for (const event of changeNames.filter((name) => events.includes(name))) {
    const needsCode = event === 'licenseCodeAvailable';
    const candidates = orders.filter((order) => {
      const status = statusName(order.status);
      return canOccur(event, status) && (statuses.length === 0 || statuses.some((one) => one === status));
    });
    for (const order of candidates.slice(0, maxTried)) {
      try {
        const isDetailed = includeDetails.includes(event);
        const read = needsCode || isDetailed ? await client.getOrder(order.id, bounds()) : undefined;
        const [code] = needsCode && read ? namedCodes(read) : [];
        // Like a real event, an example has the order's details only if they are included.
        const details = isDetailed ? read : undefined;
        if (needsCode && !code) continue;
        const id = eventIdOf({ event, id: String(order.id), status: statusName(order.status), code: code?.name });
        const previousStatus = order.status === 'ausstehend' ? 'bezahlt' : 'ausstehend';
        found.push({ event, eventId: `${testId}:${id}`, order, details, ...code, previousStatus } as ChangeEvent);
        break;
      } catch (error) {
        if (!isOrderLicenseError(error) || concernsEveryOrder(error)) await Promise.reject(error);
        // If the first error used up the time, the next requests fail at once, and say less about the cause.
        failure ??= error;
      }
    }
  }
  if (failure && found.length === 0) throw adviseIfMissing(failure, listedAdvice);
  return found;
};
