import { type Status, statuses } from '../orders/statuses.ts';
import type { Settings } from '../settings/settings.ts';
import { readId } from './order-id.ts';

/** An HTTP request, from any adapter. */
export interface MockRequest {
  method: string;
  /** Path and query exactly as sent, e.g. `/api/v1/orders?page=2`. */
  target: string;
  /** The headers as sent, as alternating names and values. */
  rawHeaders: readonly string[];
  /** Whether the request was sent over TLS. */
  secure: boolean;
}

/**
 * Returns all values of a header, in the order in which they were sent.
 * @param name in lower case
 */
export const headerValues = ({ rawHeaders }: MockRequest, name: string): string[] => {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const key = rawHeaders[i] as string;
    if (key.length === name.length && key.toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  }
  return values;
};

/** Whether a header such as Accept or Accept-Encoding names a value, and doesn't exclude it with `q=0`. */
export const accepts = (header: string, value: string): boolean =>
  header.split(',').some((one) => {
    const [name = '', quality = ''] = one.toLowerCase().split(';');
    return name.trim() === value && !/^\s*q=0(\.0*)?\s*$/.test(quality);
  });

/** Splits a request target into path and query. The query has no question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
};

/** Whether the request has a body. */
export const hasBody = (request: MockRequest): boolean =>
  Number(headerValues(request, 'content-length')[0] ?? 0) > 0 || headerValues(request, 'transfer-encoding').length > 0;

/** Base path of the API (§1). */
export const basePath = '/api/v1';

/** Names of the API operations in faults and in the journal: `GET /me`, `GET /orders`, `GET /orders/{id}`. */
export const operationNames = ['me', 'list', 'order'] as const;
export type OperationName = (typeof operationNames)[number];

/** The part of the API that a path refers to, whatever the method. */
export interface Route {
  /** Absent if the path is not part of the API. */
  operation?: OperationName;
  /** Whether the path is outside `/api/v1`. */
  isOutside?: boolean;
  path: string;
  query: string;
  /** The parsed query of a list. */
  list?: ListQuery | BadParameter;
  /** The order's ID, whether or not the order exists; `undefined` if the ID isn't an integer. */
  id?: number | undefined;
}

/** @param target path and query of a request */
export const readRoute = (target: string, settings: Settings): Route => {
  const split = splitTarget(target);
  const { path, query } = split;
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return { ...split, isOutside: true };
  const [, first, second, ...more] = path.slice(basePath.length).split('/');
  if (first === 'me' && second === undefined) return { ...split, operation: 'me' };
  if (first !== 'orders' || second === '' || more.length > 0) return split;
  if (second === undefined)
    return { ...split, operation: 'list', list: readListQuery(new URLSearchParams(query), settings) };
  return { ...split, operation: 'order', id: readId(second, settings) };
};

/** The parsed query of a list request. */
export interface ListQuery {
  page: number;
  perPage: number;
  /** `nothing` if an unknown status was sent, so that no order matches. */
  status: Status | 'nothing' | undefined;
}

/** A parameter that causes a 400, and the reason. */
export interface BadParameter {
  parameter: string;
  problem: 'number' | 'range' | 'status';
}

/** Parses the query of GET /orders (§4.2) according to the settings. */
export const readListQuery = (params: URLSearchParams, settings: Settings): ListQuery | BadParameter => {
  const page = readNumber(params, 'page', Number.MAX_SAFE_INTEGER, 1, settings);
  if (typeof page !== 'number') return page;
  const perPage = readNumber(params, 'per_page', 50, 20, settings);
  if (typeof perPage !== 'number') return perPage;
  const status = readStatus(one(params, 'status'), settings);
  if (typeof status === 'object') return status;
  return { page, perPage: Math.min(perPage, settings.perPageMax), status };
};

/** If a parameter is given twice, its last value counts (U-07). */
const one = (params: URLSearchParams, name: string): string | undefined => params.getAll(name).at(-1);

const readNumber = (
  params: URLSearchParams,
  name: string,
  max: number,
  standard: number,
  settings: Settings,
): number | BadParameter => {
  const text = one(params, name);
  if (text === undefined) return standard;
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  if (value !== undefined && value >= 1 && value <= max) return value;
  if (settings.params === 'default') return standard;
  if (settings.params === 'clamp') return Math.min(max, Math.max(1, Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0)));
  return { parameter: name, problem: value === undefined ? 'number' : 'range' };
};

const readStatus = (text: string | undefined, { unknownStatus }: Settings): ListQuery['status'] | BadParameter => {
  if (text === undefined || statuses.includes(text as Status)) return text as Status | undefined;
  if (unknownStatus === 'reject') return { parameter: 'status', problem: 'status' };
  return unknownStatus === 'empty' ? 'nothing' : undefined;
};
