import { orderStatuses, statusReadings } from '@order-license/core/portable';

/** "Paid (bezahlt)" and its like, the wire value behind it (§3). */
export const statusOptions = orderStatuses.map((value) => {
  const reading = statusReadings[value];
  return { name: `${reading.charAt(0).toUpperCase()}${reading.slice(1)} (${value})`, value };
});
