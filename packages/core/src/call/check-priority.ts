import { type Priority, priorities } from '../base/call-options.ts';
import { argumentError } from '../base/errors.ts';

/** @throws `bad_request` for an unknown priority, and for one that cannot use `useReserve` */
export const checkPriority = (priority: Priority, useReserve: boolean): Priority => {
  if (!priorities.includes(priority)) {
    throw argumentError('`priority` must be `interactive`, `background` or `bulk`');
  }
  if (useReserve && priority !== 'background') {
    throw argumentError(
      "`useReserve` is for calls with `priority: 'background'`",
      'Omit it: interactive calls may use the reserve, bulk calls leave it to others.',
    );
  }
  return priority;
};

/** @throws `bad_request` unless `consumer` is omitted or a name */
export const checkConsumer = (consumer: string | undefined): string | undefined => {
  if (consumer === undefined || (typeof consumer === 'string' && consumer !== '')) return consumer;
  throw argumentError('`consumer` must be a non-empty string');
};
