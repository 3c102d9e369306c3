import { sentKey } from '../api/handle.ts';
import { type MockRequest, splitTarget } from '../api/http.ts';
import { readListQuery } from '../api/list-query.ts';
import { readId } from '../api/order-id.ts';
import { operationOf, readRoute } from '../api/router.ts';
import type { StateStore } from '../data/state.ts';
import type { Settings } from '../settings/settings.ts';
import type { FaultRule } from './rule.ts';

/**
 * Creates the matcher for a request.
 * @returns whether a rule matches the request, or undefined if the request isn't an API operation
 */
export const matcherOf = (
  request: MockRequest,
  state: StateStore,
  settings: Settings,
): ((rule: FaultRule) => boolean) | undefined => {
  const { path, query } = splitTarget(request.target);
  const { method } = request;
  const route = readRoute(path);
  const operation = operationOf(route);
  if (!operation) return undefined;

  return (rule) => {
    if (rule.operation !== undefined && rule.operation !== operation) return false;
    if (method !== (rule.method ?? 'GET')) return false;
    if (rule.page !== undefined) {
      const list = readListQuery(query, settings);
      if ('problem' in list || list.page !== rule.page) return false;
    }
    if (rule.id !== undefined && (route.name !== 'order' || readId(route.segment, settings) !== rule.id)) return false;
    return rule.key === undefined || sentKey(request, state)?.name === rule.key;
  };
};
