import { type MockRequest, splitTarget } from './http.ts';
import { type Route, readRoute } from './router.ts';

/** Names of the API operations in faults and in the journal: `GET /me`, `GET /orders`, `GET /orders/{id}`. */
export const operationNames = ['me', 'list', 'order'] as const;
export type OperationName = (typeof operationNames)[number];

/** Returns the operation of a route. */
export const operationOf = (route: Route): OperationName | undefined => {
  switch (route.name) {
    case 'me':
    case 'order':
      return route.name;
    case 'orders':
      return 'list';
    default:
      return undefined;
  }
};

/** Returns the route of a path, for any method. */
export const routeOfPath = ({ target }: Pick<MockRequest, 'target'>): Route =>
  readRoute('GET', splitTarget(target).path);
