/** Base path of the API (§1). */
export const basePath = '/api/v1';

/** Names of the API operations in faults and in the journal: `GET /me`, `GET /orders`, `GET /orders/{id}`. */
export const operationNames = ['me', 'list', 'order'] as const;
export type OperationName = (typeof operationNames)[number];

/** What a path asks for, for any method. */
export type Route =
  | { name: 'me' }
  | { name: 'list' }
  /** `segment` is the id as written in the path. */
  | { name: 'order'; segment: string }
  | { name: 'unknown' }
  /** Not under `/api/v1`. */
  | { name: 'outside' };

/** @param path of a request, without its query */
export const readRoute = (path: string): Route => {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return { name: 'outside' };
  const [, first, second, ...more] = path.slice(basePath.length).split('/');
  if (first === 'me' && second === undefined) return { name: 'me' };
  if (first !== 'orders' || second === '' || more.length > 0) return { name: 'unknown' };
  return second === undefined ? { name: 'list' } : { name: 'order', segment: second };
};

/** Returns the operation of a route. */
export const operationOf = ({ name }: Route): OperationName | undefined =>
  name === 'unknown' || name === 'outside' ? undefined : name;
