import { argumentError } from '../base/errors.ts';

/** The order states, which are also the values of the list filter (§3, §4.2). */
export const orderStatuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;

/** A value that the list can be filtered by. */
export type StatusFilter = (typeof orderStatuses)[number];

/** English reading of each state (§3). */
export const statusReadings: Readonly<Record<StatusFilter, string>> = {
  ausstehend: 'pending',
  bezahlt: 'paid',
  abgeschlossen: 'completed',
  storniert: 'cancelled',
};

/** The four values of the text (§3), open for later ones (§9). */
export type OrderStatus = 'ausstehend' | 'bezahlt' | 'abgeschlossen' | 'storniert' | (string & {});

/** @throws `bad_request` when `status` is not one of the four */
export const checkStatus = (status: unknown): StatusFilter => {
  const known = orderStatuses.find((value) => value === status);
  if (known) return known;
  throw argumentError(`\`status\` has to be one of ${orderStatuses.join(', ')}`);
};
