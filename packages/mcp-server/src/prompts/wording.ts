import * as z from 'zod';

/** A day as an argument of a prompt. */
export const day = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'Give the day as YYYY-MM-DD.')
    .describe(`${what}, YYYY-MM-DD, UTC`);

/** How every flow over many orders goes about the list and the limit. */
export const walk =
  'Read the list with list_orders and per_page 50, from page 1 on; it is sorted by date, newest first. After rate_limited wait the seconds that it says and go on where you were.';
/** How every flow treats money (§2.2). */
export const exact =
  'Take amounts as the decimal strings that they are, do not round them, and never add amounts of different currencies.';
