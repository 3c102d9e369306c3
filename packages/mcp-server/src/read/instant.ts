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

/** Formats a time like the service (§2.2). */
export const instantText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** The same as clocks of the time zone show it. */
export const localText = (ms: number, timeZone: string): string =>
  instantText(timeZone === 'UTC' ? ms : ms + offsetAt(ms, timeZone));

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** @param local what clocks of the zone show, as ms of UTC; one that they skip becomes the first time after it */
const fromLocal = (local: number, timeZone: string): number => {
  if (timeZone === 'UTC') return local;
  const offsets = [local - day, local + day].map((ms) => offsetAt(ms, timeZone));
  const times = offsets.map((offset) => local - offset);
  return times.find((ms) => ms + offsetAt(ms, timeZone) === local) ?? Math.max(...times);
};

const day = 86_400_000;

/** How far clocks of the zone are ahead of UTC, ms. */
const offsetAt = (ms: number, timeZone: string): number => {
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const shown = new Date(0).setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  const time = ((hour ?? 0) * 60 + (minute ?? 0)) * 60 + (second ?? 0);
  return shown + time * 1000 - Math.floor(ms / 1000) * 1000;
};

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
