import { isObject } from '../base/checks.ts';
import { argumentError, concernsEveryOrder, isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { DetailsPosition, WalkPosition } from '../base/walk-position.ts';
import { hasLicenseCodes, type Order, type OrderSummary } from '../model/order.ts';
import { isResponseId } from '../model/order-id.ts';
import { productNameTest } from '../model/product-name.ts';
import { notAPosition, otherFilterError } from './position.ts';
import { iterate, type OrderWalk, type WalkHooks, walkOrders, walkPages } from './walk.ts';
import { checkLimit, type WalkOptions } from './walk-options.ts';
import type { ReadPage } from './window.ts';

export interface OrderDetailsOptions extends WalkOptions {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /**
   * Returns only orders with an item of this product. A string must be part of the item's `product_name`, ignoring
   * case; a function decides by the name. List entries have no items, so every order of the range is read. A `position`
   * contains the string, but not a function: to resume, pass the function again.
   */
  productName?: string | ((name: string) => boolean) | undefined;
  /**
   * Skips orders whose status in the list is `ausstehend` or `storniert`, without reading them: such orders have no
   * license codes (§3). Default: false.
   */
  skipWithoutCodes?: boolean | undefined;
}

/** A list entry, and the result of reading its order. */
export type OrderDetail =
  | { summary: OrderSummary; order: Order; error?: undefined }
  | { summary: OrderSummary; order?: undefined; error: OrderLicenseError };

/** If this many different orders in a row cannot be read, the API is assumed to be out of reach. */
const maxInARow = 3;

/** Functions with which a walk reads the list and full orders. */
export interface ReadOrders extends WalkHooks {
  readPage: ReadPage;
  readOrder(id: OrderSummary['id']): Promise<Order>;
  /** @throws `timeout` once the walk's deadline has passed */
  checkDeadline(): void;
}

/**
 * Reads the orders of a walk in full, one by one. An order that cannot be read is set aside and requested again at the
 * end of the walk. If that also fails while the API serves other orders, the walk returns an entry with the error.
 * @throws `bad_request` for invalid options, before anything is sent. Later, the error that ends the walk, such as the
 * error of the third order in a row that cannot be read. This error has `position`
 */
export const orderDetails = (
  { readPage, readOrder, checkDeadline, onFailure, owner }: ReadOrders,
  options: OrderDetailsOptions,
): OrderWalk<OrderDetail> => {
  const { productName, skipWithoutCodes, limit, ...walkOptions } = options;
  const most = checkLimit('limit', limit);
  const start = readStart(options);
  const hasProduct = productTest(productName ?? start.productName);
  const plain = options.position && { ...options.position, details: undefined };
  const orders = walkOrders(walkPages(readPage, { ...walkOptions, position: plain }, { onFailure, owner }));
  /** The order to read next, and the position before it. */
  let current: OrderSummary | undefined;
  let before: WalkPosition | undefined;
  let setAside = start.setAside as OrderSummary[];
  let given = 0;
  let inARow = 0;
  /** The latest order that could be read. It is requested again to check whether the API still responds. */
  let readable: OrderSummary | undefined;

  const position = (): WalkPosition | undefined => {
    const here = current ? before : orders.position;
    return here && { ...here, details: { ...start, setAside: [...setAside] } };
  };

  /**
   * Reads one order.
   * @returns an entry with the error if only this order cannot be read; other errors end the walk
   */
  const readDetail = async (summary: OrderSummary): Promise<OrderDetail> => {
    checkDeadline();
    try {
      const order = await readOrder(summary.id);
      readable = summary;
      return { summary, order };
    } catch (error) {
      if (!isOrderLicenseError(error) || concernsEveryOrder(error) || error.code === 'rate_limited') throw error;
      // If the walk's deadline ended the call, the error is not about this order.
      checkDeadline();
      return { summary, error };
    }
  };

  /**
   * Reads the next order of the list.
   * @returns undefined if the order is omitted or set aside
   */
  const readNext = async (summary: OrderSummary): Promise<OrderDetail | undefined> => {
    if (start.skipWithoutCodes && hasLicenseCodes(summary.status) === false) {
      current = undefined;
      return undefined;
    }
    const detail = await readDetail(summary);
    current = undefined;
    if (!detail.error) {
      inARow = 0;
      return hasProduct(detail.order) ? detail : undefined;
    }
    setAside = [...setAside, summary];
    // A removed order does not mean that other orders fail.
    if (detail.error.code !== 'not_found') inARow += 1;
    if (inARow < maxInARow) return undefined;
    inARow = 0;
    throw detail.error.addAdvice('Three orders in a row could not be read. Continue the walk later.');
  };

  const readAgain = async (summary: OrderSummary): Promise<OrderDetail | undefined> => {
    const detail = await readDetail(summary);
    if (detail.error && detail.error.code !== 'not_found') await checkService();
    setAside = setAside.slice(1);
    return detail.error || hasProduct(detail.order) ? detail : undefined;
  };
  /**
   * Checks whether the API still responds to requests other than the one that failed.
   * @throws if it does not
   */
  const checkService = async (): Promise<void> => {
    if (readable) await readOrder(readable.id);
    else await readPage({ page: 1, perPage: 1, status: undefined });
  };

  const next = async (): Promise<OrderDetail | undefined> => {
    while (given < most) {
      if (!current && given + setAside.length < most) {
        before = orders.position;
        current = (await orders.next()).value;
      }
      const again = setAside[0];
      if (!current && !again) return undefined;
      const detail = current ? await readNext(current) : again && (await readAgain(again));
      if (!detail) continue;
      given += 1;
      return detail;
    }
    return undefined;
  };
  return iterate(next, { position, gaps: () => orders.gaps, onFailure });
};

/**
 * Returns the filters and the orders set aside, from the options and the position.
 * @throws `bad_request` for a position from a different kind of walk, or with different filters
 */
const readStart = ({ productName, skipWithoutCodes, position }: OrderDetailsOptions): DetailsPosition => {
  const given = typeof productName === 'function' ? true : (productName ?? null);
  if (position === undefined) return { productName: given, skipWithoutCodes: skipWithoutCodes ?? false, setAside: [] };
  const details: unknown = isObject(position) ? position.details : undefined;
  if (!isObject(details) || !Array.isArray(details.setAside) || !details.setAside.every(isEntry)) throw notAPosition();
  const own = details.productName;
  if (own !== null && own !== true && typeof own !== 'string') throw notAPosition();
  if (own === true && given !== true) {
    throw argumentError(
      '`position` is from a walk whose `productName` is a function, which cannot be stored',
      'Pass the same function as `productName` again.',
    );
  }
  if (given !== null && given !== own) throw otherFilterError('productName');
  if (skipWithoutCodes !== undefined && skipWithoutCodes !== details.skipWithoutCodes) {
    throw otherFilterError('skipWithoutCodes');
  }
  return { productName: own, skipWithoutCodes: details.skipWithoutCodes === true, setAside: details.setAside };
};

const isEntry = (value: unknown): value is DetailsPosition['setAside'][number] =>
  isObject(value) && isResponseId(value.id);

/** @throws `bad_request` unless `productName` is a non-empty string, or a function */
const productTest = (productName: OrderDetailsOptions['productName'] | true | null): ((order: Order) => boolean) => {
  if (productName === undefined || productName === null) return () => true;
  const text = typeof productName === 'string' ? productName.trim() : '';
  if (text === '' && typeof productName !== 'function') {
    throw argumentError('`productName` must be a non-empty string or a function');
  }
  const matches = typeof productName === 'function' ? productName : productNameTest(text);
  return ({ items }) =>
    Array.isArray(items) && items.some((item) => typeof item?.product_name === 'string' && matches(item.product_name));
};
