import { type Status, statuses } from '../data/order.ts';
import type { Dialect } from '../settings/settings.ts';

/** A list request as the service understands it. */
export interface ListQuery {
  page: number;
  perPage: number;
  /** `nothing` where an unknown status matches no order. */
  status: Status | 'nothing' | undefined;
}

/** A parameter that gets 400, and what is wrong with it. */
export interface BadParameter {
  parameter: string;
  problem: 'number' | 'range' | 'status' | 'repeated' | 'unknown';
}

const known = ['page', 'per_page', 'status'];

/** Reads the query of GET /orders (§4.2) by the rules of the dialect. */
export const readListQuery = (query: string, dialect: Dialect): ListQuery | BadParameter => {
  const params = new URLSearchParams(query);
  const refused = refusedName(params, dialect);
  if (refused) return refused;

  const page = readNumber(params, 'page', 1, Number.MAX_SAFE_INTEGER, 1, dialect);
  if (typeof page !== 'number') return page;
  const perPage = readNumber(params, 'per_page', 1, 50, 20, dialect);
  if (typeof perPage !== 'number') return perPage;
  const status = readStatus(one(params, 'status', dialect), dialect);
  if (typeof status === 'object') return status;
  return { page, perPage: Math.min(perPage, dialect.perPageMax), status };
};

const refusedName = (params: URLSearchParams, dialect: Dialect): BadParameter | undefined => {
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (dialect.unknownParams === 'reject' && !known.includes(name)) return { parameter: name, problem: 'unknown' };
    if (dialect.duplicateParams === 'reject' && seen.has(name)) return { parameter: name, problem: 'repeated' };
    seen.add(name);
  }
  return undefined;
};

const one = (params: URLSearchParams, name: string, dialect: Dialect): string | undefined =>
  params.getAll(name).at(dialect.duplicateParams === 'first' ? 0 : -1);

const readNumber = (
  params: URLSearchParams,
  name: string,
  min: number,
  max: number,
  standard: number,
  dialect: Dialect,
): number | BadParameter => {
  const text = one(params, name, dialect);
  if (text === undefined) return standard;
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  if (value !== undefined && value >= min && value <= max) return value;
  if (dialect.params === 'default') return standard;
  if (dialect.params === 'clamp') return Math.min(max, Math.max(min, Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0)));
  return { parameter: name, problem: value === undefined ? 'number' : 'range' };
};

const readStatus = (text: string | undefined, dialect: Dialect): ListQuery['status'] | BadParameter => {
  if (text === undefined || (text === '' && dialect.emptyStatus === 'ignore')) return undefined;
  if (statuses.includes(text as Status)) return text as Status;
  if (text === '' || dialect.unknownStatus === 'reject') return { parameter: 'status', problem: 'status' };
  return dialect.unknownStatus === 'empty' ? 'nothing' : undefined;
};
