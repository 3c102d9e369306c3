/** A number of the pagination (§2.3): what the service tells, `asked` where it tells nothing, NaN for anything else. */
export const toldNumber = (told: unknown, asked: number): number => {
  if (told === undefined || told === null) return asked;
  return typeof told === 'object' ? Number.NaN : Number(told);
};
