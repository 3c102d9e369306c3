import { type Status, statuses } from '../data/order.ts';
import type { Settings } from '../settings/settings.ts';

/** The parsed query of a list request. */
export interface ListQuery {
  page: number;
  perPage: number;
  /** `nothing` if the status is unknown and matches no order. */
  status: Status | 'nothing' | undefined;
}

/** A parameter that causes a 400, and the reason. */
export interface BadParameter {
  parameter: string;
  problem: 'number' | 'range' | 'status' | 'repeated' | 'unknown';
}

const known = ['page', 'per_page', 'status'];

/** Parses the query of GET /orders (§4.2) under the settings. */
export const readListQuery = (query: string, settings: Settings): ListQuery | BadParameter => {
  const params = new URLSearchParams(query);
  const refused = refusedName(params, settings);
  if (refused) return refused;

  const page = readNumber(params, 'page', 1, Number.MAX_SAFE_INTEGER, 1, settings);
  if (typeof page !== 'number') return page;
  const perPage = readNumber(params, 'per_page', 1, 50, 20, settings);
  if (typeof perPage !== 'number') return perPage;
  const status = readStatus(one(params, 'status', settings), settings);
  if (typeof status === 'object') return status;
  return { page, perPage: Math.min(perPage, settings.perPageMax), status };
};

const refusedName = (params: URLSearchParams, settings: Settings): BadParameter | undefined => {
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (settings.unknownParams === 'reject' && !known.includes(name)) return { parameter: name, problem: 'unknown' };
    if (settings.duplicateParams === 'reject' && seen.has(name)) return { parameter: name, problem: 'repeated' };
    seen.add(name);
  }
  return undefined;
};

const one = (params: URLSearchParams, name: string, settings: Settings): string | undefined =>
  params.getAll(name).at(settings.duplicateParams === 'first' ? 0 : -1);

const readNumber = (
  params: URLSearchParams,
  name: string,
  min: number,
  max: number,
  standard: number,
  settings: Settings,
): number | BadParameter => {
  const text = one(params, name, settings);
  if (text === undefined) return standard;
  const value = /^\d+$/.test(text) ? Number(text) : undefined;
  if (value !== undefined && value >= min && value <= max) return value;
  if (settings.params === 'default') return standard;
  if (settings.params === 'clamp') return Math.min(max, Math.max(min, Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0)));
  return { parameter: name, problem: value === undefined ? 'number' : 'range' };
};

const readStatus = (text: string | undefined, settings: Settings): ListQuery['status'] | BadParameter => {
  if (text === undefined || (text === '' && settings.emptyStatus === 'ignore')) return undefined;
  if (statuses.includes(text as Status)) return text as Status;
  if (text === '' || settings.unknownStatus === 'reject') return { parameter: 'status', problem: 'status' };
  return settings.unknownStatus === 'empty' ? 'nothing' : undefined;
};
