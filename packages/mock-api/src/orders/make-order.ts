import { type Json, textOf, wholeNumber } from '../settings/json.ts';
import type { Account } from './accounts.ts';
import { missingUrls } from './license-codes.ts';
import { centsOf, money } from './money.ts';
import { filler, type ItemInput, itemFields, namesIn, numberOf, orderFields, quantityOf } from './order-fields.ts';
import { isEligible, type Status } from './statuses.ts';

/** What is given or generated for an order. Everything else in its responses is made from this. */
export interface GivenOrder {
  id?: number | undefined;
  status?: Status | undefined;
  /** ms since 1970, in whole seconds; `undefined` for an order without a date. */
  createdAt?: number | undefined;
  /** The given fields of the list entry (§2.2). */
  list: Json;
  /** The given fields of the detail (§2.4). */
  detail: Json;
  /** Number of codes delivered so far, whether or not the status allows them to be shown. Default: all. */
  delivered?: number | undefined;
  /** Whether the order comes from a response, in which `code_typ` or `downloads` of an item is a field like any other. */
  isResponse?: boolean | undefined;
}

/** What lists are sorted and filtered by. A seeded order has no other fields until it is read. */
export interface Listed {
  /** Name of the account that the order belongs to. */
  account: string;
  id: number;
  /** At run time, a given order can have any other status text. */
  status: Status;
  /** ms since 1970, whole seconds. */
  createdAt: number;
  /** The order's index among the seeded orders of its account, 0 for the newest; absent for a given order. */
  index?: number | undefined;
}

/** A stored order. Its documents also have the fields that never change unless they are given: order number and address. */
export type Order = GivenOrder &
  Listed & {
    /** Whether the order was paid when its items were given: if so, an item that has no license codes never gets any. */
    wasPaid: boolean;
  };

/** An order with the items and license codes that its fields are made from. */
export interface FullOrder extends Order {
  /** The items with the given `license_codes`. */
  items: unknown;
  /**
   * The `license_codes` of each item once the order is paid: codes without their generated fields, or any other given
   * value.
   */
  codes: readonly unknown[];
  delivered: number;
  /** Number of codes when all are delivered. */
  planned: number;
}

/** Maximum number of codes that are generated for an item whose `license_codes` are omitted. */
export const maxMadeUpCodes = 1024;

/**
 * Returns the first ID for the items or codes of an order. It stays well below 2^53, so that no two of them round to the
 * same number.
 * @param size how many IDs each order reserves
 */
export const idBelow = (orderId: number, size: number): number => (1 + ((orderId - 1) % (2 ** 52 / size))) * size;

const listNames = namesIn(orderFields, 'list');
const detailNames = namesIn(orderFields, 'detail');
const fillItem = filler<{ id: number }>(itemFields);

/** Assigns hand-written fields to the two documents. A field that the API docs don't name belongs to both. */
export const givenBy = ({ delivered, ...fields }: Json): GivenOrder => ({
  list: only(fields, (name) => !detailNames.includes(name) || listNames.includes(name)),
  detail: only(fields, (name) => !listNames.includes(name) || detailNames.includes(name)),
  delivered: wholeNumber(delivered) as number | undefined,
});

/** Adds to each document the fields that only the other one was given. */
export const completed = (order: GivenOrder): GivenOrder => ({
  ...order,
  list: { ...only(order.detail, (name) => listNames.includes(name)), ...order.list },
  detail: { ...only(order.list, (name) => detailNames.includes(name)), ...order.detail },
});

export const only = (fields: Json, isWanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));

/** Returns an order as it is stored: a pure function of what is given, of its ID and of its account. */
export const makeOrder = (listed: Listed, given: GivenOrder, { name, company }: Account): Order => {
  const bestellnummer = numberOf(listed);
  const address = { name, company, street: 'Hauptstraße 1', postal_code: '01067', city: 'Dresden', country: 'DE' };
  return {
    ...given,
    ...listed,
    list: { bestellnummer, ...given.list },
    detail: { bestellnummer, billing_address: address, ...given.detail },
    wasPaid: isEligible(listed.status),
  };
};

/** Makes the items of an order and their license codes. Items that aren't a list stay as they are. */
export const withItems = (order: Order): FullOrder => {
  const { list, detail } = order;
  const stated = centsOf(list.gesamtpreis_brutto) ?? centsOf(detail.gesamtpreis_brutto);
  // An order without items has one item at the order's price.
  const { items = [stated === undefined ? {} : { einzelpreis_brutto: money(stated) }] } = detail;
  const made = Array.isArray(items) ? items.map((item: Json, n) => makeItem(item, n, order)) : [];
  const codes = made.map(({ codes }) => codes);
  const planned = codes.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0);
  const filled = Array.isArray(items) ? made.map(({ item }) => item) : items;
  return { ...order, items: filled, codes, planned, delivered: order.delivered ?? planned };
};

/** Makes an item, and its codes without the fields that depend on the item's ID. */
const makeItem = (
  given: ItemInput,
  index: number,
  { id, wasPaid, isResponse }: Order,
): { item: Json; codes: unknown } => {
  // In a response, the fields that describe the codes of a hand-written item are fields like any other.
  const { code_typ, aktivierungen_bestellung, downloads = 'both', ...rest }: ItemInput = isResponse ? {} : given;
  const fields = (isResponse ? given : rest) as Json;
  const item = fillItem({ id: idBelow(id, 64) + index }, fields);
  const { license_codes } = fields;
  const isVolume = code_typ === 'volumen';
  // A credit note has negative quantities.
  const units = Math.max(0, quantityOf(item));
  const common = {
    code_typ: textOf(code_typ ?? 'retail'),
    aktivierungen_bestellung: Number(wholeNumber(aktivierungen_bestellung) ?? (isVolume ? units : 1)),
  };
  const urls = downloads === 'all' ? Object.values(missingUrls) : [missingUrls[downloads]];
  const formOf = (n: number): Json => ({ ...common, ...urls[n % urls.length] });
  const isNone = license_codes === null || (Array.isArray(license_codes) && license_codes.length === 0);
  const madeUp = code_typ === null ? 0 : Math.min(units, isVolume ? 1 : maxMadeUpCodes);
  // An unpaid order shows no codes, so an empty list doesn't mean that it never gets any.
  const codes = wholeNumber(license_codes === undefined || (isNone && !wasPaid) ? madeUp : license_codes);
  if (typeof codes === 'number') return { item, codes: Array.from({ length: codes }, (_, n) => formOf(n)) };
  return { item, codes: Array.isArray(codes) ? codes.map((code: Json, n) => ({ ...formOf(n), ...code })) : codes };
};
