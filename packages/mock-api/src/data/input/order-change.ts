import { oneOf, wholeNumber } from '../../validate/values.ts';
import { type Status, statuses } from '../order.ts';
import type { OrderChange } from '../order-store.ts';
import { statesOf } from './order-input.ts';

/** Changes to an order, with the field names of the API. Omitted fields stay unchanged. */
export interface OrderChangeInput {
  status?: Status;
  /** Returned unchanged from then on. */
  zahlungsstatus?: string | null;
  /** Returned unchanged from then on. */
  lieferstatus?: string | null;
  /** Number of codes delivered so far, counted across the items in order. */
  delivered?: number;
}

export const orderChangeFields = ['status', 'zahlungsstatus', 'lieferstatus', 'delivered'] as const;

/** @throws Error that names the invalid field */
export const readOrderChange = (input: OrderChangeInput): OrderChange => ({
  ...(input.status === undefined ? {} : { status: oneOf('status', input.status, statuses) }),
  ...statesOf(input),
  ...(input.delivered === undefined ? {} : { delivered: wholeNumber('delivered', input.delivered) }),
});

/** Converts a change back to its input. */
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
