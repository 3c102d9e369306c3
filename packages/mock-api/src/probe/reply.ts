import { isEligible, type Status, statuses } from '../data/order.ts';
import { isObject } from '../settings/check.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A response, of the service or of a mock. */
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

/** The response to a question, by its name; `undefined` if it was not asked. */
export type Got = (name: string) => Reply | undefined;

export const isFields = (value: unknown): value is Fields => isObject(value);

/** The objects in a list, or the object itself. */
export const fieldsIn = (value: unknown): Fields[] => [value].flat().filter(isFields);

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
  const [pagination] = fieldsIn(dataOf(reply)?.pagination);
  const value = String(pagination?.[field]);
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
};

/** A listed order. */
export interface Listed {
  /** As the path takes it. */
  id: string;
  /** The filter that lists it, or the status of its entry. */
  status: unknown;
}

/** Each order of the lists, in their order, first that of the whole list. */
export const listedOrders = (got: Got): Listed[] => {
  const found = new Map<string, Listed>();
  for (const name of ['page1', 'page2', 'list', ...statuses]) {
    for (const entry of ordersOf(got(name)) ?? []) {
      const id = String(entry.id);
      const status = statuses.includes(name as Status) ? name : (found.get(id)?.status ?? entry.status);
      if (/^-?\d{1,30}$/.test(id)) found.set(id, Object.assign(found.get(id) ?? { id, status }, { status }));
    }
  }
  return [...found.values()];
};

export const isPaid = (status: unknown): boolean => isEligible(status as Status);

/** Chooses orders to read: the newest of each status in turn, and few unpaid ones, since they have no codes. */
export const chooseOrders = (listed: readonly Listed[], max: number): Listed[] => {
  const counts = new Map<unknown, number>();
  const rankOf = ({ status }: Listed): number => {
    const before = counts.get(status) ?? 0;
    counts.set(status, before + 1);
    if (!statuses.includes(status as Status)) return before + 100;
    return before * (isPaid(status) ? 1 : 3);
  };
  const ranked = listed.map((order) => ({ order, rank: rankOf(order) })).sort((one, other) => one.rank - other.rank);
  return ranked.slice(0, max).map(({ order }) => order);
};
