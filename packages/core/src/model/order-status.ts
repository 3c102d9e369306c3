import { argumentError } from '../base/errors.ts';

/** The order states (§3): their English names, and whether their orders have license codes. */
const statuses = {
  ausstehend: { english: 'pending', hasLicenseCodes: false },
  bezahlt: { english: 'paid', hasLicenseCodes: true },
  abgeschlossen: { english: 'completed', hasLicenseCodes: true },
  storniert: { english: 'cancelled', hasLicenseCodes: false },
} as const;

/** A value that the list can be filtered by (§4.2). */
export type StatusFilter = keyof typeof statuses;

/** The four values of the API docs (§3), open for later ones (§9). */
export type OrderStatus = StatusFilter | (string & {});

/** The order states, which are also the values of the list filter (§3, §4.2). */
export const orderStatuses = Object.keys(statuses) as [StatusFilter, ...StatusFilter[]];

const isKnown = (status: unknown): status is StatusFilter => orderStatuses.some((known) => known === status);

/** English name of a state (§3), such as `paid` for `bezahlt`; undefined for an undocumented one. */
export const statusReading = (status: unknown): string | undefined =>
  isKnown(status) ? statuses[status].english : undefined;

/** Whether orders in this state have license codes (§3); undefined for an undocumented state. */
export const hasLicenseCodes = (status: unknown): boolean | undefined =>
  isKnown(status) ? statuses[status].hasLicenseCodes : undefined;

/** @throws `bad_request` unless `status` is one of the four */
export const checkStatus = (status: unknown): StatusFilter => {
  if (isKnown(status)) return status;
  const choices = orderStatuses.map((known) => `${known} (${statuses[known].english})`);
  throw argumentError(`\`status\` must be one of ${choices.join(', ')}`);
};
