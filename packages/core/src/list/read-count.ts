/** A number of the pagination (§2.3): `value` as the service sent it, `fallback` if it is missing, NaN for anything else. */
export const readCount = (value: unknown, fallback: number): number => {
  if (value === undefined || value === null) return fallback;
  return typeof value === 'object' ? Number.NaN : Number(value);
};
