import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';

/** The whole list was read. */
export const notFoundError = (orderNumber: string, search: OrderSearch): OrderLicenseError =>
  new OrderLicenseError('not_found', {
    detail: `No order of the account has the number ${quote(orderNumber)}; all ${search.searched} orders were read`,
    advice: 'Check the number.',
    search,
  });

/**
 * No order is where the list is expected to have the number, or on the pages that were read.
 * @param place where it is expected, if the list is sorted by number
 */
export const notLocatedError = (
  orderNumber: string,
  search: OrderSearch,
  place: { isExact: boolean } | undefined,
): OrderLicenseError => {
  const { between } = search;
  const wanted = `No order with the number ${quote(orderNumber)} was found`;
  const isWhole = between === undefined && search.searched === search.total;
  if (between && place?.isExact) {
    const detail = `${wanted} where expected in the list, ${describePlace(between)}`;
    return new OrderLicenseError('not_located', { detail, advice: 'Check the number.', search });
  }
  const detail = between
    ? `${wanted} with ${search.requests} requests; it is expected ${describePlace(between)}`
    : `${wanted} among the ${describeSpan(search)} that were read`;
  const advice = isWhole
    ? 'The list changed meanwhile. Try again.'
    : 'Check the number. To read on, raise `maxRequests`, or search again with the same `orderFinder()`.';
  return new OrderLicenseError('not_located', { detail, advice, search });
};

const describePlace = ({ newer, older }: NonNullable<OrderSearch['between']>): string => {
  if (newer === undefined) return older === undefined ? 'which is empty' : `above the newest, ${quote(older)}`;
  return older === undefined ? `below the oldest, ${quote(newer)}` : `between ${quote(newer)} and ${quote(older)}`;
};

const describeSpan = ({ searched, total }: OrderSearch): string =>
  Number.isSafeInteger(total) ? `${searched} of ${total} orders` : `${searched} orders`;

/** An order number, truncated and on one line: numbers in the list come from the API. */
const quote = (orderNumber: string): string =>
  JSON.stringify(orderNumber.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 60));
