import { OrderLicenseError } from '@order-license/core/portable';
import { maxNamed } from './describe-part.ts';

/** Maximum length of a result, characters: clients write longer results to disk, or truncate them. */
const maxCharacters = 60_000;

/**
 * Limits for the length of a value, characters. If a result is too long, longer values are omitted, using the first
 * limit with which the result fits.
 */
const steps = [10_000, 1_000, 100] as const;

/** Returns how many characters a value takes in a result, not counting the strings that a long result omits first. */
export const sizeOf = (value: unknown): number =>
  JSON.stringify(value, (_name, one) => (typeof one === 'string' && one.length > steps[0] ? null : one))?.length ?? 0;

/**
 * Omits the longest values of a result that is too long, and says so. A value is omitted as a whole, because a part of
 * a license key could be mistaken for the key.
 * @throws `invalid_response` if the result is still too long
 */
export const fitAnswer = (answer: object): object => {
  if (JSON.stringify(answer).length <= maxCharacters) return answer;
  for (const most of steps) {
    const fitted = JSON.stringify(withoutLong(answer, most));
    if (fitted.length <= maxCharacters) return JSON.parse(fitted);
  }
  throw new OrderLicenseError('invalid_response', {
    detail: `The result would have more than ${maxCharacters} characters`,
    advice: isOneSecond(answer) ? readOneSecond : requestLess,
  });
};

const requestLess =
  'Request less at a time: a smaller `per_page`, fewer IDs or a shorter period. Or read the data with another program.';
const readOneSecond =
  'All these orders were created in the same second, and a search never splits a second: call order_license_list_orders with `page` and `per_page` instead of dates, or order_license_get_order with the same dates and `product`, and with `codes` false.';

/** Whether the result is a table of orders that were all created in the same second. */
const isOneSecond = ({ same }: { same?: { created_at?: unknown } }): boolean => same?.created_at !== undefined;

/**
 * Returns the result with null in place of strings longer than `most` characters, preceded by a list of those strings.
 */
const withoutLong = ({ continue: next, ...answer }: { continue?: unknown }, most: number): object => {
  const values: { field: string; characters: number }[] = [];
  const paths = new Map<unknown, string>();
  const text = JSON.stringify(answer, function (this: unknown, name, value) {
    const path = paths.has(this) ? `${paths.get(this)}${name}` : '';
    if (typeof value === 'object') paths.set(value, path && `${path}.`);
    if (typeof value !== 'string' || value.length <= most) return value;
    values.push({ field: path.slice(0, 200), characters: value.length });
    return null;
  });
  const advice = `Values longer than ${most} characters are omitted (null). Use another program to read them.`;
  const left_out = { count: values.length, values: values.slice(0, maxNamed), advice };
  return Object.assign({ complete: false, left_out, ...(next !== undefined && { continue: next }) }, JSON.parse(text), {
    complete: false,
  });
};
