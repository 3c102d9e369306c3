import { checkOptions, checkWhole, type OptionNames } from '../base/checks.ts';
import { argumentError, type ErrorCode, isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import { hasLicenseCodes, type Order, type OrderSummary } from '../model/order.ts';
import { iterate, type OrderWalk } from './order-walk.ts';
import { createEntryCursor } from './position-cursor.ts';
import { walkPages } from './walk.ts';
import { type WalkOptions, walkOptionNames } from './walk-options.ts';
import type { ReadPage } from './walk-progress.ts';

export interface OrderDetailsOptions extends WalkOptions {
  /** Maximum number of entries. */
  limit?: number | undefined;
  /**
   * Only orders with an item of this product: a string that its `product_name` contains, in upper or lower case, or a
   * function that decides. The items are in the order itself, so every order of the range is read.
   */
  productName?: string | ((name: string) => boolean) | undefined;
  /**
   * Skips orders whose status in the list, `ausstehend` or `storniert`, rules out license codes (§3), without reading
   * them. Default: false.
   */
  skipWithoutCodes?: boolean | undefined;
}

const optionNames: OptionNames<OrderDetailsOptions> = {
  ...walkOptionNames,
  productName: true,
  skipWithoutCodes: true,
};

/** An order of the list and the result of reading it. */
export type OrderDetail =
  | { summary: OrderSummary; order: Order; error?: undefined }
  | { summary: OrderSummary; order?: undefined; error: OrderLicenseError };

/** Errors that the next order would hit too, or that the caller caused: they end the walk. */
const endsWalk: ReadonlySet<ErrorCode> = new Set([
  'authentication',
  'not_business_account',
  'aborted',
  'rate_limited',
  'configuration',
]);

/** Reads full orders. */
export interface ReadOrders {
  readPage: ReadPage;
  readOrder(id: OrderSummary['id']): Promise<Order>;
  /** Called when the walk fails; the next step resumes it. */
  onFailure(): void;
  /** @throws once the walk's time is used up */
  checkDeadline(): void;
}

/**
 * The full orders of a walk, read one by one. An order that cannot be read is an entry with its error.
 * @throws `bad_request` for invalid options, before anything is sent; then the error that ends the walk, with `page`
 */
export const orderDetails = (
  { readPage, readOrder, onFailure, checkDeadline }: ReadOrders,
  options: OrderDetailsOptions,
): OrderWalk<OrderDetail> => {
  const { limit: most, skipWithoutCodes = false, productName, ...walkOptions } = checkOptions(options, optionNames);
  const limit = most === undefined ? Number.POSITIVE_INFINITY : checkWhole('limit', most, Number.MAX_SAFE_INTEGER);
  const hasProduct = productTest(productName);
  const pages = walkPages(readPage, walkOptions, onFailure);
  const isFiltered = options.status !== undefined && [options.status].flat().length === 1;
  const cursor = createEntryCursor(pages.position);
  /** Orders of the list still to read; the first one stays until its entry is returned. */
  let waiting: OrderSummary[] = [];
  let page = 1;
  let given = 0;

  /** @throws the error that ends the walk */
  const readDetail = async (summary: OrderSummary): Promise<OrderDetail> => {
    try {
      checkDeadline();
      return { summary, order: await readOrder(summary.id) };
    } catch (error) {
      if (isOrderLicenseError(error) && !endsWalk.has(error.code)) {
        // If the walk's deadline ended the call, the error is not about this order.
        checkDeadline();
        return { summary, error };
      }
      throw error;
    }
  };

  const pass = (summary: OrderSummary): void => {
    waiting = waiting.slice(1);
    cursor.pass(summary);
  };

  return iterate(async () => {
    while (given < limit) {
      const [summary] = waiting;
      if (!summary) {
        const { value, done } = await pages.next();
        if (done) return undefined;
        cursor.openPage(value);
        waiting = value.orders;
        page = value.page;
        continue;
      }
      if (skipWithoutCodes && hasLicenseCodes(summary.status) === false) {
        pass(summary);
        continue;
      }
      const detail = await readDetail(summary).catch((error: unknown) => {
        if (isOrderLicenseError(error))
          Object.assign(error, { page: isFiltered ? 1 : page, position: cursor.position() });
        onFailure();
        throw error;
      });
      pass(summary);
      if (detail.error === undefined && !hasProduct(detail.order)) continue;
      given += 1;
      return detail;
    }
    return undefined;
  }, cursor.position);
};

/** @throws `bad_request` unless `productName` is a non-empty string, or a function */
const productTest = (productName: OrderDetailsOptions['productName']): ((order: Order) => boolean) => {
  if (productName === undefined) return () => true;
  const isText = typeof productName === 'string';
  if (isText ? productName.trim() === '' : typeof productName !== 'function') {
    throw argumentError('`productName` must be a non-empty string or a function');
  }
  const matches = isText ? containsText(productName) : productName;
  return ({ items }) =>
    Array.isArray(items) && items.some((item) => typeof item?.product_name === 'string' && matches(item.product_name));
};

const containsText = (text: string): ((name: string) => boolean) => {
  const fold = (value: string): string => value.normalize('NFC').toLowerCase();
  const wanted = fold(text.trim());
  return (name) => fold(name).includes(wanted);
};
