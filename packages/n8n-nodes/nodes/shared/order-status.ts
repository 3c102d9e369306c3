import { orderStatuses, statusReading } from '@order-license/core/portable';

/** The order statuses as field options, such as "Paid (bezahlt)". Each option's value is the API's own. */
export const statusOptions = orderStatuses.map((value) => {
  const reading = statusReading(value) ?? value;
  return { name: `${reading.charAt(0).toUpperCase()}${reading.slice(1)} (${value})`, value };
});
