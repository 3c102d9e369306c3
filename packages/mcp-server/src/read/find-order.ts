import { describeSpan, numberAdvice, type OrderSearch } from '@order-license/core/host';
import { isOrderLicenseError, OrderLicenseError, type OrderSummary, toDate } from '@order-license/core/portable';
import { afterWholeLimit, type Call, readOptions } from '../client/one-call.ts';
import { utcText } from './range.ts';

/** Maximum number of list requests in one search. */
const maxRequests = 14;

/**
 * Finds the list entry of the order with this number, with at most 14 requests.
 * @throws `not_found` or `not_located`, with how far the search got and the next step; also any error of a call
 */
export const findOrderByNumber = async (orderNumber: string, call: Call): Promise<OrderSummary> => {
  let advice = '';
  const onPage = (soFar: OrderSearch): void => {
    advice = `The order is not among the ${soFar.searched} orders searched so far. ${nextStep(soFar)}`;
    call.reportProgress(`Searched ${describeSpan(soFar)}.`);
  };
  try {
    return (await call.client.findOrder(orderNumber, { ...readOptions(call), maxRequests, onPage })).summary;
  } catch (thrown) {
    const error = afterWholeLimit(thrown, call);
    if (!isOrderLicenseError(error)) throw error;
    const { code, search } = error;
    if (search) throw new OrderLicenseError(code, { ...describeMiss(error, search), search });
    throw advice === '' ? error : error.addAdvice(advice);
  }
};

/** Returns core's description of the failed search, with advice for a model. Core's own advice is for programmers. */
const describeMiss = ({ code, detail }: OrderLicenseError, found: OrderSearch): { detail: string; advice: string } => {
  const { searched, total, requests, between, readDownTo } = found;
  const check = numberAdvice(found);
  if (code === 'not_found') return { detail, advice: check };
  if (between) {
    const near = [between.newerAt, between.olderAt].flatMap(dateOf).join(' and ');
    return {
      detail: `${detail}; ${describeSpan(found)} were searched`,
      advice: `${check}${near && ` The orders next to the expected position were created at ${near}.`} If order numbers do not rise with the date, the order may be elsewhere in the list: if you know its date, call order_license_list_orders with created_from and created_before.`,
    };
  }
  if (requests < maxRequests) {
    // The list ended before the requests did.
    const cause = Number(total) > searched ? 'The API counts orders that it does not list. ' : '';
    return { detail, advice: `${cause}${check} You can also call again later.` };
  }
  const back = dateOf(readDownTo).map((time) => `, without a gap back to ${time}`);
  return { detail: `${detail}${back}`, advice: `${check} ${nextStep(found)}` };
};

/**
 * Returns a list with the time in UTC. Returns an empty list if the text is not a date, because the shop could have
 * written anything.
 */
const dateOf = (createdAt: string | undefined): string[] => {
  const date = toDate(createdAt);
  return date ? [utcText(date.getTime())] : [];
};

/** Names the cheapest next call: a search by date, which begins where this one ended. */
const nextStep = ({ readDownTo }: OrderSearch): string => {
  const back = toDate(readDownTo);
  const next = back && new Date(back.getTime() + 1000).toISOString().replace('.000', '');
  const older = next ? ` For older orders, call it with created_before ${next}: 1 request per 40 orders.` : '';
  return `If you know the order's date, call order_license_list_orders with created_from and created_before.${older}`;
};
