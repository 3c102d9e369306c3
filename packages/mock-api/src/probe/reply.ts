import { statuses } from '../data/order.ts';
import type { Got } from './questions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A response, of the service or of the mock. */
export interface Reply {
  /** 0 if there was no response. */
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The parsed JSON body, with integers above 2^53 as bigint; `undefined` if it can't be read. */
  body: unknown;
  /** Why the response is missing or its body unreadable. */
  problem?: string;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** `data` of a success. */
export const dataOf = (reply: Reply | undefined): Fields | undefined => {
  if (reply?.status !== 200 || !isFields(reply.body)) return undefined;
  return isFields(reply.body.data) ? reply.body.data : undefined;
};

/** `orders` of a list; `undefined` if there is none. */
export const ordersOf = (reply: Reply | undefined): Fields[] | undefined => {
  const orders = dataOf(reply)?.orders;
  return Array.isArray(orders) ? fieldsIn(orders) : undefined;
};

/** A number of the pagination object, also from a string of digits; `undefined` if there is none. */
export const pagingOf = (reply: Reply | undefined, field: string): number | undefined => {
  const pagination = dataOf(reply)?.pagination;
  const value = isFields(pagination) ? pagination[field] : undefined;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
};

export const isPaid = (status: unknown): boolean => status === 'bezahlt' || status === 'abgeschlossen';

/** A listed order. */
export interface Listed {
  /** As the path takes it. */
  id: string;
  /** The filter that lists it, or the status of its entry. */
  status: string | undefined;
}

/** Each order of the lists, in their order, first that of the whole list. */
export const listedOrders = (got: Got): Listed[] => {
  const found = new Map<string, Listed>();
  for (const name of ['page1', 'page2', 'list', ...statuses]) {
    const filter = (statuses as readonly string[]).includes(name) ? name : undefined;
    for (const entry of ordersOf(got(name)) ?? []) {
      const id = ['number', 'bigint', 'string'].includes(typeof entry.id) ? String(entry.id) : '';
      if (!/^-?\d{1,30}$/.test(id)) continue;
      const known = found.get(id);
      if (known) known.status = filter ?? known.status;
      else found.set(id, { id, status: filter ?? (typeof entry.status === 'string' ? entry.status : undefined) });
    }
  }
  return [...found.values()];
};

/** Chooses orders: the newest of each status in turn, and few unpaid ones, since they have no codes. */
export const chooseOrders = (got: Got, max: number): Listed[] => {
  const counts = new Map<unknown, number>();
  const ranked = listedOrders(got).map((order) => {
    const before = counts.get(order.status) ?? 0;
    counts.set(order.status, before + 1);
    return { order, rank: before * (isPaid(order.status) ? 1 : 3) };
  });
  const chosen = ranked.sort((one, other) => one.rank - other.rank).slice(0, max);
  return chosen.map(({ order }) => order);
};
