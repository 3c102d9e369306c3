import { isObject } from '@order-license/core/host';
import type { LicenseCode, Order, OrderItem } from '@order-license/core/portable';
import { compactRows } from './compact-rows.ts';

/** Maximum codes in an answer in the service's own format. */
export const maxPlainCodes = 50;
/** Maximum codes per page, and maximum characters: about 12,000 tokens. */
const [codesOfPage, charactersOfPage] = [400, 22_000];
/** A field with more distinct values becomes a column; other values are stated once per group. */
const maxShared = 8;

/** Codes of one item that differ only in their columns. */
interface CodeGroup {
  /** ID of the item. */
  item: unknown;
  product_name: unknown;
  [field: string]: unknown;
}

export const countCodes = (order: Order): number => itemsOf(order).reduce((sum, item) => sum + codesOf(item).length, 0);

/** The order with the number of codes instead of the codes. */
export const withoutCodes = (order: Order): object => {
  if (!Array.isArray(order.items)) return order;
  const items = order.items.map((item) => {
    if (!isObject(item) || !Array.isArray(item.license_codes)) return item;
    const { license_codes, ...rest } = item;
    return { ...rest, number_of_codes: license_codes.length };
  });
  return { ...order, items };
};

export interface CodePage {
  page: number;
  pages: number;
  /** Codes of the order. */
  total: number;
  /** Codes after this page. */
  left: number;
  codes: CodeGroup[];
}

/**
 * One page of an order's license codes; shared values are stated once. Unless the order changes, its pages are the same
 * in every call, so no code is repeated.
 * @returns undefined for a page after the last
 */
export const codePage = (order: Order, page: number): CodePage | undefined => {
  const all = itemsOf(order).flatMap((item) => codesOf(item).map((code) => ({ item, code })));
  const plans = new Map(itemsOf(order).map((item) => [item, columnsOf(codesOf(item))]));
  const group = (codes: typeof all): CodeGroup[] => groupCodes(codes, plans);
  const size = pageSize(all.length, JSON.stringify(group(all)).length);
  const pages = Math.max(1, Math.ceil(all.length / size));
  if (page > pages) return undefined;
  const shown = all.slice((page - 1) * size, page * size);
  const left = Math.max(0, all.length - page * size);
  return { page, pages, total: all.length, left, codes: group(shown) };
};

const pageSize = (codes: number, characters: number): number =>
  Math.max(1, Math.min(codesOfPage, Math.floor((charactersOfPage * codes) / Math.max(1, characters))));

type Code = Record<string, unknown>;

/** Names of the fields that differ from code to code; the others have a few values that many codes share. */
const columnsOf = (codes: readonly LicenseCode[]): Set<string> => {
  const fields = codes.map(fieldsOf);
  const values = new Map<string, Set<string>>();
  for (const [name, value] of fields.flatMap(Object.entries)) {
    const known = values.get(name) ?? new Set();
    if (known.size <= maxShared) known.add(JSON.stringify(value));
    values.set(name, known);
  }
  const columns = new Set(['id', 'license_key']);
  for (const [name, known] of values) if (known.size > maxShared) columns.add(name);
  const combinations = new Set(fields.map((code) => sharedKey(code, columns)));
  return combinations.size > 2 * maxShared ? new Set(values.keys()) : columns;
};

const groupCodes = (
  codes: readonly { item: OrderItem; code: LicenseCode }[],
  plans: ReadonlyMap<OrderItem, Set<string>>,
): CodeGroup[] => {
  const groups = new Map<OrderItem, Map<string, Code[]>>();
  for (const { item, code } of codes) {
    const ofItem = groups.get(item) ?? new Map<string, Code[]>();
    groups.set(item, ofItem);
    const fields = fieldsOf(code);
    const key = sharedKey(fields, plans.get(item));
    const same = ofItem.get(key) ?? [];
    ofItem.set(key, same);
    same.push(fields);
  }
  return [...groups].flatMap(([item, ofItem]) =>
    [...ofItem.values()].map((codes) => {
      const columns = plans.get(item);
      const shared = Object.entries(codes[0] ?? {}).filter(([name]) => !columns?.has(name));
      const rows = codes.map((code) => Object.fromEntries(Object.entries(code).filter(([name]) => columns?.has(name))));
      return { item: item.id, product_name: item.product_name, ...Object.fromEntries(shared), ...compactRows(rows) };
    }),
  );
};

const sharedKey = (code: Code, columns: ReadonlySet<string> | undefined): string =>
  JSON.stringify(Object.entries(code).filter(([name]) => !columns?.has(name)));

export const itemsOf = ({ items }: Order): OrderItem[] =>
  (Array.isArray(items) ? items.filter(isObject) : []) as OrderItem[];
export const codesOf = ({ license_codes }: OrderItem): LicenseCode[] =>
  Array.isArray(license_codes) ? license_codes : [];
/** A code as in the API docs; any other value becomes its `license_key`. */
export const fieldsOf = (code: unknown): Code => (isObject(code) ? (code as Code) : { license_key: code });
