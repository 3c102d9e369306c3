import { argumentError, timeOf } from '@order-license/core/host';
import {
  type OrderId,
  type OrderSummary,
  orderStatuses,
  type StatusFilter,
  statusReading,
} from '@order-license/core/portable';
import * as z from 'zod';

/** The orders that a call is about. */
export interface RangeQuery {
  /** Statuses of the orders; undefined for any status. */
  statuses: readonly StatusFilter[] | undefined;
  /** Payment and delivery statuses of the orders, in any case; undefined for any. */
  zahlungsstatus?: readonly string[] | undefined;
  lieferstatus?: readonly string[] | undefined;
  /** Start of the range, inclusive. */
  from: Date | undefined;
  /** End of the range, exclusive. */
  before: Date | undefined;
  /** Continues a divided second: of the range's last second, only orders with this ID or a lower one. */
  continueId?: string | undefined;
  /** IANA name of the time zone for dates without a UTC offset, and for the interval in the result. */
  timeZone: string;
}

/** The statuses with their English translations, for descriptions. */
export const statusReadings = orderStatuses.map((status) => `${status} (${statusReading(status)})`).join(', ');

const instant = z.string().refine((text) => readInstant(text) !== undefined);
/** What `continue_id` must be. */
export const withOthers = 'copied from `continue`, with all other arguments there';

/** The arguments that select orders by date and status. */
export const rangeArguments = {
  status: z.array(z.enum(orderStatuses)).min(1).optional(),
  created_from: instant.optional().describe('Inclusive start: date or time in `time_zone`'),
  created_before: instant.optional().describe('Exclusive end'),
  time_zone: z
    .string()
    .refine((name) => isTimeZone(name))
    .optional()
    .describe('IANA name; default UTC'),
  continue_id: z.string().optional(),
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
 * @throws `bad_request` for a range that is empty or ends before it begins, or a `continue_id` without an end
 */
export const readRangeArguments = (args: Arguments): RangeQuery => {
  const { status, zahlungsstatus, lieferstatus, created_from, created_before } = args;
  const { time_zone: timeZone = 'UTC', continue_id: continueId } = args;
  const read = (text: string | undefined): Date | undefined =>
    text === undefined ? undefined : new Date(Math.max(readInstant(text, timeZone) ?? Number.NaN, yearZero));
  const [from, before] = [read(created_from), read(created_before)];
  if (from && before && from >= before) {
    throw argumentError(
      '`created_from` must be earlier than `created_before`, which is exclusive',
      'For one day, pass that day and the next.',
    );
  }
  if (continueId !== undefined && !before) throw argumentError(`\`continue_id\` must be ${withOthers}`);
  const statuses = status && [...new Set(status)];
  return { statuses, zahlungsstatus, lieferstatus, from, before, continueId, timeZone };
};

/** Returns the arguments that limit a range; their times end in Z. */
export const limitsOf = ({ from, before, continueId }: RangeQuery) => ({
  created_from: from?.toISOString().replace('.000', ''),
  created_before: before?.toISOString().replace('.000', ''),
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

/** Whether an order is in the range or below it, or has no readable date. */
export const isNotAbove = ({ before, continueId }: RangeQuery, order: Listed): boolean => {
  const isInLastSecond = timeOf(order) === Number(before) - 1000;
  if (isInLastSecond && continueId !== undefined) return sortId(order) <= sortId({ id: continueId });
  return !(timeOf(order) >= Number(before));
};

/** Whether an order has one of the payment and delivery statuses of a range. */
export const hasState = ({ zahlungsstatus, lieferstatus }: RangeQuery, order: OrderSummary): boolean =>
  isOneOf(zahlungsstatus, order.zahlungsstatus) && isOneOf(lieferstatus, order.lieferstatus);

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

/**
 * Reads a date, or a date and a time: `2026-11-01`, `2026-11-01 09:30`, `2026-11-01T09:30:00+01:00`, and those that
 * {@link utcText} writes. Fractions of a second are rounded up, because orders have times in whole seconds.
 * @param timeZone IANA name of the time zone for a text without a UTC offset
 * @returns ms since 1970, or undefined for a date or time that does not exist
 */
export const readInstant = (text: string, timeZone = 'UTC'): number | undefined => {
  const [, day = '', time = '00:00', seconds = ':00', fraction = '', zone] = form.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // Rejects invalid days such as 30 February, which JavaScript would change to a day in the next month.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const offset = (zone ?? 'Z')
    .toUpperCase()
    .replace('UTC', 'Z')
    .replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const whole = new Date(`${day}T${time}${seconds}${offset}`).getTime();
  if (Number.isNaN(whole)) return undefined;
  return (zone === undefined ? fromLocal(whole, timeZone) : whole) + (Number(fraction) > 0 ? 1000 : 0);
};

const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d+)?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?$/i;

/** Formats a time in this time zone as the API does (§2.2). */
export const localText = (ms: number, timeZone: string): string =>
  new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 19).replace('T', ' ');

export const isTimeZone = (name: string): boolean => {
  try {
    return localText(0, name) !== '';
  } catch {
    return false;
  }
};

const day = 86_400_000;

/**
 * Converts a local time to milliseconds since 1970. A time that the zone skips becomes the next time that exists.
 * @param local the local time, in ms as if it were UTC
 */
const fromLocal = (local: number, timeZone: string): number => {
  const times = [local - day, local + day].map((ms) => local - offsetAt(ms, timeZone));
  return times.find((ms) => ms + offsetAt(ms, timeZone) === local) ?? Math.max(...times);
};

/**
 * Returns how far the zone's local time is ahead of UTC, ms. Uses only English, because some packages of Node have no
 * other locale data.
 */
const offsetAt = (ms: number, timeZone: string): number => {
  const text = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(ms);
  const [, sign = '+', ...parts] = /GMT([+-])(\d\d):(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return Number(`${sign}1000`) * (3600 * hours + 60 * minutes + seconds);
};
