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
