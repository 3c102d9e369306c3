import { oneOf, wholeNumber } from '../validate/values.ts';
import { type Status, statuses } from './order.ts';
import { statesOf } from './order-input.ts';
import type { OrderChange } from './order-store.ts';

/** What changes on an order, in the words of the API. What is absent stays. */
export interface OrderChangeInput {
  status?: Status;
  /** Answered as it is from then on. */
  zahlungsstatus?: string | null;
  /** Answered as it is from then on. */
  lieferstatus?: string | null;
  /** Codes delivered so far, over all items in their order. */
  delivered?: number;
}

export const orderChangeFields = ['status', 'zahlungsstatus', 'lieferstatus', 'delivered'] as const;

/** @throws Error with a sentence that names what is wrong in the change */
export const readOrderChange = (input: OrderChangeInput): OrderChange => ({
  ...(input.status === undefined ? {} : { status: oneOf('status', input.status, statuses) }),
  ...statesOf(input),
  ...(input.delivered === undefined ? {} : { delivered: wholeNumber('delivered', input.delivered) }),
});

/** The change as it came in. */
export const writeOrderChange = ({
  id,
  change: { status, paymentStatus, deliveryStatus, delivered },
}: {
  id: number;
  change: OrderChange;
}): { id: number } & OrderChangeInput => ({
  id,
  ...(status && { status }),
  ...(paymentStatus !== undefined && { zahlungsstatus: paymentStatus }),
  ...(deliveryStatus !== undefined && { lieferstatus: deliveryStatus }),
  ...(delivered !== undefined && { delivered }),
});
