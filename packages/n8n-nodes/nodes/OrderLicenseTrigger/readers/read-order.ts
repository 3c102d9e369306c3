import type { Order } from '@order-license/core/portable';
import type { Poll } from '../poll';
import { isFailure, isUnreadable } from '../poll-errors';
import type { Urgency } from '../poll-requests';

/** Why an order was not read: it does not exist, its answer is unusable, or the service failed, maybe temporarily. */
export type Unread = 'gone' | 'unusable' | 'failing';

/** After failures for this many orders in one poll, the service is assumed to be down. */
const maxFailures = 3;
/** How long an order whose details fail may block those after it. */
const maxHoldSeconds = 600;

/**
 * Reads one order. Returns errors that concern only this order, since it may fail forever and must not block others.
 * @returns undefined if nothing more may be sent in this poll
 */
export const readOrder = async (poll: Poll, id: string, urgency: Urgency): Promise<Order | Unread | undefined> => {
  const { requests, failing, failed, now, warn } = poll;
  if (failed.has(id)) return 'failing';
  const answer = await requests.getOrder(id, urgency).catch((error: unknown): Unread | Promise<never> => {
    if (!isFailure(error) && !isUnreadable(error)) return Promise.reject(error);
    if (error.code === 'not_found') return 'gone';
    warn(`Could not read order ${id}, will retry later: ${error.message}`);
    if (!isFailure(error)) return 'unusable';
    return failed.add(id).size < maxFailures ? 'failing' : Promise.reject(error);
  });
  if (answer === 'failing') failing.set(id, failing.get(id) ?? now);
  else if (answer !== undefined) failing.delete(id);
  return answer;
};

/**
 * The details of an order; empty if they are unreadable or the service has failed for ten minutes, so that the order does
 * not block those after it forever.
 * @returns undefined if they cannot be read now
 */
export const readWhole = async (poll: Poll, id: string): Promise<Order | object | undefined> => {
  const { failing, now, warn } = poll;
  const order = await readOrder(poll, id, 'event');
  if (order === undefined || typeof order === 'object') return order;
  if (order === 'failing' && now - (failing.get(id) ?? now) < maxHoldSeconds) return undefined;
  warn(`Order ${id} is reported without its details, which could not be read.`);
  return {};
};
