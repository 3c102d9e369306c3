import { isEligible, type Status, statuses } from '../data/order.ts';
import { isObject } from '../settings/check.ts';
import { limitQuestion, maxOrders, type Question } from './questions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A question, and the response from the API or a mock. */
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

/** Returns the exchange about the question with this name; `undefined` if there was none. */
export type Got = (name: string) => Exchange | undefined;

/** Returns a function that finds the last exchange by its question's name, ignoring 429s. */
export const gotFrom =
  (exchanges: readonly Exchange[]): Got =>
  (name) =>
    exchanges.findLast(({ question, status }) => question.name === name && status !== 429);

export const isFields = (value: unknown): value is Fields => isObject(value);

/** Converts a string or number to text; returns an empty text for anything else. */
export const textOf = (value: unknown): string =>
  ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';

/** Returns the objects in a list, or the value itself if it is an object. */
export const fieldsIn = (value: unknown): Fields[] => [value].flat().filter(isFields);

/** Returns the `data` of a 200; `undefined` if it is not an object. */
export const dataOf = ({ status, body }: Partial<Exchange> = {}): Fields | undefined => {
  const data = status === 200 && isFields(body) ? body.data : undefined;
  return isFields(data) ? data : undefined;
};

/** Returns the `orders` of a list response; `undefined` if it has none. */
export const ordersOf = (exchange: Exchange | undefined): Fields[] | undefined => {
  const orders = dataOf(exchange)?.orders;
  return Array.isArray(orders) ? fieldsIn(orders) : undefined;
};

/** Returns a number in the pagination object, even if it is written as a string; NaN if there is none. */
export const pagingOf = (exchange: Exchange | undefined, field: string): number => {
  const [pagination] = fieldsIn(dataOf(exchange)?.pagination);
  const text = textOf(pagination?.[field]);
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
};

export interface Listed {
  /** The ID as it appears in the path. */
  id: string;
  /** The order's status in its list entry or, if it is missing there, the status that the list was filtered by. */
  status: Status | undefined;
}

/** Returns each listed order once: first those of the unfiltered list, then those of the filtered lists. */
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

export const isPaid = ({ status }: Listed): boolean => status !== undefined && isEligible(status);

/** Chooses orders to read: the newest of each status in turn, but only a few unpaid ones, since these have no codes. */
export const chooseOrders = (listed: readonly Listed[]): Listed[] => {
  const rankOf = (order: Listed, n: number): number => {
    const before = listed.slice(0, n).filter(({ status }) => status === order.status);
    return before.length * (isPaid(order) ? 1 : 3);
  };
  const ranked = listed.map((order, n) => ({ order, rank: rankOf(order, n) }));
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxOrders)
    .map(({ order }) => order);
};
