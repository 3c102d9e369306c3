import { orderIdPattern } from '@order-license/core/host';
import * as z from 'zod';

/** An order ID as core accepts it: a whole number, or its digits if a service sends strings. */
export const orderId = z.union([z.int(), z.string()]);

const notAnId = '`id` must be a whole number, the `id` from list_orders; pass an order number as `order_number`';

/** Some models quote numbers, and some services might; large IDs stay exact as digits. */
const digits = z
  .string()
  .trim()
  .regex(new RegExp(`^${orderIdPattern}$`), { error: notAnId });

/** A valid order ID in a request: at least 1, at most 30 digits. */
export const askedOrderId = z.union([z.int({ error: notAnId }).min(1, { error: notAnId }), digits], {
  error: notAnId,
});
