/** What a value is, without the value: reports hold no order data. */
export const shapeOf = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  switch (typeof value) {
    case 'object':
      return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
    case 'string':
      return value === '' ? 'an empty string' : 'a string';
    case 'bigint':
      return 'an integer beyond 2^53';
    case 'number':
      return Number.isInteger(value) ? 'an integer' : 'a number with a fraction';
    default:
      return `a ${typeof value}`;
  }
};

/** A word of a status field, which reports may show: lower case, no digits, so that it is no key and no number. */
export const isPlainWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+)*$/u.test(value);

/** A name of a field, which reports may show. */
export const isPlainName = (name: string): boolean =>
  name.length <= 40 && /^[a-z]+(_[a-z0-9]{1,20}|[A-Z][a-z]+)*$/.test(name) && !/\d{4}/.test(name);

/** More different words than a status has, or a form has fields, are data. */
const mostWords = 24;

/** The words that may be shown, and how many may not. */
export const listWords = (values: Iterable<unknown>, isShown: (value: string) => boolean): string => {
  const all = [...new Set(values)];
  if (all.length > mostWords) return `${all.length} different values`;
  const shown = all.filter((value) => value === null || (typeof value === 'string' && isShown(value)));
  const hidden = all.length - shown.length;
  return [...shown.map(String).sort(), ...(hidden > 0 ? [`${hidden} of another form`] : [])].join(', ');
};

/** A small number, as of pages or entries; larger ones could be IDs. */
export const smallNumber = (value: number | undefined): string =>
  value === undefined ? 'unknown' : value <= 999 ? String(value) : 'a larger number';

/** The size of an account, without its number of orders. */
export const magnitude = (count: number): string => {
  if (count === 0) return 'no orders';
  const power = 10 ** Math.floor(Math.log10(count));
  return `${power.toLocaleString('en')} to ${(power * 10 - 1).toLocaleString('en')} orders`;
};
