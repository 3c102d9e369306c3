import { timeOf } from '@order-license/core/host';
import { isOrderLicenseError, type Order, OrderLicenseError, type OrderSummary } from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { argumentsForRest, describePart } from '../answers/describe-part.ts';
import { maskedNames, productNames, severalProducts, withProduct } from '../answers/order-codes.ts';
import { maxValues } from '../answers/visible-answer.ts';
import { afterWholeLimit, type Call } from '../read/call.ts';
import type { RangeQuery } from '../read/range.ts';
import { maxReads, readOrders } from '../read/read-orders.ts';
import { type Part, readRange } from '../read/read-range.ts';

const maxOrders = 100;

/** Options of a search, in addition to the range. */
export interface SearchOptions {
  /** Maximum number of orders in a result. */
  per_page?: number | undefined;
  /**
   * A part of a product name: the search returns only orders with a matching item, and reads each order in the range.
   */
  product?: string | undefined;
}

type Found = Part & {
  orders: readonly OrderSummary[];
  products?: readonly string[];
  /** The orders that were read to check their products. */
  checked?: readonly Order[];
};

/** Returns the orders in a range as a table. */
export const searchOrders = async (range: RangeQuery, more: SearchOptions, call: Call): Promise<object> => {
  const { per_page: most = maxOrders, product } = more;
  const part: Found =
    product === undefined
      ? await readRange(range, { maxOrders: most }, call)
      : await readWithProduct(range, product, Math.min(most, maxReads), call);
  const { orders } = call.show({ orders: part.orders }, part.checked);
  return {
    ...(await describePart(part, argumentsForRest(part, more), call)),
    count: orders.length,
    ...severalProducts(product, part.products ?? []),
    ...compactRows(orders),
  };
};

/**
 * Advice if more orders were created in one second than one call can read: order_license_get_order reads them by ID, in any number of
 * calls.
 */
const readById =
  'call order_license_get_order with the same dates and `product`, and with `codes` false: unlike order_license_list_orders, it can stop between orders created in the same second.';
const tooManyValues = (): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The orders created in one second are too large for one call: together, they have more than ${maxValues} field values`,
    advice: `Instead, ${readById}`,
  });

/**
 * Returns the list entries of the orders in a range that contain the product.
 * @returns a part that contains only whole seconds: it ends before the second of the first order that could not be read
 * @throws the error that occurred, if not even one whole second could be read
 */
const readWithProduct = async (range: RangeQuery, product: string, maxOrders: number, call: Call): Promise<Found> => {
  const limits = { maxOrders, most: Number.POSITIVE_INFINITY };
  const { left, listed, ...read } = await readOrders({ orders: [], range }, limits, call);
  const [unread] = left;
  const end = unread ? timeOf(unread) + 1000 : Number.NEGATIVE_INFINITY;
  if (unread && !listed.some((order) => timeOf(order) >= end)) {
    if (!read.interruption) throw tooManyValues();
    const error = afterWholeLimit(read.interruption, call);
    const isOneOfMany = listed.filter((order) => !(timeOf(order) < end - 1000)).length > 1;
    throw isOneOfMany && isOrderLicenseError(error) ? error.addAdvice(`If the call fails again, ${readById}`) : error;
  }
  // The next part begins by the times in the list, from which the times in an order's details could differ.
  const inPart = new Set(listed.filter((order) => !(timeOf(order) < end)).map(({ id }) => String(id)));
  const whole = read.orders.filter(({ id }) => inPart.has(String(id)));
  const shown = call.show({ orders: whole }).orders;
  // The result contains no line items, so it does not name what is masked in them.
  call.masked.clear();
  const matching = withProduct(shown, product);
  const ids = new Set(matching.map(({ id }) => String(id)));
  return {
    ...read,
    gaps: [...(read.gaps ?? []), ...maskedNames(shown, product)],
    products: productNames(matching),
    checked: whole,
    orders: listed.filter(({ id }) => ids.has(String(id))) as OrderSummary[],
    rest: unread ? { ...range, before: new Date(end) } : read.rest,
  };
};
