import type { Order, OrderItem } from '@order-license/core/portable';
import { type CompactRows, compactRows } from './compact-rows.ts';
import { sizeOf } from './fit-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf } from './order-codes.ts';

/** Selects the parts of the orders that a result shows. */
export interface Selection {
  /** Whether to show license codes, or only their number. */
  codes: boolean;
  /** Number of entries of the first order that earlier results have already shown. */
  skip: number;
  /** Number of orders that the result may have to name in `continue`. Default: few. */
  named?: number;
}

/**
 * Tables of orders, items and license codes. Items refer to their order by ID, and codes to their item. If item IDs are
 * not unique, codes also have the order's ID and the product's name.
 */
export interface OrderTables {
  orders: CompactRows;
  items: CompactRows;
  /** One table for each group of codes that share all fields except ID, key and item. */
  license_codes?: CompactRows[];
}

export interface ShownOrders {
  tables: OrderTables;
  /**
   * The start of the next result: the index of its first order, and how many entries of that order to skip. Undefined
   * at the end.
   */
  next: { index: number; skip: number } | undefined;
  /**
   * Number of codes that remain to be shown in the order at `next`; 0 if none of that order's entries has been shown.
   */
  codesLeft: number;
}

/** Maximum number of codes in an order that is shown as the API sends it. */
const maxPlainCodes = 50;
/** Maximum number of orders, items and codes in a result: more rows would never fit, however short they are. */
const maxEntries = 2_500;
/**
 * Maximum weight of a result. A character weighs 1; in a license key it weighs 3, because keys take three times as many
 * tokens. This allows about 400 codes and at most 12,000 tokens.
 */
const maxWeight = 44_000;
/** Number of order IDs for which a result has room beside the heaviest tables. */
const freeIds = 1_000;
/** Length of an ID and its comma in `continue`, characters. */
const idLength = 11;
/** Maximum number of license-code tables in a result. */
const maxTables = 16;

/** An entry of a result: an order, an item or a code. Results are split only between entries. */
interface Entry {
  order: Order;
  /** Index of the order. */
  index: number;
  /** Number of entries of the same order that come before this one. */
  place: number;
  item?: OrderItem;
  code?: unknown;
}

/** Whether the order is short enough to be shown without tables. */
export const isSmall = (order: Order): boolean => countCodes(order) <= maxPlainCodes && sizeOf(order) <= maxWeight;

/**
 * Returns as many orders as fit into a result. Only an order that is too long for any result is split, between its
 * entries. Entries have the same sequence in every call, so no code is repeated unless the order changes.
 */
export const showOrders = (orders: readonly Order[], { codes, skip, named = 0 }: Selection): ShownOrders => {
  const all = orders.flatMap((order, index) => entriesOf(order, index, codes).slice(index === 0 ? skip : 0));
  const end = endOf(all, maxWeight - idLength * Math.max(0, named - freeIds));
  const next = all[end];
  const isLeft = (entry: Entry): boolean => entry.index === next?.index && 'code' in entry;
  return {
    tables: tablesOf(all.slice(0, end), codes),
    next: next && { index: next.index, skip: next.place },
    codesLeft: next?.place ? all.slice(end).filter(isLeft).length : 0,
  };
};

/** Returns the entries of an order: the order itself, then each item followed by its codes. */
const entriesOf = (order: Order, index: number, codes: boolean): Entry[] => {
  const parts = itemsOf(order).flatMap((item) => [
    { item },
    ...(codes ? codesOf(item) : []).map((code) => ({ item, code })),
  ]);
  return [{}, ...parts].map((part, place) => ({ ...part, order, index, place }));
};

/**
 * Returns how many entries fit into a result, at least one. Only the first order may be split.
 * @param most maximum weight
 */
const endOf = (all: readonly Entry[], most: number): number => {
  let end = Math.min(all.length, maxEntries);
  for (let weight = weigh(all.slice(0, end)); end > 1 && weight > most; weight = weigh(all.slice(0, end))) {
    end = Math.max(1, Math.floor((end * most) / weight));
  }
  const divided = all[end];
  const isFirst = !divided || divided.index === all[0]?.index;
  return isFirst ? end : all.findIndex(({ index }) => index === divided.index);
};

const weigh = (entries: readonly Entry[]): number =>
  entries.reduce(
    (sum, { code }) => sum + (code === undefined ? 0 : 2 * sizeOf(fieldsOf(code).license_key)),
    sizeOf(tablesOf(entries, true)),
  );

const tablesOf = (entries: readonly Entry[], withCodes: boolean): OrderTables => {
  const orders = new Set(entries.map(({ order }) => order));
  const items = [...new Map(entries.map(({ item, order }) => [item, order]))].flatMap(([item, order]) =>
    item ? [{ item, order }] : [],
  );
  // The API docs don't say that item IDs differ between orders.
  const isUnique = new Set(items.map(({ item }) => item.id)).size === items.length;
  const codes = entries.flatMap(({ item, order, ...entry }) => {
    if (!('code' in entry)) return [];
    const of = isUnique ? { item: item?.id } : { order: order.id, item: item?.id, product_name: item?.product_name };
    return [withReferences(of, fieldsOf(entry.code)) as Code];
  });
  return {
    orders: compactRows([...orders].map(headOf)),
    items: compactRows(items.map(({ item, order }) => withReferences({ order: order.id }, rowOf(item)))),
    ...(withCodes && { license_codes: groupCodes(codes) }),
  };
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
const rowOf = (item: OrderItem): object => {
  const { license_codes, ...row } = item;
  return Array.isArray(license_codes) ? { ...row, number_of_codes: license_codes.length } : item;
};

type Code = Record<string, unknown>;

/**
 * Returns one table for each group of codes that share every field except ID, key and item; a single table if there are
 * too many groups.
 */
const groupCodes = (codes: readonly Code[]): CompactRows[] => {
  const groups = [...Map.groupBy(codes, ({ id, item, license_key, ...shared }) => JSON.stringify(shared)).values()];
  return (groups.length > maxTables ? [codes] : groups).map(compactRows);
};
