/**
 * Returns an order number (`bestellnummer`) as a string without surrounding spaces, since some APIs and programs use
 * numbers instead.
 * @returns an empty string for anything that cannot be an order number
 */
export const orderNumberText = (value: unknown): string =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value).trim() : '';

/**
 * Compares two order numbers by their runs of digits, such as `B-2026-000042` with `B-2025-009999`.
 * @returns 1 if `a` is higher, -1 if it is lower, 0 if they are the same; undefined if the text around their digits
 * differs, or if they have no digits
 */
export const compareOrderNumbers = (a: string, b: string): 1 | 0 | -1 | undefined => {
  if (a === b) return 0;
  if (shapeOf(a) !== shapeOf(b)) return undefined;
  const others = runsOf(b);
  for (const [index, run] of runsOf(a).entries()) {
    const other = others[index] ?? '';
    if (run.length !== other.length) return run.length > other.length ? 1 : -1;
    if (run !== other) return run > other ? 1 : -1;
  }
  return undefined;
};

const shapeOf = (number: string): string => number.replace(/\d+/g, '0');

/** Returns the runs of digits without leading zeros, so that the longer run is the higher number. */
const runsOf = (number: string): string[] => (number.match(/\d+/g) ?? []).map((run) => run.replace(/^0+(?=\d)/, ''));
