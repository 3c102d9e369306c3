import type { Order, OrderItem } from '@order-license/core/portable';
import { type CompactRows, compactRows } from './compact-rows.ts';
import { codesOf, countCodes, fieldsOf, itemsOf, matchingItems } from './order-codes.ts';

/** What of the orders that were read an answer shows. */
export interface Selection {
  /** Only items whose product name contains this, and orders that have one. */
  product: string | undefined;
  /** Whether license codes are shown, or only their number. */
  codes: boolean;
  /** The page of the first order's items and codes, from 1. */
  page: number;
}

/** Orders, their items and their codes. Items name their order, and codes their item, by ID. */
export interface OrderTables {
  orders: CompactRows;
  items: CompactRows;
  /** Codes that share most of their fields are together. */
  license_codes?: CompactRows[];
}

export interface ShownOrders {
  tables: OrderTables;
  /** Where the next call goes on: the index of its first order, and the page of that. */
  next: { index: number; page: number } | undefined;
  /** Codes of that order that an earlier page does not have. */
  codesLeft: number;
  /** The number of pages of the first order. */
  pages: number;
}

/** Maximum codes in an order that is shown as the API sends it. */
const maxPlainCodes = 50;
/** Maximum codes of an answer. */
const maxCodes = 400;
/**
 * Maximum weight of an answer: a character of a table weighs 1, one of a license key 2, as it has half as many letters
 * to a token. This is about 12,000 tokens.
 */
const maxWeight = 44_000;

/** An item, or one of its codes. */
interface Entry {
  item: OrderItem;
  code?: unknown;
  weight: number;
}

/** Whether the order needs no table. */
export const isSmall = (order: Order): boolean =>
  countCodes(order) <= maxPlainCodes && JSON.stringify(order).length <= maxWeight;

/** Whether these orders have as much as an answer can show, so that reading more of them would be in vain. */
export const fillsAnswer = (orders: readonly Order[], { product, codes }: Selection): boolean => {
  const entries = orders.flatMap((order) => entriesOf(matchingItems(order, product), codes));
  return countOf(entries) >= maxCodes || weigh(entries) >= maxWeight;
};

/**
 * As many of the orders as fit into an answer. An order that fits into none comes in pages, which are the same in every
 * call unless the order changes, so no code is repeated.
 */
export const showOrders = (orders: readonly Order[], selection: Selection): ShownOrders => {
  const { product, codes } = selection;
  const shown: { order: Order; entries: Entry[] }[] = [];
  const room = { codes: maxCodes, weight: maxWeight };
  let pagesOfFirst = 1;
  let codesLeft = 0;
  let next: ShownOrders['next'];
  for (const [index, order] of orders.entries()) {
    const items = matchingItems(order, product);
    if (product !== undefined && items.length === 0) continue;
    const pages = pagesOf(entriesOf(items, codes));
    const isFirst = index === 0;
    if (isFirst) pagesOfFirst = pages.length;
    const page = isFirst ? selection.page : 1;
    const entries = pages[page - 1] ?? [];
    const fits = countOf(entries) <= room.codes && weigh(entries) + weightOf(headOf(order)) <= room.weight;
    if (shown.length > 0 && (!fits || pages.length > 1)) {
      next = { index, page: 1 };
      break;
    }
    shown.push({ order, entries });
    room.codes -= countOf(entries);
    room.weight -= weigh(entries) + weightOf(headOf(order));
    if (page < pages.length) {
      next = { index, page: page + 1 };
      codesLeft = countOf(pages.slice(page).flat());
      break;
    }
  }
  return { tables: tablesOf(shown, codes), next, codesLeft, pages: pagesOfFirst };
};

const countOf = (entries: readonly Entry[]): number => entries.filter((entry) => 'code' in entry).length;
const weigh = (entries: readonly Entry[]): number => entries.reduce((sum, { weight }) => sum + weight, 0);
const weightOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** Items, each with its codes behind it. */
const entriesOf = (items: readonly OrderItem[], withCodes: boolean): Entry[] => {
  const entries: Entry[] = items.flatMap((item) => [
    { item, weight: weightOf(rowOf(item)) },
    ...(withCodes ? codesOf(item).map((code) => ({ item, code, weight: 0 })) : []),
  ]);
  const columns = columnsOf(entries.filter((entry) => 'code' in entry).map(({ code }) => fieldsOf(code)));
  const known = new Set<string>();
  for (const entry of entries) {
    if (!('code' in entry)) continue;
    const [row, shared] = split(fieldsOf(entry.code), columns);
    const key = JSON.stringify(shared);
    entry.weight = 2 * weightOf(row.map(([, value]) => value)) + (known.has(key) ? 0 : key.length);
    known.add(key);
  }
  return entries;
};

/** At least one page. */
const pagesOf = (entries: readonly Entry[]): Entry[][] => {
  const pages: Entry[][] = [[]];
  const room = { codes: maxCodes, weight: maxWeight };
  for (const entry of entries) {
    const isCode = 'code' in entry;
    const page = pages.at(-1) as Entry[];
    if (page.length > 0 && ((isCode && room.codes === 0) || entry.weight > room.weight)) {
      pages.push([entry]);
      Object.assign(room, { codes: maxCodes, weight: maxWeight });
    } else page.push(entry);
    room.weight -= entry.weight;
    if (isCode) room.codes -= 1;
  }
  return pages;
};

const tablesOf = (shown: readonly { order: Order; entries: readonly Entry[] }[], withCodes: boolean): OrderTables => {
  const items = shown.flatMap(({ order, entries }) =>
    [...new Set(entries.map(({ item }) => item))].map((item) => ({ order: order.id, ...rowOf(item) })),
  );
  const codes = shown.flatMap(({ entries }) =>
    entries.flatMap((entry) => ('code' in entry ? [{ item: entry.item.id, ...fieldsOf(entry.code) }] : [])),
  );
  return {
    orders: compactRows(shown.map(({ order }) => headOf(order))),
    items: compactRows(items),
    ...(withCodes && { license_codes: groupCodes(codes) }),
  };
};

/** The order without its items. */
const headOf = (order: Order): object => {
  if (!Array.isArray(order.items)) return order;
  const { items, ...head } = order;
  // What is not an item stays visible.
  return itemsOf(order).length === items.length ? head : order;
};

/** The item with the number of its codes instead of the codes. */
const rowOf = (item: OrderItem): object => {
  if (!Array.isArray(item.license_codes)) return item;
  const { license_codes, ...row } = item;
  return { ...row, number_of_codes: license_codes.length };
};

type Code = Record<string, unknown>;

/** A field with more distinct values becomes a column; codes with equal values of the others share a table. */
const maxShared = 8;

/** Names of the fields that differ from code to code; the others have a few values that many codes share. */
const columnsOf = (codes: readonly Code[]): Set<string> => {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of codes.flatMap((code) => Object.entries(code))) {
    const known = values.get(name) ?? new Set();
    if (known.size <= maxShared) known.add(JSON.stringify(value));
    values.set(name, known);
  }
  const columns = new Set(['id', 'license_key']);
  for (const [name, known] of values) if (known.size > maxShared) columns.add(name);
  const combinations = new Set(codes.map((code) => JSON.stringify(split(code, columns)[1])));
  return combinations.size > Math.min(2 * maxShared, Math.max(1, codes.length / 2)) ? new Set(values.keys()) : columns;
};

/** The fields of a code: those in its row, and those that it shares. */
const split = (code: Code, columns: ReadonlySet<string>): [row: [string, unknown][], shared: [string, unknown][]] => {
  const fields = Object.entries(code);
  return [fields.filter(([name]) => columns.has(name)), fields.filter(([name]) => !columns.has(name))];
};

const groupCodes = (codes: readonly Code[]): CompactRows[] => {
  const columns = columnsOf(codes);
  const groups = new Map<string, Code[]>();
  for (const code of codes) {
    const key = JSON.stringify(split(code, columns)[1]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(code);
  }
  return [...groups.values()].map(compactRows);
};
