import { isNamedStatus } from '../shared/order-status';
import type { AnyOrder } from '../shared/output';
import { fingerprint } from './account';
import type { Subscription } from './trigger-event';

/** Where keys are masked, a status that the API docs do not name is neither saved nor part of an event ID. */
export const namedStatus = <Any extends AnyOrder>(order: Any, { masks }: Pick<Subscription, 'masks'>): Any => {
  const isNamed = !masks || isNamedStatus(order.status);
  return isNamed ? order : { ...order, status: `other-${fingerprint(String(order.status))}` };
};
