import { describeSpan, fullPage, type OrderSearch } from '@order-license/core/host';
import { isOrderLicenseError, OrderLicenseError, type OrderSummary, toDate } from '@order-license/core/portable';
import { afterWholeLimit, type Call, readOptions } from '../read/call.ts';
import { utcText } from '../read/range.ts';

/** Maximum number of list requests in one search. */
const maxRequests = 14;

/**
 * Finds the list entry of the order with this number, with at most 14 requests.
 * @throws `not_found` or `not_located`, with how far the search got and how to continue; also any error of a call
 */
export const findOrderByNumber = async (orderNumber: string, call: Call): Promise<OrderSummary> => {
  let advice = '';
  const onPage = (soFar: OrderSearch): void => {
    const next = goOn(countFromTop(orderNumber, soFar));
    advice = `The order is not among the ${soFar.searched} orders searched so far. ${next}`;
    call.reportProgress(`Searched ${describeSpan(soFar)}.`);
  };
  try {
    return (await call.client.findOrder(orderNumber, { ...readOptions(call), maxRequests, onPage })).summary;
  } catch (thrown) {
    const error = afterWholeLimit(thrown, call);
    if (!isOrderLicenseError(error)) throw error;
    const { code, search } = error;
    if (search) throw new OrderLicenseError(code, { ...describeMiss(error, search, orderNumber), search });
    throw advice === '' ? error : error.addAdvice(advice);
  }
};

/**
 * Returns how many orders at the top of the list have certainly been searched. A search for a number with digits bisects
 * the list if the API reports a total. Such a search may have skipped any page, so the result is 0.
 */
const countFromTop = (orderNumber: string, { searched, total }: OrderSearch): number =>
  total !== undefined && /\d/.test(orderNumber) ? 0 : searched;

/** Returns core's description of the failed search, with advice for a model. Core's own advice is for programmers. */
const describeMiss = (
  { code, detail }: OrderLicenseError,
  found: OrderSearch,
  orderNumber: string,
): { detail: string; advice: string } => {
  const { searched, total, requests, oldest, between } = found;
  if (code === 'not_found') return { detail, advice: 'Check the number.' };
  if (between) {
    const near = [between.newerAt, between.olderAt].flatMap(dateOf).join(' and ');
    return {
      detail: `${detail}; ${describeSpan(found)} were searched`,
      advice: `Check the number.${near && ` The orders next to the expected position were created at ${near}.`} If order numbers do not rise with the date, the order may be elsewhere in the list: if you know its date, call order_license_list_orders with created_from and created_before.`,
    };
  }
  if (requests < maxRequests) {
    // The list ended before the requests did.
    const cause = Number(total) > searched ? 'The API counts orders that it does not list. ' : '';
    return { detail, advice: `${cause}Check the number, or call again later.` };
  }
  const readFromTop = countFromTop(orderNumber, found);
  const [back] = readFromTop > 0 ? dateOf(oldest) : [];
  return { detail: back ? `${detail}, back to ${back}` : detail, advice: goOn(readFromTop) };
};

/**
 * Returns a list with the time in UTC. Returns an empty list if the text is not a date, because the shop could have
 * written anything.
 */
const dateOf = (createdAt: string | undefined): string[] => {
  const date = toDate(createdAt);
  return date ? [utcText(date.getTime())] : [];
};

const goOn = (readFromTop: number): string =>
  `If you know the order's date, call order_license_list_orders with created_from and created_before. Otherwise, call order_license_list_orders with per_page ${fullPage}, starting at page ${Math.floor(readFromTop / fullPage) + 1}.`;
