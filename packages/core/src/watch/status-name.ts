import { orderStatuses, type StatusFilter } from '../model/order.ts';
import { hash } from './hash.ts';

/** A status that the API docs do not name could contain anything, so only its hash is kept. */
export const statusName = (status: unknown): string =>
  isDocumented(status) ? status : `other-${hash(String(status))}`;

export const isDocumented = (status: unknown): status is StatusFilter =>
  orderStatuses.some((known) => known === status);
