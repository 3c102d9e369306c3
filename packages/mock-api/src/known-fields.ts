/**
 * Refuses an object with a field that nobody reads: it is a slip of the pen.
 * @param what names the object in the error
 * @throws Error that lists the fields there are
 */
export function refuseUnknownFields(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${what} has ${known.join(', ')}, not "${unknown}"`);
}
