import { checkWhole, isObject, objectsIn } from '../base/checks.ts';
import { argumentError, OrderLicenseError } from '../base/errors.ts';
import type { Shape } from '../model/form.ts';
import {
  checkStatus,
  type Order,
  type OrderList,
  orderListShape,
  orderShape,
  type StatusFilter,
  type User,
  userShape,
} from '../model/order.ts';
import { type OrderId, readOrderId } from '../model/order-id.ts';
import { type Meaning, nothingThere } from './envelope.ts';

/** One of the three reads (§4), with validated arguments. */
export interface Operation<Result> {
  name: 'getMe' | 'listOrders' | 'getOrder';
  orderId?: string;
  /** Path and query, relative to the base URL. */
  path: string;
  /** The error for a 404 response to this request (§7). */
  notFound: Meaning;
  /**
   * Checks the parts of `data` that the client relies on. Returns `data`; in a list, counts that are text become
   * numbers.
   * @throws `invalid_response`
   */
  check(data: Json): Result;
  /** The documented fields of `data`. */
  shape: Shape;
}

export interface ListQuery {
  /** Page number from 1; the API uses 1 if omitted. */
  page?: number | undefined;
  /** Entries per page, 1 to 50; the API uses 20 if omitted. */
  perPage?: number | undefined;
  /** Only orders with this status (§3). */
  status?: StatusFilter | undefined;
}

const noSuchOrder: Meaning = {
  code: 'not_found',
  detail: 'The account of this API key has no order with this ID (404)',
  advice: 'Check the ID.',
};
/** The error for a 404 response to a page after the first: the API docs do not say what happens past the last page. */
const noSuchPage: Meaning = {
  detail: 'The list does not have this page, or the base URL is wrong (404)',
  advice: 'Request an earlier page, or check the base URL.',
};

/** Reads the owner of the key (§4.1). Has no parameters. */
export const getMe: Operation<User> = {
  name: 'getMe',
  path: '/me',
  notFound: nothingThere,
  // The client relies on no field of the user object.
  check: (data) => data as unknown as User,
  shape: userShape,
};

/**
 * Reads one page of orders (§4.2).
 * @throws `bad_request` for a page that is not a whole number from 1, a page size that is not one from 1 to 50, or an
 * unknown status
 */
export const listOrders = ({ page, perPage, status }: ListQuery): Operation<OrderList> => {
  const query: string[] = [];
  if (page !== undefined) query.push(`page=${checkWhole('page', page)}`);
  if (perPage !== undefined) query.push(`per_page=${checkWhole('perPage', perPage, 50)}`);
  if (status !== undefined) query.push(`status=${checkStatus(status)}`);
  const path = `/orders${query.length ? `?${query.join('&')}` : ''}`;
  const notFound = page && page > 1 ? noSuchPage : nothingThere;
  return { name: 'listOrders', path, notFound, check: checkOrderList, shape: orderListShape };
};

/**
 * Reads one order with its license codes (§4.3).
 * @throws `bad_request` if `id` is not an order ID
 */
export const getOrder = (id: OrderId): Operation<Order> => {
  const digits = readOrderId(id);
  if (digits === undefined) {
    throw argumentError(
      'The order ID is not a positive whole number',
      'Use the `id` of an order from the list, not its order number.',
    );
  }
  return {
    name: 'getOrder',
    orderId: digits,
    path: `/orders/${digits}`,
    notFound: noSuchOrder,
    check: (data) => checkOrder(data, digits),
    shape: orderShape,
  };
};

type Json = Record<string, unknown>;

/** Creates the error for an unusable response. The error names the field, never its value. */
const unusable = (path: string, what: string): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The response cannot be used, because \`${path}\` ${what}`,
    advice: 'Contact your shop.',
    status: 200,
  });

/** `JSON.parse` rounds numbers above 2^53, and a rounded ID can belong to a different order. */
const rejectRounded = (path: string, id: unknown): void => {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    throw unusable(path, 'is not a whole number that JavaScript can represent exactly');
  }
};

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);

/** Accepts an ID that cannot be requested, such as 0: it must not make the whole list fail. */
const checkOrderId = (path: string, id: unknown): void => {
  rejectRounded(path, id);
  if (typeof id !== 'number' && !isDigits(id)) {
    throw unusable(path, 'is not an order ID');
  }
};

/**
 * Checks the fields that the client relies on: `orders`, each `id`, and `pagination.pages`. Counts in `pagination` that
 * are text become numbers.
 * @throws `invalid_response`
 */
export const checkOrderList = (data: Json): OrderList => {
  const { orders, pagination } = data;
  if (!Array.isArray(orders)) throw unusable('data.orders', 'is not a list');
  orders.forEach((order: unknown, index) => {
    if (!isObject(order)) throw unusable(`data.orders[${index}]`, 'is not an object');
    checkOrderId(`data.orders[${index}].id`, order.id);
  });
  if (!isObject(pagination)) throw unusable('data.pagination', 'is not an object');
  const counts = Object.entries(pagination).map(([name, value]) => [name, isDigits(value) ? Number(value) : value]);
  const list = { ...data, pagination: Object.fromEntries(counts) } as unknown as OrderList;
  const { pages } = list.pagination;
  if (!Number.isSafeInteger(pages) || pages < 0) throw unusable('data.pagination.pages', 'is not a whole number');
  return list;
};

/**
 * Checks that `id` is the requested one, and that no other ID was rounded.
 * @throws `invalid_response`
 */
export const checkOrder = (data: Json, id: string): Order => {
  checkOrderId('data.id', data.id);
  if (String(data.id) !== id) throw unusable('data.id', 'is not the requested ID');
  objectsIn(data.items).forEach((item, i) => {
    rejectRounded(`data.items[${i}].id`, item.id);
    objectsIn(item.license_codes).forEach((code, k) => {
      rejectRounded(`data.items[${i}].license_codes[${k}].id`, code.id);
    });
  });
  return data as unknown as Order;
};
