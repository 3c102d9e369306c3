import type { Settings } from '../settings/settings.ts';
import { type MockRequest, splitTarget } from './http.ts';
import { type Route, readRoute } from './router.ts';

/** The operations of the API, by the names that faults and the journal use: `GET /me`, `GET /orders`, `GET /orders/{id}`. */
export const operationNames = ['me', 'list', 'order'] as const;
export type OperationName = (typeof operationNames)[number];

/** Which operation a route is. */
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

/** What the path of a request asks for, whatever its method. */
export const routeOfPath = ({ target }: Pick<MockRequest, 'target'>, settings: Settings): Route =>
  readRoute({ method: 'GET', target }, splitTarget(target).path, settings);
