import { OrderLicenseError } from '../base/errors.ts';
import type { OrderSearch } from '../base/order-search.ts';

/** The whole list was read. */
export const notFoundError = (orderNumber: string, search: OrderSearch): OrderLicenseError =>
  new OrderLicenseError('not_found', {
    detail: `No order with the number ${quote(orderNumber)} belongs to the account: all ${search.searched} orders were read`,
    advice: 'Check the number.',
    search,
  });

/** No order is where the number belongs in the list, or on the pages that were read. */
export const notLocatedError = (orderNumber: string, search: OrderSearch): OrderLicenseError => {
  const { between, nextPage } = search;
  const wanted = `No order with the number ${quote(orderNumber)}`;
  const where = between
    ? `at its place in the list, ${describePlace(between)}`
    : `among the ${describeSpan(search)} that were read`;
  const goOn = nextPage === undefined ? [] : [`To continue page by page, set \`startPage\` to ${nextPage}.`];
  const advice = ['Check the number.', ...goOn].join(' ');
  return new OrderLicenseError('not_located', { detail: `${wanted} is ${where}`, advice, search });
};

const describePlace = ({ newer, older }: NonNullable<OrderSearch['between']>): string => {
  if (newer === undefined) return older === undefined ? 'which is empty' : `above the newest, ${quote(older)}`;
  return older === undefined ? `below the oldest, ${quote(newer)}` : `between ${quote(newer)} and ${quote(older)}`;
};

const describeSpan = ({ searched, total }: OrderSearch): string =>
  Number.isSafeInteger(total) ? `${searched} of ${total} orders` : `${searched} orders`;

/** An order number, truncated and on one line: numbers in the list come from the service. */
const quote = (orderNumber: string): string =>
  JSON.stringify(orderNumber.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 60));
