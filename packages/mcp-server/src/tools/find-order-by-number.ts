import type { OrderSearch } from '@order-license/core/host';
import {
  type ErrorCode,
  isOrderLicenseError,
  type Order,
  OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import { visibleText } from '../answers/visible-text.ts';
import { leftMs } from '../client/call-limits.ts';
import { afterWholeLimit } from '../read/after-whole-limit.ts';
import type { Call } from '../read/call.ts';
import { withListEntry } from '../read/read-orders.ts';
import { askedOrderId, maxNumberLength } from './arguments.ts';

/**
 * Reads the order with this number, and its list entry: at most 14 list requests, then one for the order.
 * @throws `not_found` or `not_located` with how far it searched and how to continue; whatever a call throws
 */
export const findOrderByNumber = async (orderNumber: string, call: Call): Promise<Order> => {
  const summary = await search(orderNumber, call);
  const { id } = summary;
  const { client, signal, endsAt } = call;
  try {
    return withListEntry(await client.getOrder(id, { signal, deadlineMs: leftMs(endsAt) }), summary);
  } catch (error) {
    const canBeAsked = askedOrderId.safeParse(id).success;
    throw canBeAsked ? withHint(error, `The order has id ${id}; use it in your next call of get_order.`) : error;
  }
};

const search = async (orderNumber: string, call: Call): Promise<OrderSummary> => {
  const { client, signal, reportProgress } = call;
  let searched = 0;
  const onPage = (soFar: OrderSearch) => {
    searched = soFar.searched;
    reportProgress?.(`Looked at ${describeSpan(soFar)}.`);
  };
  try {
    return (await client.findOrder(orderNumber, { signal, onPage })).summary;
  } catch (thrown) {
    const error = afterWholeLimit(thrown, call);
    if (isOrderLicenseError(error) && error.search) {
      const search = visibleSearch(error.search);
      throw new OrderLicenseError(error.code, { ...describeMiss(error.code, orderNumber, search), search });
    }
    throw searched === 0
      ? error
      : withHint(error, `Not among the ${searched} orders searched so far. ${goOn(searched)}`);
  }
};

/** The search with the shop's strings as people see them. */
const visibleSearch = ({ between, oldest, ...search }: OrderSearch): OrderSearch => ({
  ...search,
  ...(between && {
    between: {
      newer: visibleNumber(between.newer),
      older: visibleNumber(between.older),
      newerAt: timestamp(between.newerAt),
      olderAt: timestamp(between.olderAt),
    },
  }),
  oldest: timestamp(oldest),
});

/** @param found as people see it */
const describeMiss = (code: ErrorCode, orderNumber: string, found: OrderSearch): { detail: string; advice: string } => {
  const { searched, total, oldest, between } = found;
  const wanted = `No order with number ${JSON.stringify(orderNumber)}`;
  if (code === 'not_found') {
    const detail = `${wanted} belongs to the account of the API key: all ${searched} orders were searched`;
    return { detail, advice: 'Check the number.' };
  }
  if (between) {
    const detail = `${wanted} was found where expected in the list, ${describePlace(between)}; ${describeSpan(found)} were searched`;
    return {
      detail,
      advice:
        'Check the number. If order numbers do not rise with the date, the order may be elsewhere in the list: if you know its date, call list_orders with created_from and created_before.',
    };
  }
  if (total === undefined || searched % pageSize > 0) {
    const detail = `${wanted} is among the ${describeSpan(found)} that were searched`;
    return {
      detail,
      advice: 'The service counts orders that it does not list. Check the number, or call again later.',
    };
  }
  const back = oldest ? `, back to ${oldest} UTC` : '';
  return { detail: `${wanted} is among the newest ${describeSpan(found)}${back}`, advice: goOn(searched) };
};

/** @param between at least one side is set, since the list has an order */
const describePlace = ({ newer, older, newerAt, olderAt }: NonNullable<OrderSearch['between']>): string => {
  const describe = (number: string | undefined, at: string | undefined): string | undefined =>
    number === undefined ? undefined : JSON.stringify(number) + (at ? ` (${at} UTC)` : '');
  const [higher, lower] = [describe(newer, newerAt), describe(older, olderAt)];
  if (higher === undefined) return `above the newest, ${lower}`;
  return lower === undefined ? `below the oldest, ${higher}` : `between ${lower} and ${higher}`;
};

/** At most as long as a valid order number. */
const visibleNumber = (number: string | undefined): string | undefined =>
  number === undefined ? undefined : visibleText(number).slice(0, maxNumberLength);

const describeSpan = ({ searched, total }: OrderSearch): string =>
  Number.isSafeInteger(total) ? `${searched} of ${total} orders` : `${searched} orders`;

const goOn = (searched: number): string =>
  `If you know its date, call list_orders with created_from and created_before; otherwise with per_page ${pageSize} from page ${Math.floor(searched / pageSize) + 1} on.`;

/** Orders per page of a search. */
const pageSize = 50;

/** @returns undefined for anything else */
const timestamp = (value: OrderSummary['created_at'] | undefined): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? value : undefined;

const withHint = (error: unknown, hint: string): unknown =>
  isOrderLicenseError(error) ? error.addAdvice(hint) : error;
