import { checkWhole } from '../base/check-whole.ts';
import { argumentError } from '../base/errors.ts';
import { checkStatus, type Order, type OrderList, type StatusFilter, type User } from '../model/order.ts';
import { type OrderId, readOrderId } from '../model/order-id.ts';
import { type Meaning, nothingThere } from './envelope.ts';
import { checkOrder, checkOrderList, checkUser } from './validate-response.ts';

/** One of the three reads (§4), with validated arguments. */
export interface Operation<Answer> {
  name: 'getMe' | 'listOrders' | 'getOrder';
  orderId?: string;
  /** Path and query below the base address. */
  path: string;
  /** What a 404 means for this request (§7). */
  notFound: Meaning;
  /** Checks the parts of `data` that the client relies on, and returns it unchanged. */
  check(data: Record<string, unknown>): Answer;
}

export interface ListQuery {
  /** Page number from 1; the service uses 1 if omitted. */
  page?: number | undefined;
  /** Entries per page, 1 to 50; the service uses 20 if omitted. */
  perPage?: number | undefined;
  status?: StatusFilter | undefined;
}

const noSuchOrder: Meaning = {
  code: 'not_found',
  detail: 'No order with this ID belongs to the account of the API key (404)',
  advice: 'Check the ID.',
};
/** The API docs do not define the answer to a page past the last. */
const noSuchPage: Meaning = {
  code: 'invalid_response',
  detail: 'The list does not have this page, or the base URL is wrong (404)',
  advice: 'Request an earlier page, or check the base URL.',
};

/** Reads the owner of the key (§4.1): no parameters. */
export const getMe: Operation<User> = { name: 'getMe', path: '/me', notFound: nothingThere, check: checkUser };

/**
 * Reads one page of orders (§4.2).
 * @throws `bad_request` for a page below 1, a page size outside 1 to 50, or an unknown status
 */
export const listOrders = ({ page, perPage, status }: ListQuery): Operation<OrderList> => {
  const query: string[] = [];
  if (page !== undefined) query.push(`page=${checkWhole('page', page, Number.MAX_SAFE_INTEGER)}`);
  if (perPage !== undefined) query.push(`per_page=${checkWhole('perPage', perPage, 50)}`);
  if (status !== undefined) query.push(`status=${checkStatus(status)}`);
  const path = `/orders${query.length ? `?${query.join('&')}` : ''}`;
  return { name: 'listOrders', path, notFound: page && page > 1 ? noSuchPage : nothingThere, check: checkOrderList };
};

/**
 * Reads one order with its license codes (§4.3).
 * @throws `bad_request` if `id` is not an order ID
 */
export const getOrder = (id: OrderId): Operation<Order> => {
  const digits = readOrderId(id);
  if (digits === undefined) {
    throw argumentError(
      'The order ID is not a whole number from 1 up',
      'Use the `id` of an order from the list, not its order number.',
    );
  }
  return {
    name: 'getOrder',
    orderId: digits,
    path: `/orders/${digits}`,
    notFound: noSuchOrder,
    check: (data) => checkOrder(data, digits),
  };
};
