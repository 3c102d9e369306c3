/**
 * Reads the instant of a `created_at` (§2.2), which is in UTC and written `YYYY-MM-DD HH:MM:SS` without a zone. Also
 * accepts a `T` in place of the space, and a zone. Drops fractions of a second.
 * @returns null for anything else, such as `0000-00-00 00:00:00`, impossible days, and zones past `+23:59`
 */
export const toDate = (createdAt: unknown): Date | null => {
  const [, day = '', time, zone = 'Z'] = dateTime.exec(typeof createdAt === 'string' ? createdAt : '') ?? [];
  const local = new Date(`${day}T${time}Z`);
  const date = new Date(`${day}T${time}${zone}`);
  // JavaScript reads February 30 as March 1 or 2, so the day is compared.
  return local.getUTCDate() === Number(day.slice(8)) && !Number.isNaN(date.getTime()) ? date : null;
};

const dateTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

interface Dated {
  created_at?: string | undefined;
}

/**
 * Returns the time at which an order was created, ms; NaN without an order, or if its date cannot be read. Comparisons
 * with NaN are false, so `timeOf(one) < timeOf(other)` means that both times are known, and that `one` is older.
 */
export const timeOf = (order: Dated | undefined): number => toDate(order?.created_at)?.getTime() ?? Number.NaN;

/** Whether the date of an order can be read. */
export const isDated = (order: Dated): boolean => !Number.isNaN(timeOf(order));

/** Returns the latest time of these orders, ms; -Infinity if none has a readable date. */
export const newestOf = (orders: readonly Dated[]): number =>
  orders.filter(isDated).reduce((newest, order) => Math.max(newest, timeOf(order)), -Infinity);
