/**
 * Reads a date, or a date and a time: `2026-11-01`, `2026-11-01 09:30`, `2026-11-01T09:30:00+01:00`. Orders have whole
 * seconds, so fractions are rounded up.
 * @param timeZone of a text without an offset: an IANA name
 * @returns ms, or undefined for a date or time that does not exist
 */
export const readInstant = (text: string, timeZone = 'UTC'): number | undefined => {
  const [, day = '', time = '00:00', seconds = ':00', fraction = '', zone] = form.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // An invalid day, such as 30 February, would become one of the next month.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const offset = (zone ?? 'Z').toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const whole = new Date(`${day}T${time}${seconds}${offset}`).getTime();
  if (Number.isNaN(whole)) return undefined;
  return (zone === undefined ? fromLocal(whole, timeZone) : whole) + (Number(fraction) > 0 ? 1000 : 0);
};

const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** A local time of the time zone, in the form of the API (§2.2), which is also the Swedish form. */
export const localText = (ms: number, timeZone: string): string =>
  new Date(ms).toLocaleString('sv-SE', { timeZone, calendar: 'gregory', numberingSystem: 'latn' }).padStart(19, '0');

export const isTimeZone = (name: string): boolean => {
  try {
    return localText(0, name) !== '';
  } catch {
    return false;
  }
};

const day = 86_400_000;

/** @param local the local time, as ms of UTC; a time that the zone skips becomes the next one that exists */
const fromLocal = (local: number, timeZone: string): number => {
  const times = [local - day, local + day].map((ms) => local - offsetAt(ms, timeZone));
  return times.find((ms) => ms + offsetAt(ms, timeZone) === local) ?? Math.max(...times);
};

/** How far the zone's local time is ahead of UTC, ms. */
const offsetAt = (ms: number, timeZone: string): number =>
  Date.parse(`${localText(ms, timeZone).replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
