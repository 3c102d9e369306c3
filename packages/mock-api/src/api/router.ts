import type { Settings } from '../settings/settings.ts';
import { splitTarget } from './http.ts';
import { type BadParameter, type ListQuery, readListQuery } from './list-query.ts';
import { readId } from './order-id.ts';

/** Base path of the API (§1). */
export const basePath = '/api/v1';

/** Names of the API operations in faults and in the journal: `GET /me`, `GET /orders`, `GET /orders/{id}`. */
export const operationNames = ['me', 'list', 'order'] as const;
export type OperationName = (typeof operationNames)[number];

/** What the target of a request asks for, with any method. */
export interface Route {
  /** `outside` is not under `/api/v1`, and `unknown` not in the API. */
  name: OperationName | 'unknown' | 'outside';
  path: string;
  query: string;
  /** The parsed query of a list. */
  list?: ListQuery | BadParameter;
  /** The order, which may not exist; `undefined` if it isn't an integer. */
  id?: number | undefined;
}

/** @param target path and query of a request */
export const readRoute = (target: string, settings: Settings): Route => {
  const split = splitTarget(target);
  const { path, query } = split;
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return { name: 'outside', ...split };
  const [, first, second, ...more] = path.slice(basePath.length).split('/');
  if (first === 'me' && second === undefined) return { name: 'me', ...split };
  if (first !== 'orders' || second === '' || more.length > 0) return { name: 'unknown', ...split };
  if (second === undefined) return { name: 'list', ...split, list: readListQuery(query, settings) };
  return { name: 'order', ...split, id: readId(second, settings) };
};

/** Returns the operation of a route. */
export const operationOf = ({ name }: Route): OperationName | undefined =>
  name === 'unknown' || name === 'outside' ? undefined : name;
