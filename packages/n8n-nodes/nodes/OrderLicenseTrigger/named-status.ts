import { isNamedStatus } from '../shared/order-status';
import type { AnyOrder } from '../shared/output';
import { fingerprint } from './account';
import type { WatchedOrder } from './state/trigger-state';
import type { Subscription } from './trigger-event';

type Masks = Pick<Subscription, 'masks'>;

/** If keys are masked, an undocumented status is neither saved nor part of an event ID. */
export const namedStatus = <Any extends AnyOrder>(order: Any, { masks }: Masks): Any =>
  masks && !isNamedStatus(order.status) ? { ...order, status: nameOf(order.status) } : order;

/** Converts a status saved before 'License Keys' was changed to its current form. */
export const adoptStatus = (known: WatchedOrder, { status }: AnyOrder, { masks }: Masks): void => {
  if (masks && !isNamedStatus(known.status) && !madeName.test(known.status)) known.status = nameOf(known.status);
  if (!masks && known.status === nameOf(status)) known.status = status;
};

const nameOf = (status: unknown): string => `other-${fingerprint(String(status))}`;
const madeName = /^other-[\da-z]{1,7}$/;
