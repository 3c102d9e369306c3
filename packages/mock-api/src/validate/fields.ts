/**
 * Rejects unknown fields, which are probably typos, and values that aren't objects.
 * @param what names the object in the error
 * @throws Error that lists the known fields
 */
export const refuseUnknownFields = (what: string, given: object, known: readonly string[]): void => {
  if (!isObject(given)) throw new Error(`${what} must be an object with ${known.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${what} has no "${unknown}"; use one of ${known.join(', ')}`);
};

/** Whether a value is an object, but neither an array nor `null`. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
