import { isEligible, type Status, statuses } from '../orders/statuses.ts';
import { isObject } from '../settings/check.ts';
import { limitQuestion, maxOrders, type Question } from './questions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A question, and the response of the API or of the mock. */
export interface Exchange {
  question: Question;
  /** Time at which the question was sent, ms since 1970. */
  at: number;
  /** 0 if there was no response. */
  status: number;
  /** The response headers by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as it was sent; `undefined` if it can't be read. */
  text?: string;
  /** The parsed JSON body, with integers above 2^53 as bigint; `undefined` if it can't be read. */
  body?: unknown;
  /** Why the response is missing or its body unreadable. */
  problem?: string;
}

/** Whether the rate limit rejected a request. Some servers return 503 then. */
export const isOverLimit = ({ question, status }: Exchange): boolean =>
  status === 429 || (status === 503 && question === limitQuestion);

/** Returns the last exchange with a question's name; ignores 429s. */
export type Got = (name: string) => Exchange | undefined;
export const gotFrom =
  (exchanges: readonly Exchange[]): Got =>
  (name) =>
    exchanges.findLast(({ question, status }) => question.name === name && status !== 429);

/** Returns a text or a number as text; an empty text for anything else. */
export const textOf = (value: unknown): string =>
  ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';

/** Returns the objects in a list, or the value itself if it is an object. */
export const objectsIn = (value: unknown): Fields[] => [value].flat().filter(isObject) as Fields[];

/** Returns the `data` of a 200; `undefined` if it is not an object. */
export const dataOf = ({ status, body }: Partial<Exchange> = {}): Fields | undefined =>
  status === 200 ? objectsIn(objectsIn(body)[0]?.data)[0] : undefined;

/** Returns the `orders` of a list response; `undefined` if it has none. */
export const ordersOf = (exchange: Exchange | undefined): Fields[] | undefined => {
  const orders = dataOf(exchange)?.orders;
  return Array.isArray(orders) ? objectsIn(orders) : undefined;
};

/** Returns a number of the pagination, even if it is written as a text; NaN if there is none. */
export const pagingOf = (exchange: Exchange | undefined, field: string): number => {
  const text = textOf(objectsIn(dataOf(exchange)?.pagination)[0]?.[field]);
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
};

export interface Listed {
  /** The ID as it is written in the path. */
  id: string;
  /** The status in the list entry, or the status that the list was filtered by. */
  status: Status | undefined;
}

/** Returns each listed order once, first those of the unfiltered list. */
export const listedOrders = (got: Got): Listed[] => {
  const found = new Map<string, Status | undefined>();
  for (const name of ['page1', 'page2', 'list', ...statuses])
    for (const order of ordersOf(got(name)) ?? []) {
      const id = textOf(order.id);
      const status = statuses.find((one) => one === order.status) ?? statuses.find((one) => one === name);
      if (/^-?\d{1,30}$/.test(id)) found.set(id, status ?? found.get(id));
    }
  return Array.from(found, ([id, status]) => ({ id, status }));
};

/** Chooses orders to read: the newest of each status in turn, but only a few unpaid ones, since these have no codes. */
export const chooseOrders = (listed: readonly Listed[]): Listed[] => {
  const seen = new Map<Status | undefined, number>();
  const ranked = listed.map((order) => {
    const before = seen.get(order.status) ?? 0;
    seen.set(order.status, before + 1);
    return { order, rank: before * (order.status && isEligible(order.status) ? 1 : 3) };
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxOrders)
    .map(({ order }) => order);
};
