import type { Order, OrderItem } from '@order-license/core/portable';
import { type CompactRows, compactRows } from './compact-rows.ts';
import { sizeOf } from './fit-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf, matchingItems } from './order-codes.ts';

/** What of the orders that were read an answer shows. */
export interface Selection {
  /** Only items whose product name contains this, and orders that have one. */
  product: string | undefined;
  /** Whether license codes are shown, or only their number. */
  codes: boolean;
  /** Entries of the first order that an earlier answer has shown. */
  skip: number;
}

/** Orders, their items and their codes. Items name their order, and codes their item, by ID. */
export interface OrderTables {
  orders: CompactRows;
  items: CompactRows;
  /** Codes that share all other fields are together. */
  license_codes?: CompactRows[];
}

export interface ShownOrders {
  tables: OrderTables;
  /** Where the next answer goes on: the index of its first order, and how much of that to skip. Undefined at the end. */
  next: { index: number; skip: number } | undefined;
  /** Codes of that order that are still to be shown. */
  codesLeft: number;
}

/** Maximum codes in an order that is shown as the API sends it. */
const maxPlainCodes = 50;
/** Maximum codes of an answer. */
const maxCodes = 400;
/** Maximum orders, items and codes of an answer: no row is so short that more of them would fit. */
const maxEntries = 2_500;
/**
 * Maximum weight of an answer: a character weighs 1, one of a license key 2, as it has half as many letters to a token.
 * This is about 12,000 tokens.
 */
const maxWeight = 44_000;
/** Maximum tables of codes. */
const maxTables = 16;

/** An order, one of its items, or one of that item's codes: what answers are divided between. */
interface Entry {
  order: Order;
  item?: OrderItem;
  code?: unknown;
}

/** Whether the order needs no table. */
export const isSmall = (order: Order): boolean => countCodes(order) <= maxPlainCodes && sizeOf(order) <= maxWeight;

/**
 * As many of the orders as fit into an answer. Only an order that fits into none is divided, between its entries, whose
 * order is the same in every call: no code is repeated, unless the order changes.
 */
export const showOrders = (orders: readonly Order[], selection: Selection): ShownOrders => {
  const all = orders.flatMap((order, index) => entriesOf(order, selection).slice(index === 0 ? selection.skip : 0));
  const end = endOf(all);
  const following = all[end];
  const tables = tablesOf(all.slice(0, end), selection.codes);
  if (!following) return { tables, next: undefined, codesLeft: 0 };
  const index = orders.indexOf(following.order);
  const begun = all.slice(0, end).filter(({ order }) => order === following.order).length;
  const left = all.slice(end).filter((entry) => entry.order === following.order && 'code' in entry);
  return {
    tables,
    next: { index, skip: begun + (index === 0 ? selection.skip : 0) },
    codesLeft: begun > 0 ? left.length : 0,
  };
};

/** The order, then each item with its codes behind it; nothing if no item matches. */
const entriesOf = (order: Order, { product, codes }: Selection): Entry[] => {
  const items = matchingItems(order, product);
  if (product !== undefined && items.length === 0) return [];
  const codesIn = (item: OrderItem): Entry[] => (codes ? codesOf(item).map((code) => ({ order, item, code })) : []);
  return [{ order }, ...items.flatMap((item) => [{ order, item }, ...codesIn(item)])];
};

/** How many entries an answer holds, at least one. */
const endOf = (all: readonly Entry[]): number => {
  let codes = 0;
  const overflow = all.findIndex((entry, index) => {
    if ('code' in entry) codes += 1;
    return codes > maxCodes || index === maxEntries;
  });
  let [fits, most] = [1, overflow < 0 ? all.length : overflow];
  for (let next = most; fits < most; next = Math.ceil((fits + most) / 2)) {
    if (weigh(all.slice(0, next)) <= maxWeight) fits = next;
    else most = next - 1;
  }
  const divided = all[fits]?.order;
  return divided && divided !== all[0]?.order ? all.findIndex(({ order }) => order === divided) : fits;
};

const weigh = (entries: readonly Entry[]): number =>
  entries.reduce(
    (sum, { code }) => sum + (code === undefined ? 0 : sizeOf(fieldsOf(code).license_key)),
    sizeOf(tablesOf(entries, true)),
  );

const tablesOf = (entries: readonly Entry[], withCodes: boolean): OrderTables => {
  const orders = new Set(entries.map(({ order }) => order));
  const items = new Map(entries.flatMap(({ item, order }) => (item ? [[item, order]] : [])));
  const codes = entries.flatMap(({ item, ...entry }) =>
    'code' in entry ? [{ item: item?.id, ...fieldsOf(entry.code) } as Code] : [],
  );
  return {
    orders: compactRows([...orders].map(headOf)),
    items: compactRows([...items].map(([item, order]) => ({ order: order.id, ...rowOf(item) }))),
    ...(withCodes && { license_codes: groupCodes(codes) }),
  };
};

/** The order without its items. */
const headOf = (order: Order): object => {
  const { items, ...head } = order;
  // What is not an item stays visible.
  return Array.isArray(items) && itemsOf(order).length === items.length ? head : order;
};

/** The item with the number of its codes instead of the codes. */
const rowOf = (item: OrderItem): object => {
  const { license_codes, ...row } = item;
  return Array.isArray(license_codes) ? { ...row, number_of_codes: license_codes.length } : item;
};

type Code = Record<string, unknown>;

/** One table for all codes that share every field but ID, key and item; a single one if few do. */
const groupCodes = (codes: readonly Code[]): CompactRows[] => {
  const groups = new Map<string, Code[]>();
  for (const code of codes) {
    const { id, item, license_key, ...shared } = code;
    const key = JSON.stringify(shared);
    groups.set(key, [...(groups.get(key) ?? []), code]);
  }
  return (groups.size > maxTables ? [codes] : [...groups.values()]).map(compactRows);
};
