import { argumentError, timeOf } from '@order-license/core/host';
import {
  type OrderId,
  type OrderSummary,
  orderStatuses,
  type StatusFilter,
  statusReading,
} from '@order-license/core/portable';
import * as z from 'zod';
import { isTimeZone, localText, readInstant } from './instant.ts';

/** The orders that a call is about. */
export interface RangeQuery {
  /** Statuses of the orders; undefined for any status. */
  statuses: readonly StatusFilter[] | undefined;
  /** Payment and delivery statuses of the orders, in any case; undefined for any. */
  payments?: readonly string[] | undefined;
  deliveries?: readonly string[] | undefined;
  /** Start of the range, inclusive. */
  from: Date | undefined;
  /** End of the range, exclusive. */
  before: Date | undefined;
  /** Of the orders in the last second of the range, only this one and those behind it belong to the range. */
  continueId?: string | undefined;
  /** IANA name of the time zone for dates without a UTC offset, and for the interval in the result. */
  timeZone: string;
}

/** The statuses with their English translations, for descriptions. */
export const statusReadings = orderStatuses.map((status) => `${status} (${statusReading(status)})`).join(', ');

const notAStatus = `\`status\` must be one of ${statusReadings}, or a list of these values; omit \`status\` to read all orders`;
const oneStatus = z.enum(orderStatuses, { error: notAStatus });

const notAnInstant = (name: string): string =>
  `\`${name}\` must be a date such as 2026-11-01, or a time such as 2026-11-01 09:30:00; unless it ends with a UTC offset such as +01:00, it is in \`time_zone\``;
const instant = (name: string) =>
  z
    .string({ error: notAnInstant(name) })
    .refine((text) => readInstant(text) !== undefined, { error: notAnInstant(name) });
const notContinueId = '`continue_id` must be copied from `continue`, with all other arguments there';
const notAZone = '`time_zone` must be an IANA name such as Europe/Berlin';

/** The arguments that select orders by date and status. */
export const rangeArguments = {
  status: z.array(oneStatus, { error: notAStatus }).min(1, { error: notAStatus }).optional(),
  created_from: instant('created_from').optional().describe('Inclusive start: date or time in `time_zone`'),
  created_before: instant('created_before').optional().describe('Exclusive end'),
  time_zone: z
    .string({ error: notAZone })
    .refine(isTimeZone, { error: notAZone })
    .optional()
    .describe('IANA name; default UTC'),
  continue_id: z.string({ error: notContinueId }).optional(),
};

/** The arguments that also select orders by payment and delivery status. */
export const stateArguments = {
  zahlungsstatus: z.array(z.string()).optional().describe('Values as in results'),
  lieferstatus: z.array(z.string()).optional(),
};

type Arguments = z.output<z.ZodObject<typeof rangeArguments>> & Partial<z.output<z.ZodObject<typeof stateArguments>>>;

/**
 * The start of the year 0 in UTC, ms. In a time zone ahead of UTC, the year 0 begins earlier, at a time that arguments
 * cannot express.
 */
const yearZero = Date.parse('0000-01-01T00:00:00Z');

/**
 * Reads the range from the arguments of a call.
 * @throws `bad_request` for a range that is empty or ends before it begins
 */
export const readRangeArguments = (args: Arguments): RangeQuery => {
  const { status, zahlungsstatus, lieferstatus, created_from, created_before, time_zone, continue_id } = args;
  const timeZone = time_zone ?? 'UTC';
  const read = (text: string | undefined): Date | undefined =>
    text === undefined ? undefined : new Date(Math.max(readInstant(text, timeZone) ?? Number.NaN, yearZero));
  const [from, before] = [read(created_from), read(created_before)];
  if (from && before && from >= before) {
    throw argumentError(
      '`created_from` must be earlier than `created_before`, which is exclusive',
      'For one day, pass that day and the next.',
    );
  }
  if (continue_id !== undefined && !before) throw argumentError(notContinueId);
  return {
    statuses: status && [...new Set(status)],
    payments: zahlungsstatus,
    deliveries: lieferstatus,
    from,
    before,
    continueId: continue_id,
    timeZone,
  };
};

/** Returns the arguments that select this range; their times end in Z. */
export const argumentsOf = ({
  statuses,
  payments,
  deliveries,
  from,
  before,
  continueId,
  timeZone,
}: RangeQuery): object => ({
  status: statuses,
  zahlungsstatus: payments,
  lieferstatus: deliveries,
  created_from: from?.toISOString().replace('.000', ''),
  created_before: before?.toISOString().replace('.000', ''),
  time_zone: timeZone === 'UTC' ? undefined : timeZone,
  continue_id: continueId,
});

/** An order: its ID, and the rest of its list entry if known. */
export interface Listed {
  id: OrderId;
  created_at?: string | undefined;
}

/** Sorts orders by time; of the orders in one second, higher IDs come first. Orders without a readable date lead. */
export const newestFirst = (one: Listed, other: Listed): number =>
  sortTime(other) - sortTime(one) || (sortId(one) < sortId(other) ? 1 : -1);

export const isUndated = (order: Listed): boolean => Number.isNaN(timeOf(order));
const sortTime = (order: Listed): number => (isUndated(order) ? Number.POSITIVE_INFINITY : timeOf(order));
const sortId = ({ id }: Pick<Listed, 'id'>): string => String(id).padStart(30, '0');

/** Whether an order is not above the range, or has no readable date. */
export const isNotAbove = ({ before, continueId }: RangeQuery, order: Listed): boolean => {
  const isInLastSecond = timeOf(order) === Number(before) - 1000;
  if (isInLastSecond && continueId !== undefined) return sortId(order) <= sortId({ id: continueId });
  return !(timeOf(order) >= Number(before));
};

/** Whether an order has one of the payment and delivery statuses of a range. */
export const hasState = ({ payments, deliveries }: RangeQuery, order: OrderSummary): boolean =>
  isOneOf(payments, order.zahlungsstatus) && isOneOf(deliveries, order.lieferstatus);

const isOneOf = (texts: readonly string[] | undefined, value: unknown): boolean =>
  texts?.some((text) => text.toLowerCase() === String(value).trim().toLowerCase()) ?? true;

/**
 * Returns the interval that a result covers, in local times of the range's time zone. Orders keep the API's UTC times.
 * @param begins the start of the part that was read
 */
export const intervalOf = ({ from, before, timeZone }: RangeQuery, begins = from): object => ({
  created_from: begins ? localText(begins.getTime(), timeZone) : null,
  created_before: before ? localText(before.getTime(), timeZone) : null,
  zone: timeZone,
  zone_of_created_at: timeZone === 'UTC' ? undefined : 'UTC',
});

/** Formats a time in UTC, as the API does. */
export const utcText = (ms: number): string => `${localText(ms, 'UTC')} UTC`;
