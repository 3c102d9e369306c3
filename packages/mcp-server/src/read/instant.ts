/**
 * Reads a date, or a date and a time: `2026-11-01`, `2026-11-01 09:30`, `2026-11-01T09:30:00+01:00`. Fractions of a
 * second are rounded up, because orders have times in whole seconds.
 * @param timeZone IANA name of the time zone for a text without a UTC offset
 * @returns ms since 1970, or undefined for a date or time that does not exist
 */
export const readInstant = (text: string, timeZone = 'UTC'): number | undefined => {
  const [, day = '', time = '00:00', seconds = ':00', fraction = '', zone] = form.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // Rejects invalid days such as 30 February, which JavaScript would change to a day in the next month.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const offset = (zone ?? 'Z').toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const whole = new Date(`${day}T${time}${seconds}${offset}`).getTime();
  if (Number.isNaN(whole)) return undefined;
  return (zone === undefined ? fromLocal(whole, timeZone) : whole) + (Number(fraction) > 0 ? 1000 : 0);
};

const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/i;

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
