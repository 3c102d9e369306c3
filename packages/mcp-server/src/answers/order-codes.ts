import { isObject, objectsIn, productNameTest } from '@order-license/core/host';
import type { LicenseCode, Order, OrderItem } from '@order-license/core/portable';
import type { Gap } from '../read/read-range.ts';
import { maxNamed } from './describe-part.ts';

export const itemsOf = ({ items }: Order): OrderItem[] => objectsIn(items) as unknown as OrderItem[];
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes : [];
/** A code as in the API docs; any other value becomes its `license_key`. */
export const fieldsOf = (code: unknown): Record<string, unknown> =>
  isObject(code) ? (code as Record<string, unknown>) : { license_key: code };

export const countCodes = (order: Order): number => itemsOf(order).reduce((sum, item) => sum + codesOf(item).length, 0);

/** The orders that have a product whose name contains `product`, whatever its case, with its items alone; all without one. */
export const withProduct = (orders: readonly Order[], product: string | undefined): readonly Order[] => {
  if (product === undefined) return orders;
  const isOf = productNameTest(product);
  return orders.flatMap((order) => {
    const items = itemsOf(order).filter(({ product_name }) => isOf(product_name));
    return items.length > 0 ? [{ ...order, items }] : [];
  });
};

/** The gap of masked names that may contain `product`. They are not searched: that would reveal parts of license keys. */
export const maskedNames = (orders: readonly Order[], product: string | undefined): Gap[] => {
  if (product === undefined) return [];
  const isOf = productNameTest(product);
  const isHidden = (name: unknown): boolean => String(name).includes('****') && !isOf(name);
  return orders.flatMap(itemsOf).some(({ product_name }) => isHidden(product_name)) ? ['masked_names'] : [];
};

export const productNames = (orders: readonly Order[]): string[] => [
  ...new Set(orders.flatMap(itemsOf).map(({ product_name }) => product_name)),
];

/** For a result about a `product`: lists the products that its name matches, if there are several. */
export const severalProducts = (product: string | undefined, names: readonly string[]): object =>
  product !== undefined && names.length > 1 ? { products: names.slice(0, maxNamed) } : {};
