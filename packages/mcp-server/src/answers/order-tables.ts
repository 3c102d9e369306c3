import type { Order, OrderItem } from '@order-license/core/portable';
import { type CompactRows, compactRows } from './compact-rows.ts';
import { sizeOf } from './fit-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf } from './order-codes.ts';

/** Which parts of the orders read a result shows. */
export interface Selection {
  /** Whether license codes are shown, or only their number. */
  codes: boolean;
  /** How many entries of the first order an earlier result has shown. */
  skip: number;
}

/** Orders, their items and their codes. Items refer to their order, and codes to their item, by ID. */
export interface OrderTables {
  orders: CompactRows;
  items: CompactRows;
  /** Codes that share all other fields are in one table. */
  license_codes?: CompactRows[];
}

export interface ShownOrders {
  tables: OrderTables;
  /**
   * Where the next result continues: the index of its first order, and how much of it to skip. Undefined at the end.
   */
  next: { index: number; skip: number } | undefined;
  /** How many codes of that order remain to be shown, if a part of it was shown. */
  codesLeft: number;
}

/** Maximum codes in an order that is shown as the API sends it. */
const maxPlainCodes = 50;
/** Maximum orders, items and codes in a result: more rows would never fit, however short. */
const maxEntries = 2_500;
/**
 * Maximum weight of a result: a character weighs 1, and a character of a license key 3, because it has a third as many
 * letters per token. This is about 400 codes and at most 12,000 tokens.
 */
const maxWeight = 44_000;
/** Maximum tables of codes. */
const maxTables = 16;

/** An order, one of its items, or one of that item's codes: results are divided between these. */
interface Entry {
  order: Order;
  /** Index of the order. */
  index: number;
  /** Entries of the order before this one. */
  place: number;
  item?: OrderItem;
  code?: unknown;
}

/** Whether the order needs no table. */
export const isSmall = (order: Order): boolean => countCodes(order) <= maxPlainCodes && sizeOf(order) <= maxWeight;

/**
 * Returns as many orders as fit into a result. Only an order that is too long for any result is split, between its
 * entries. They come in the same sequence in every call, so no code is repeated unless the order changes.
 */
export const showOrders = (orders: readonly Order[], { codes, skip }: Selection): ShownOrders => {
  const all = orders.flatMap((order, index) => entriesOf(order, index, codes).slice(index === 0 ? skip : 0));
  const end = endOf(all);
  const next = all[end];
  const isLeft = (entry: Entry): boolean => entry.index === next?.index && 'code' in entry;
  return {
    tables: tablesOf(all.slice(0, end), codes),
    next: next && { index: next.index, skip: next.place },
    codesLeft: next?.place ? all.slice(end).filter(isLeft).length : 0,
  };
};

/** The order, then each item with its codes behind it. */
const entriesOf = (order: Order, index: number, codes: boolean): Entry[] => {
  const parts = itemsOf(order).flatMap((item) => [
    { item },
    ...(codes ? codesOf(item) : []).map((code) => ({ item, code })),
  ]);
  return [{}, ...parts].map((part, place) => ({ ...part, order, index, place }));
};

/** How many entries fit into a result, at least one. */
const endOf = (all: readonly Entry[]): number => {
  let end = Math.min(all.length, maxEntries);
  for (let weight = weigh(all.slice(0, end)); end > 1 && weight > maxWeight; weight = weigh(all.slice(0, end))) {
    end = Math.max(1, Math.floor((end * maxWeight) / weight));
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
  const codes = entries.flatMap(({ item, ...entry }) =>
    'code' in entry ? [{ item: item?.id, ...fieldsOf(entry.code) } as Code] : [],
  );
  return {
    orders: compactRows([...new Set(entries.map(({ order }) => order))].map(headOf)),
    items: compactRows(
      [...new Map(entries.map(({ item, order }) => [item, order]))].flatMap(([item, order]) =>
        item ? [{ order: order.id, ...rowOf(item) }] : [],
      ),
    ),
    ...(withCodes && { license_codes: groupCodes(codes) }),
  };
};

/** The order without its items. */
const headOf = (order: Order): object => {
  const { items, ...head } = order;
  // What is not an item stays visible.
  return itemsOf(order).length === items?.length ? head : order;
};

/** The item with the number of its codes instead of the codes. */
const rowOf = (item: OrderItem): object => {
  const { license_codes, ...row } = item;
  return Array.isArray(license_codes) ? { ...row, number_of_codes: license_codes.length } : item;
};

type Code = Record<string, unknown>;

/**
 * One table for each group of codes that share every field but ID, key and item; a single table if few codes share
 * them.
 */
const groupCodes = (codes: readonly Code[]): CompactRows[] => {
  const groups = [...Map.groupBy(codes, ({ id, item, license_key, ...shared }) => JSON.stringify(shared)).values()];
  return (groups.length > maxTables ? [codes] : groups).map(compactRows);
};
