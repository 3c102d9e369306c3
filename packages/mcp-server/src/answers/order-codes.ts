import { isObject } from '@order-license/core/host';
import type { LicenseCode, Order, OrderItem } from '@order-license/core/portable';
import { maxNamed } from './describe-part.ts';

export const itemsOf = ({ items }: Order): OrderItem[] =>
  (Array.isArray(items) ? items.filter(isObject) : []) as OrderItem[];
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes : [];
/** A code as in the API docs; any other value becomes its `license_key`. */
export const fieldsOf = (code: unknown): Record<string, unknown> =>
  isObject(code) ? (code as Record<string, unknown>) : { license_key: code };

export const countCodes = (order: Order): number => itemsOf(order).reduce((sum, item) => sum + codesOf(item).length, 0);

/** The items whose product name contains `product`, whatever its case; all items without one. */
export const matchingItems = (order: Order, product: string | undefined): OrderItem[] => {
  const wanted = product?.toLowerCase();
  return itemsOf(order).filter(
    ({ product_name }) => wanted === undefined || String(product_name).toLowerCase().includes(wanted),
  );
};

/** Names of the products that `product` matches; none without one. */
export const productNames = (orders: readonly Order[], product: string | undefined): string[] => {
  const items = product === undefined ? [] : orders.flatMap((order) => matchingItems(order, product));
  return [...new Set(items.map(({ product_name }) => product_name))];
};

/** For an answer: says that `product` matched several products, of which it may mean one. */
export const severalProducts = (names: readonly string[]): { products?: readonly string[] } =>
  names.length > 1 ? { products: names.slice(0, maxNamed) } : {};
