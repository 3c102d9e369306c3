import { OrderLicenseError } from '@order-license/core/portable';
import { maxNamed } from './describe-part.ts';

/** Maximum characters of an answer: clients write longer ones to disk, or cut them. */
const maxCharacters = 60_000;

/** Of an answer that is too long, values of more characters are left out: the longest first. */
const steps = [10_000, 1_000, 100] as const;

/** How many characters a value takes in an answer at least: the longest values are left out of long ones. */
export const sizeOf = (value: unknown): number =>
  JSON.stringify(value, (_name, one) => (typeof one === 'string' && one.length > steps[0] ? null : one))?.length ?? 0;

/**
 * Leaves out the longest values of an answer that is too long, and says so. A value is left out as a whole: a part of a
 * license key could be taken for the key.
 * @throws `invalid_response` if it is too long without them
 */
export const fitAnswer = (answer: object): object => {
  if (JSON.stringify(answer).length <= maxCharacters) return answer;
  for (const most of steps) {
    const fitted = JSON.stringify(withoutLong(answer, most));
    if (fitted.length <= maxCharacters) return JSON.parse(fitted);
  }
  throw new OrderLicenseError('invalid_response', {
    detail: `The result would have more than ${maxCharacters} characters`,
    advice: 'Ask for less at a time, such as a smaller per_page, or read it with another program.',
  });
};

/** The answer with null instead of strings of more than `most` characters, which it names first. */
const withoutLong = (answer: object, most: number): object => {
  const values: { field: string; characters: number }[] = [];
  const paths = new Map<unknown, string>();
  const text = JSON.stringify(answer, function (this: unknown, name, value) {
    const path = paths.has(this) ? `${paths.get(this)}${name}` : '';
    if (typeof value === 'object') paths.set(value, path && `${path}.`);
    if (typeof value !== 'string' || value.length <= most) return value;
    values.push({ field: path.slice(0, 200), characters: value.length });
    return null;
  });
  const advice = `Values of more than ${most} characters are left out: they are null here. Read them with another program.`;
  const left_out = { count: values.length, values: values.slice(0, maxNamed), advice };
  return Object.assign({ complete: false, left_out }, JSON.parse(text), { complete: false });
};
