import * as z from 'zod';

/** An order ID as core accepts it: a whole number, or its digits where a service sends strings. */
export const orderId = z.union([z.int(), z.string()]);
