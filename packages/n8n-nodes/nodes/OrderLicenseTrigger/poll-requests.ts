import type { ListQuery } from '@order-license/core/host';
import {
  type CallOptions,
  type Client,
  isRateLimitError,
  type Order,
  type OrderList,
  type OrderSummary,
  type User,
} from '@order-license/core/portable';
import { isUnfindable } from './poll-errors';
import type { SharedAnswers } from './shared-answers';

/**
 * How long a request of a poll waits, and whether it may use the reserve:
 * - `head`: checks for new orders; may use the reserve, and waits until the poll ends
 * - `event`: reads the details of a change; the first few of a poll may use the reserve
 * - `routine`: checks for changes; waits unless the poll should return soon
 * - `spare`: never waits
 */
export type Urgency = 'head' | 'event' | 'routine' | 'spare';

/** The requests of one poll. Each returns undefined if nothing more may be sent in this poll. */
export interface PollRequests {
  listOrders(query: ListQuery, urgency: Urgency): Promise<OrderList | undefined>;
  /** Reads each order at most once per poll. */
  getOrder(id: string, urgency: Urgency): Promise<Order | undefined>;
  getMe(): Promise<User | undefined>;
  /** The page of 50 where orders created before this instant begin; also undefined if not found. */
  findPage(createdBefore: Date): Promise<number | undefined>;
  /** The list entry of an order, searched by its number; null if not found. */
  findListed(order: Order): Promise<OrderSummary | null | undefined>;
}

export interface PollRequestsOptions {
  client: Client;
  /** Identifies the trigger: consumers of a key take turns. */
  consumer: string;
  /** When the poll's last request must have ended, by `now`, in ms. */
  endsAt: number;
  now(): number;
  answers: SharedAnswers;
  /** True once the poll should return soon, since it has events or n8n waits for it. */
  isHurried(): boolean;
}

/** With less time left, no request is sent. */
const minMs = 1_500;
const timeoutMs = 10_000;
/** Event requests per poll that may use the reserve; users in the editor need some of it. */
const maxReserved = 3;
/** Longest wait for a permit once the poll should return soon. */
const hurriedMs = 3_000;

export const createPollRequests = (options: PollRequestsOptions): PollRequests => {
  const { client, consumer, endsAt, now, answers, isHurried } = options;
  const read = new Map<string, Order>();
  let reserved = 0;

  const bounds = (urgency: Urgency): CallOptions | undefined => {
    const leftMs = endsAt - now();
    if (leftMs < minMs) return undefined;
    const useReserve = urgency === 'head' || (urgency === 'event' && reserved < maxReserved);
    if (useReserve && urgency === 'event') reserved += 1;
    const hurriedWaitMs = urgency === 'routine' ? 0 : hurriedMs;
    const maxWaitMs = urgency === 'spare' ? 0 : urgency !== 'head' && isHurried() ? hurriedWaitMs : leftMs;
    return { priority: 'background', consumer, useReserve, maxWaitMs, deadlineMs: leftMs, timeoutMs };
  };

  const send = async <Answer>(
    urgency: Urgency,
    call: (bounds: CallOptions) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    const options = bounds(urgency);
    if (!options) return undefined;
    return call(options).catch((error: unknown) =>
      isRateLimitError(error) && error.source === 'local' ? undefined : Promise.reject(error),
    );
  };

  return {
    listOrders: (query, urgency) =>
      answers.ask(`list ${query.status} ${query.page} ${query.perPage}`, () =>
        send(urgency, (bounds) => client.listOrders({ ...query, ...bounds })),
      ),
    async getOrder(id, urgency) {
      const ask = () => send(urgency, (bounds) => client.getOrder(id, bounds));
      const order = read.get(id) ?? (await answers.ask(`order ${id}`, ask));
      if (order) read.set(id, order);
      return order;
    },
    getMe: () => send('head', (bounds) => client.getMe(bounds)),
    findPage: (createdBefore) =>
      send('event', async (bounds) => {
        const { value } = await client.orderPages({ createdBefore, limit: 1, ...bounds, useReserve: false }).next();
        return value && value.orders.length > 0 ? value.page : undefined;
      }),
    findListed: ({ id, bestellnummer }) =>
      send('event', (bounds) =>
        client.findOrder(String(bestellnummer), { ...bounds, useReserve: false }).then(
          ({ summary }) => (String(summary.id) === String(id) ? summary : null),
          (error: unknown) => (isUnfindable(error) ? null : Promise.reject(error)),
        ),
      ),
  };
};
