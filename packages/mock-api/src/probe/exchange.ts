import { isEligible, type Status, statuses } from '../data/order.ts';
import { isObject } from '../settings/check.ts';
import { maxOrders, type Question } from './questions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A question, and the response from the API or a mock. */
export interface Exchange {
  question: Question;
  /** When it was asked, ms since 1970. */
  at: number;
  /** 0 if there was no response. */
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as it was sent; `undefined` if it can't be read. */
  text?: string;
  /** The parsed JSON body, with integers above 2^53 as bigint; `undefined` if it can't be read. */
  body?: unknown;
  /** Why the response is missing or its body unreadable. */
  problem?: string;
}

/** The exchange about a question, by its name; `undefined` if there was none. */
export type Got = (name: string) => Exchange | undefined;

/** Finds exchanges other than 429. */
export const gotFrom =
  (exchanges: readonly Exchange[]): Got =>
  (name) =>
    exchanges.findLast(({ question, status }) => question.name === name && status !== 429);

export const isFields = (value: unknown): value is Fields => isObject(value);

/** The text of a string or a number; empty for anything else. */
export const textOf = (value: unknown): string =>
  ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';

/** The objects in a list, or the object itself. */
export const fieldsIn = (value: unknown): Fields[] => [value].flat().filter(isFields);

/** `data` of a success. */
export const dataOf = ({ status, body }: Partial<Exchange> = {}): Fields | undefined => {
  const data = status === 200 && isFields(body) ? body.data : undefined;
  return isFields(data) ? data : undefined;
};

/** `orders` of a list; `undefined` if there is none. */
export const ordersOf = (exchange: Exchange | undefined): Fields[] | undefined => {
  const orders = dataOf(exchange)?.orders;
  return Array.isArray(orders) ? fieldsIn(orders) : undefined;
};

/** A number of the pagination object, also from a string of digits; NaN if there is none. */
export const pagingOf = (exchange: Exchange | undefined, field: string): number => {
  const [pagination] = fieldsIn(dataOf(exchange)?.pagination);
  const text = textOf(pagination?.[field]);
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
};

/** A listed order. */
export interface Listed {
  /** The ID as it appears in the path. */
  id: string;
  /** The status of its entry, or else the filter that lists it. */
  status: Status | undefined;
}

/** Each order of the lists, in their order, first that of the whole list. */
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

/** Chooses orders to read: the newest of each status in turn, and few unpaid ones, since they have no codes. */
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
