import { orderStatuses, statusReadings } from '@order-license/core/portable';

/** "paid" for `bezahlt` and its like (§3); null for a status that the text does not know. */
export const readingOf = (status: unknown): string | null => {
  const known = orderStatuses.find((value) => value === status);
  return known ? statusReadings[known] : null;
};

/** License codes are there for `bezahlt` and `abgeschlossen` only (§3); a status of a later version may have them too. */
export const cannotHaveCodes = (status: unknown): boolean => status === 'ausstehend' || status === 'storniert';

/** "Paid (bezahlt)" and its like, the wire value behind it. */
export const statusOptions = orderStatuses.map((value) => {
  const reading = statusReadings[value];
  return { name: `${reading.charAt(0).toUpperCase()}${reading.slice(1)} (${value})`, value };
});
