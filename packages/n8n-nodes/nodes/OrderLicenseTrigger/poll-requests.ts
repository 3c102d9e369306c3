import {
  type CallOptions,
  type Client,
  isRateLimitError,
  type ListQuery,
  type Order,
  type OrderList,
  type OrderSummary,
  type User,
} from '@order-license/core/portable';
import { isUnfindable } from './poll-errors';
import type { SharedAnswers } from './shared-answers';

/**
 * How much a request of a poll may ask for:
 * - `head`: whether anything is new; it may use the reserve, and waits as long as the poll lasts
 * - `event`: something has happened, and this says what; the first few of a poll may use the reserve
 * - `routine`: to see whether something has happened; it waits unless the poll holds events already
 * - `spare`: only if it can be sent at once
 */
export type Urgency = 'head' | 'event' | 'routine' | 'spare';

/** The requests of one poll. All but `getMe` return undefined when nothing more may be sent in this poll. */
export interface PollRequests {
  listOrders(query: ListQuery, urgency: Urgency): Promise<OrderList | undefined>;
  /** An order is read once per poll. */
  getOrder(id: string, urgency: Urgency): Promise<Order | undefined>;
  getMe(): Promise<User | undefined>;
  /** The page of 50 on which the orders created before this instant begin; undefined also if that cannot be found. */
  findPage(createdBefore: Date): Promise<number | undefined>;
  /** The entry of an order in the list, searched by its number; null if it cannot be found. */
  findListed(order: Order): Promise<OrderSummary | null | undefined>;
}

export interface PollRequestsOptions {
  client: Client;
  /** Whose turn it is among the consumers of the key. */
  consumer: string;
  /** By `now`, in ms: no request lasts longer. */
  endsAt: number;
  now(): number;
  answers: SharedAnswers;
  /** True once the poll should return soon, since it holds events or n8n waits for it. */
  isHurried(): boolean;
}

/** Less time than this is not enough for one more request. */
const minMs = 1_500;
const timeoutMs = 10_000;
/** Requests of a poll that may use the reserve, besides the first: people in the editor need some of it. */
const maxReserved = 3;
/** Longest wait for the limit while events wait for their workflow. */
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
