import { orderStatuses, statusReading } from '@order-license/core/portable';

/** Options such as "Paid (bezahlt)", with the API's value. */
export const statusOptions = orderStatuses.map((value) => {
  const reading = statusReading(value) ?? value;
  return { name: `${reading.charAt(0).toUpperCase()}${reading.slice(1)} (${value})`, value };
});
