import * as z from 'zod';

/**
 * A date, or a date and a time: `2026-11-01`, `2026-11-01 09:30`, `2026-11-01T09:30:00+01:00`. UTC by default. Orders
 * have whole seconds, so fractions are rounded up.
 * @param name of the argument
 */
export const instant = (name: string) =>
  z.string({ error: notAnInstant(name) }).transform((text, context) => {
    const date = readInstant(text.trim());
    if (date) return date;
    context.addIssue({ code: 'custom', message: notAnInstant(name) });
    return z.NEVER;
  });

const notAnInstant = (name: string): string =>
  `\`${name}\` must be a date such as 2026-11-01, or a time such as 2026-11-01 09:30:00, UTC unless it ends in an offset such as +01:00`;

const form = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** @returns undefined for a date or time that does not exist */
export const readInstant = (text: string): Date | undefined => {
  const [, day = '', time = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = form.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // An invalid day, such as 30 February, would become one of the next month.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return undefined;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const whole = new Date(`${day}T${time}${seconds}${offset}`).getTime();
  if (Number.isNaN(whole)) return undefined;
  return new Date(whole + (Number(fraction) > 0 ? 1000 : 0));
};

/** Formats a time like the service (§2.2). */
export const instantText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
