import { createHash } from 'node:crypto';
import { isObject, objectsIn, productNameTest } from '@order-license/core/host';
import { isMasked, licenseCodeShape } from '@order-license/core/masking';
import type { LicenseCode, Order, OrderItem } from '@order-license/core/portable';
import type { Gap } from '../read/list-part.ts';
import { maxNamed, type Table, tableOf } from './list-answer.ts';

export const itemsOf = ({ items }: Order): OrderItem[] => objectsIn<OrderItem>(items);
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes : [];
/** Returns the fields of a license code. A value that is not an object becomes the `license_key`. */
export const fieldsOf = (code: unknown): Record<string, unknown> =>
  isObject(code) ? (code as Record<string, unknown>) : { license_key: code };

export const countCodes = (order: Order): number => itemsOf(order).reduce((sum, item) => sum + codesOf(item).length, 0);

/** The orders with items of a product, without their other items. */
export interface OfProduct {
  orders: readonly Order[];
  /** The names of the products, if there are several. */
  products: string[] | undefined;
  /** `masked_names` if masked product names could match: they are not compared, because a match would reveal keys. */
  gaps: Gap[];
}

/**
 * Selects the items whose product name contains `product`, as people type it. Without `product`, returns all orders
 * unchanged.
 */
export const selectProduct = (orders: readonly Order[], product: string | undefined): OfProduct => {
  if (product === undefined) return { orders, products: undefined, gaps: [] };
  const isOf = productNameTest(product);
  const selected = orders.flatMap((order) => {
    const items = itemsOf(order).filter(({ product_name }) => isOf(product_name));
    return items.length > 0 ? [{ ...order, items }] : [];
  });
  const namesIn = (some: readonly Order[]): string[] => some.flatMap(itemsOf).map(({ product_name }) => product_name);
  const products = [...new Set(namesIn(selected))];
  return {
    orders: selected,
    products: products.length > 1 ? products.slice(0, maxNamed) : undefined,
    gaps: namesIn(orders).some((name) => isMasked(name) && !isOf(name)) ? ['masked_names'] : [],
  };
};

/**
 * Tables of orders, items and license codes. Items refer to their order by ID, and codes to their item. Documented
 * fields of codes that are the same within each item are in the item's row. If item IDs are not unique, codes also have
 * the order's ID and the product's name.
 */
export interface OrderTables {
  orders: Table;
  items: Table;
  /** Undefined if codes are not shown. */
  license_codes: Table | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** An entry of a result: an order, an item or a code. Results are split only between entries. */
export interface Entry {
  /** Index of the order among the orders. */
  index: number;
  /** Number of entries of the same order that come before this one. */
  place: number;
  /** The order's row. */
  order: object;
  /** The row of the item; a code refers to the same row as its item. */
  item?: object;
  code?: object;
  /** Identifies the entry within its order. */
  name: unknown;
}

const { id: _id, license_key: _key, ...otherFields } = licenseCodeShape;
/** The documented fields of a code that can be the same for all codes of an item. */
const codeFields = Object.keys(otherFields);
/** Maximum number of codes in an order that is shown as the API sends it. */
const maxPlainCodes = 50;
/** Maximum number of entries in a result. */
export const maxEntries = 1_000;

/** Whether the order has few enough codes to be shown without tables. */
export const hasFewCodes = (order: Order): boolean => countCodes(order) <= maxPlainCodes;

/**
 * Returns the entries of orders: each order, then its items, each followed by its codes. Entries have the same sequence
 * in every call.
 * @param withCodes whether to list codes instead of only their number
 */
export const entriesOf = (orders: readonly Order[], withCodes: boolean): Entry[] => {
  const items = orders.flatMap(itemsOf);
  // The API docs don't say that item IDs differ between orders.
  const isUnique = new Set(items.map(({ id }) => id)).size === items.length;
  const shared = sharedNames(items);
  return orders.flatMap((order, index) => {
    const head = headOf(order);
    const parts = itemsOf(order).flatMap((item) => {
      const codes = withCodes ? codesOf(item).map(fieldsOf) : [];
      const row = {
        ...withReferences({ order: order.id }, rowOf(item)),
        ...pick(codes[0], (name) => shared.has(name)),
      };
      const { id, product_name } = item;
      const reference = isUnique ? { item: id } : { order: order.id, item: id, product_name };
      return [
        { item: row, name: id },
        ...codes.map((code) => ({
          item: row,
          code: withReferences(
            reference,
            pick(code, (name) => !shared.has(name)),
          ),
          name: [id, code.id ?? code.license_key],
        })),
      ];
    });
    return [{ name: '' }, ...parts].map((part, place) => ({ ...part, order: head, index, place }));
  });
};

/** Returns the documented fields of codes that are the same within each item, and that no item has itself. */
const sharedNames = (items: readonly OrderItem[]): Set<string> => {
  const isShared = (name: string): boolean =>
    items.every((item) => {
      const values = codesOf(item).map((code) => JSON.stringify(fieldsOf(code)[name]));
      return !Object.hasOwn(item, name) && new Set(values).size < 2;
    });
  return new Set(codeFields.filter(isShared));
};

const pick = (fields: Fields = {}, isPicked: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isPicked(name)));

/**
 * Returns the number of entries to show if this many fit. Only the first order is split; others are shown whole, or in
 * the next part.
 */
export const wholeOrders = (entries: readonly Entry[], fitting: number): number => {
  const next = entries[fitting];
  return next && next.index !== entries[0]?.index ? fitting - next.place : fitting;
};

export const tablesOf = (entries: readonly Entry[], withCodes: boolean): OrderTables => {
  const orders = new Set(entries.map(({ order }) => order));
  const items = new Set(entries.flatMap(({ item }) => item ?? []));
  return {
    orders: tableOf([...orders]),
    items: tableOf([...items]),
    license_codes: withCodes ? tableOf(entries.flatMap(({ code }) => code ?? [])) : undefined,
  };
};

/**
 * Returns the value of `skip` that continues an order at this entry: the number of entries before it, and a hash of
 * them, by which the next call notices that they have changed.
 */
export const skipTo = (entries: readonly Entry[], { index, place }: Pick<Entry, 'index' | 'place'>): string => {
  const before = entries.filter((entry) => entry.index === index && entry.place < place).map(({ name }) => name);
  return `${place}-${createHash('sha256').update(JSON.stringify(before)).digest('base64url').slice(0, 6)}`;
};

/** Returns how many entries `skip` counts, and whether they are unchanged. */
export const readSkip = (entries: readonly Entry[], skip = '0'): { count: number; isUnchanged: boolean } => {
  const count = Number.parseInt(skip, 10);
  return { count, isUnchanged: !skip.includes('-') || skip === skipTo(entries, { index: 0, place: count }) };
};

/** Returns the references followed by the API's fields. A field with the name of a reference gets the prefix `own_`. */
const withReferences = (references: object, fields: object): object => ({
  ...references,
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [Object.hasOwn(references, name) ? `own_${name}` : name, value]),
  ),
});

/** Returns the order without its items, which have their own table. */
const headOf = (order: Order): object => {
  const { items, ...head } = order;
  // If an element of `items` is not an object, the order keeps `items`, so that this element stays visible.
  return itemsOf(order).length === items?.length ? head : order;
};

/** Returns the item with the number of its codes in place of the codes. */
const rowOf = (item: OrderItem): Fields => {
  const { license_codes, ...row } = item;
  return Array.isArray(license_codes) ? { ...row, number_of_codes: license_codes.length } : (item as unknown as Fields);
};
