import { isObject, objectsIn, productNameTest } from '@order-license/core/host';
import { isMasked } from '@order-license/core/masking';
import type { LicenseCode, Order, OrderItem } from '@order-license/core/portable';
import type { Gap } from '../read/read-range.ts';
import { maxNamed } from './describe-part.ts';

export const itemsOf = ({ items }: Order): OrderItem[] => objectsIn(items) as unknown as OrderItem[];
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes : [];
/** Returns the fields of a license code. A value that is not an object becomes the `license_key`. */
export const fieldsOf = (code: unknown): Record<string, unknown> =>
  isObject(code) ? (code as Record<string, unknown>) : { license_key: code };

export const countCodes = (order: Order): number => itemsOf(order).reduce((sum, item) => sum + codesOf(item).length, 0);

/**
 * Returns the orders with a product whose name contains `product`, as people type it. The returned orders contain only the
 * matching items. Without `product`, returns all orders unchanged.
 */
export const withProduct = (orders: readonly Order[], product: string | undefined): readonly Order[] => {
  if (product === undefined) return orders;
  const isOf = productNameTest(product);
  return orders.flatMap((order) => {
    const items = itemsOf(order).filter(({ product_name }) => isOf(product_name));
    return items.length > 0 ? [{ ...order, items }] : [];
  });
};

/**
 * Returns the gap `masked_names` if a masked product name could contain `product`. Masked names are not searched,
 * because a match would reveal parts of license keys.
 */
export const maskedNames = (orders: readonly Order[], product: string | undefined): Gap[] => {
  if (product === undefined) return [];
  const isOf = productNameTest(product);
  const isHidden = (name: unknown): boolean => isMasked(name) && !isOf(name);
  return orders.flatMap(itemsOf).some(({ product_name }) => isHidden(product_name)) ? ['masked_names'] : [];
};

export const productNames = (orders: readonly Order[]): string[] => [
  ...new Set(orders.flatMap(itemsOf).map(({ product_name }) => product_name)),
];

/** Lists the product names that `product` matches, if there are several. */
export const severalProducts = (product: string | undefined, names: readonly string[]): object =>
  product !== undefined && names.length > 1 ? { products: names.slice(0, maxNamed) } : {};
