/** A JSON object whose numbers keep the digits that were given. */
export type Json = Record<string, unknown>;

interface RawNumbers {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { rawJSON: string };
}
const { rawJSON, isRawJSON } = JSON as unknown as RawNumbers;

/**
 * Parses JSON like `JSON.parse`, but keeps the digits of numbers that a double would change, such as `1.50` or a number
 * with twenty digits.
 */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, keepDigits as unknown as Parameters<typeof JSON.parse>[1]);

const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
    ? rawJSON(context.source)
    : value;

/** Copies JSON with the digits of its numbers. Omits fields that are `undefined`. */
export const copyOfJson = <Value>(value: Value): Value => parseExact(JSON.stringify(value)) as Value;

/** Returns a number as text, with the digits that were given; `undefined` for all other values. */
export const numberText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  return isRawJSON(value) ? value.rawJSON : undefined;
};

/** Returns a whole number for one that was given as `2.0` or `2e0`; returns all other values unchanged. */
export const wholeNumber = (value: unknown): unknown => {
  const number = isRawJSON(value) ? Number(value.rawJSON) : undefined;
  return Number.isSafeInteger(number) ? number : value;
};

/** Returns a value as text. A number keeps its digits, unless it is a whole number. */
export const textOf = (value: unknown): string => {
  const plain = wholeNumber(value);
  return numberText(plain) ?? String(plain);
};

export { isRawJSON, rawJSON };
