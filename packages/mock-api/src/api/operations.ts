import { presentOrder, presentUser } from '../json/order.ts';
import { readId } from '../json/order-id.ts';
import { dropFields } from '../settings/field-paths.ts';
import type { Visit } from './guards.ts';
import type { MockResponse } from './http.ts';
import { listData } from './list.ts';
import { refusal, success } from './responses.ts';

/**
 * The three operations (§4), for a visit that passed all checks.
 * @throws Error where it did not
 */
export const operate = ({ state, dialect, key, route, list, origin, serial }: Visit): MockResponse => {
  const account = state.account(key?.account ?? '');
  if (route.name === 'me') {
    const user = presentUser(account, dialect);
    dropFields({ me: user }, dialect.missing, dialect.nulls);
    return success(user, dialect);
  }
  if (list) return listData(dialect, state.orders(account.name), list, serial);
  if (route.name === 'order') {
    const presenter = { dialect, keySource: state.keySource, origin };
    const id = readId(route.segment, dialect);
    const order = id === undefined ? undefined : state.orders(account.name).find(id);
    return order ? success(presentOrder(presenter, account, order), dialect) : refusal('orderNotFound', dialect);
  }
  throw new Error(`no operation for ${route.name}`);
};
