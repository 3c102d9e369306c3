import { argumentError } from '../base/errors.ts';
import { isDated, timeOf } from '../model/dates.ts';
import type { OrderSummary } from '../model/order.ts';

const dayMs = 86_400_000;

/** Returns the first day of the period that contains a day, each as `YYYY-MM-DD`; a week begins on Monday. */
const firstDayOf = {
  day: (day: string): string => day,
  week: (day: string): string => {
    const noon = new Date(`${day}T12:00:00Z`);
    const sinceMonday = (noon.getUTCDay() + 6) % 7;
    return new Date(noon.getTime() - sinceMonday * dayMs).toISOString().slice(0, 10);
  },
  month: (day: string): string => `${day.slice(0, 8)}01`,
};

/** Calendar periods; a week begins on Monday. */
export type Period = keyof typeof firstDayOf;

/**
 * Returns a function that returns the first day of an order's period as `YYYY-MM-DD`, or null for an order without a
 * readable date.
 * @param timeZone IANA name, such as `Europe/Berlin`
 * @throws `bad_request` for an unknown period or zone
 */
export const periodReader = (groupBy: Period, timeZone: string): ((order: OrderSummary) => string | null) => {
  if (!Object.keys(firstDayOf).includes(groupBy)) throw argumentError("`groupBy` must be 'day', 'week' or 'month'");
  const dayOf = dayReader(timeZone);
  return (order) => (isDated(order) ? firstDayOf[groupBy](dayOf(timeOf(order))) : null);
};

const dayReader = (timeZone: string): ((time: number) => string) => {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    return (time) => {
      const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
      return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
    };
  } catch {
    throw argumentError('`timeZone` is not a known time zone', "Pass an IANA name, such as 'Europe/Berlin'.");
  }
};
