/** Describes a value without showing it: reports contain no order data. */
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

/** Whether a report may show this status: lower case and without digits, it is neither a key nor a number. */
export const isPlainWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+)*$/u.test(value);

/** Whether a report may show this field name. */
export const isPlainName = (name: string): boolean =>
  name.length <= 40 && /^[a-z]+(_[a-z0-9]{1,20}|[A-Z][a-z]+)*$/.test(name) && !/\d{4}/.test(name);

/** More different words are probably data, not statuses or field names. */
const maxWords = 24;

/** Lists the words that may be shown and counts the others. */
export const listWords = (values: Iterable<unknown>, isShown: (value: string) => boolean): string => {
  const all = [...new Set(values)];
  if (all.length > maxWords) return `${all.length} different values`;
  const shown = all.filter((value) => value === null || (typeof value === 'string' && isShown(value)));
  const hidden = all.length - shown.length;
  return [...shown.map(String).sort(), ...(hidden > 0 ? [`${hidden} of another form`] : [])].join(', ');
};

/** Shows a small number; a larger one could be an ID. */
export const smallNumber = (value: number | undefined): string =>
  value === undefined ? 'unknown' : value <= 999 ? String(value) : 'a larger number';

/** Returns the order of magnitude of an order count. */
export const magnitude = (count: number): string => {
  if (count === 0) return 'no orders';
  const power = 10 ** Math.floor(Math.log10(count));
  return `${power.toLocaleString('en')} to ${(power * 10 - 1).toLocaleString('en')} orders`;
};
