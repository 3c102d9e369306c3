/**
 * Refuses an object with a field that nobody reads: it is a slip of the pen. What is no object is refused too.
 * @param what names the object in the error
 * @throws Error that lists the fields there are
 */
export const refuseUnknownFields = (what: string, given: object, known: readonly string[]): void => {
  if (!isObject(given)) throw new Error(`${what} must be an object with ${known.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${what} has no "${unknown}"; use one of ${known.join(', ')}`);
};

/** Whether a value has fields of its own: no list, and not `null`. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
