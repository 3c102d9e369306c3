import { ownMessage } from '@order-license/core/host';
import type { OrderLicenseError } from '@order-license/core/portable';
import type { Call } from '../client/one-call.ts';
import type { Gap, Part } from '../read/list-part.ts';
import { intervalOf, limitsOf } from '../read/range.ts';

/** Maximum number of entries in a list of exceptions, such as orders with an unreadable date. */
export const maxNamed = 20;
/** Maximum number of failed orders that are listed, each with its error. */
const maxFailed = 100;

const reasons: Record<Gap, string> = {
  unsorted: 'The API does not sort its list by date, so orders may be missing.',
  undated: 'Orders with an unreadable date are left out; `undated` counts and lists them.',
  unseen: 'The API returned fewer orders than it counts, or a wrong page, so orders may be missing.',
  ties: 'More orders were created in one second than fit in one response, so orders may be missing.',
  removed: 'Orders were removed from the list while it was read, so others may be missing.',
  masked_names:
    'Some product names are masked because license keys contain the same words. Masked names were not searched for `product`: call again without `product` to read all orders.',
  unsearched: 'The search ended before it reached the date range: call order_license_list_orders with `page` instead.',
};

/**
 * Returns the arguments for a call that reads the rest; undefined if nothing remains.
 * @param args the arguments of this call
 */
export const argumentsForRest = ({ range, rest, left }: Part, args: object): object | undefined => {
  if (rest) return { ...args, ...limitsOf(rest) };
  return range || left.length === 0 ? undefined : { ...args, ids: left.map(({ id }) => id) };
};

/**
 * Returns the beginning of a result: what the result covers, why it is incomplete, and how to continue. This part comes
 * first, so that readers notice that the result is incomplete. Fields that are undefined are not in the result.
 * @param next arguments for the rest
 * @param requests_left number of requests that the rate limit still allows
 */
export const describePart = (
  part: Partial<Part>,
  next: object | undefined,
  call: Pick<Call, 'requests'>,
  requests_left: number | undefined,
): object => {
  const { range, rest, gaps = [], undated = [], failed = [], left = [], interruption } = part;
  const ordersLeft = (part.isListed && left.length) || undefined;
  // The next part takes about as many requests as this one, unless few orders are left.
  const needed = Math.min(call.requests(), ordersLeft ?? Number.POSITIVE_INFINITY);
  const advice = [
    ...gaps.map((gap) => reasons[gap]),
    // The full message may quote the response, which could contain anything.
    interruption && ownMessage(interruption),
    next && 'This result is only a part: for the rest, call again with the arguments in `continue`.',
    next &&
      !interruption &&
      Number(requests_left) < needed &&
      `Wait a minute before the next call: it may need ${needed} request${needed === 1 ? '' : 's'}.`,
  ].filter(Boolean);
  const isWrongId = ({ error }: { error: OrderLicenseError }): boolean => !range && error.code === 'not_found';
  return {
    complete: gaps.length === 0 && failed.every(isWrongId) && !next,
    continue: next,
    advice: unlessEmpty(advice)?.join(' '),
    interrupted_by: interruption?.code,
    retry_after_seconds: interruption?.retryAfterMs && Math.ceil(interruption.retryAfterMs / 1000),
    interval: range && intervalOf(range, rest?.before),
    requests: call.requests(),
    requests_left,
    orders_left: ordersLeft,
    gaps: unlessEmpty(gaps),
    undated: unlessEmpty(undated) && { count: undated.length, ids: undated.slice(0, maxNamed) },
    failed: unlessEmpty(failed)
      ?.slice(0, maxFailed)
      .map(({ id, error: { code, detail, advice } }) => ({ id, code, detail, advice })),
    failed_left_out: failed.length > maxFailed ? failed.length - maxFailed : undefined,
  };
};

/** Returns undefined for an empty list, so that a result has no such field. */
export const unlessEmpty = <One>(list: readonly One[]): readonly One[] | undefined =>
  list.length > 0 ? list : undefined;

/** A table that represents a list of objects: the one form in which results list orders, items, codes and sums. */
export interface Table {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** Names of the values in a row. */
  columns: string[];
  rows: unknown[][];
}

/** Fields that identify a row; they are never moved to `same`. */
const keyFields = ['id', 'bestellnummer', 'license_key'];

/** Converts objects to a table. A field that an object lacks is null in its row. */
export const tableOf = (objects: readonly object[]): Table => {
  const isKey = ([name]: readonly [string, unknown]): boolean => keyFields.includes(name);
  const shared = new Map(objects.length < 2 ? [] : sharedFields(objects).filter((field) => !isKey(field)));
  const columns = [...new Set(objects.flatMap(Object.keys))].filter((name) => !shared.has(name));
  return {
    ...(shared.size > 0 && { same: Object.fromEntries(shared) }),
    columns,
    rows: objects.map((object) => columns.map((name) => fieldOf(object, name) ?? null)),
  };
};

/** Returns the fields that all objects have with the same value. */
const sharedFields = (objects: readonly object[]): [string, unknown][] =>
  Object.entries(objects[0] ?? {}).filter(([name, value]) => {
    const text = JSON.stringify(value);
    return objects.every((object) => Object.hasOwn(object, name) && JSON.stringify(fieldOf(object, name)) === text);
  });

const fieldOf = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name as keyof object] : undefined;
