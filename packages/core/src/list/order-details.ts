import { objectsIn } from '../base/checks.ts';
import { argumentError, concernsEveryOrder, isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { Deadline } from '../base/stops.ts';
import { hasLicenseCodes, type Order, type OrderSummary } from '../model/order.ts';
import { productNameTest } from '../model/product-name.ts';
import type { ReadPage } from './slice.ts';
import { checkLimit, iterate, type OrderWalk, type WalkOptions, walkOrders, walkPages } from './walk.ts';

export interface OrderDetailsOptions extends WalkOptions {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /**
   * Returns only orders with an item of this product, and those that cannot be read. A string must be part of the
   * item's `product_name`, ignoring case, kinds of spaces and dashes, and signs such as ®; a function decides by the
   * name. List entries have no items, so every order of the range is read. If the function throws, the walk throws the
   * same error, and reads the same order again when it continues.
   */
  productName?: string | ((name: string) => boolean) | undefined;
  /**
   * Skips orders whose status in the list is `ausstehend` or `storniert`, without reading them: such orders have no
   * license codes (§3). Default: false.
   */
  skipWithoutCodes?: boolean | undefined;
  /**
   * Called with each list entry that `skipWithoutCodes` does not skip, before its order is read; a promise is awaited.
   * If the result is true, the order is not read, and counts neither toward `limit` nor as a failure. If the function
   * throws, the walk throws the same error, and calls it again when it continues.
   */
  skip?: ((summary: OrderSummary) => boolean | PromiseLike<boolean>) | undefined;
}

/** A list entry, and the result of reading its order. */
export type OrderDetail =
  | { summary: OrderSummary; order: Order; error?: undefined }
  | { summary: OrderSummary; order?: undefined; error: OrderLicenseError };

/** If this many different orders in a row cannot be read, the API is assumed to be unreachable. */
const maxInARow = 3;

/** Functions with which a walk reads the list and full orders, and their deadline. */
interface ReadOrders {
  readPage: ReadPage;
  readOrder(id: OrderSummary['id']): Promise<Order>;
  deadline: Deadline;
}

/**
 * Reads the orders of a walk in full, one by one. An order that cannot be read yields an entry with the error.
 * @throws `bad_request` for invalid options, before anything is sent. During the walk, the error of the third order in
 * a row that cannot be read, and errors that are not about a single order; these have `oldest` and `createdBefore`
 */
export const orderDetails = (
  { readPage, readOrder, deadline }: ReadOrders,
  options: OrderDetailsOptions,
): OrderWalk<OrderDetail> => {
  const { productName, skipWithoutCodes = false, skip = () => false, limit, ...walkOptions } = options;
  if (typeof skip !== 'function') throw argumentError('`skip` must be a function');
  const most = checkLimit('limit', limit);
  const hasProduct = productTest(productName);
  const orders = walkOrders(walkPages(readPage, walkOptions));
  /** The order to read next. An error leaves it in place, so that the walk continues with it. */
  let current: OrderSummary | undefined;
  let given = 0;
  let inARow = 0;

  /** Reads one order. Returns an entry with the error if only this order cannot be read; other errors end the walk. */
  const readDetail = async (summary: OrderSummary): Promise<OrderDetail> => {
    try {
      const order = await readOrder(summary.id);
      inARow = 0;
      return { summary, order };
    } catch (error) {
      if (!isOrderLicenseError(error) || concernsEveryOrder(error) || error.code === 'rate_limited') throw error;
      // If the walk's deadline ended the call, the error is not about this order.
      if (deadline.isOver()) throw error;
      // A 404 says nothing about other orders: the list and the order may come from copies of different age.
      if (error.code !== 'not_found') inARow += 1;
      if (inARow < maxInARow) return { summary, error };
      inARow = 0;
      throw error.addAdvice('Three orders in a row could not be read.');
    }
  };

  const next = async (): Promise<OrderDetail | undefined> => {
    while (given < most) {
      current ??= (await orders.next()).value as OrderSummary | undefined;
      if (!current) return undefined;
      const isSkipped = (skipWithoutCodes && hasLicenseCodes(current.status) === false) || (await skip(current));
      const detail = isSkipped ? undefined : await readDetail(current);
      const isWanted = detail && (!detail.order || hasProduct(detail.order));
      current = undefined;
      if (!isWanted) continue;
      given += 1;
      return detail;
    }
    return undefined;
  };
  return iterate(next, { ordersOf: ({ summary }) => [summary], gaps: () => orders.gaps, onFailure: deadline.restart });
};

/** @throws `bad_request` unless `productName` is a non-empty string, or a function */
const productTest = (productName: OrderDetailsOptions['productName']): ((order: Order) => boolean) => {
  if (productName === undefined) return () => true;
  const matches = typeof productName === 'string' && productName.trim() ? productNameTest(productName) : productName;
  if (typeof matches !== 'function') throw argumentError('`productName` must be a non-empty string or a function');
  return ({ items }) =>
    objectsIn(items).some(({ product_name }) => typeof product_name === 'string' && matches(product_name));
};
