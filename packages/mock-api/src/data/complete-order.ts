import { utcText } from '../limit/utc-time.ts';
import { type Json, textOf, wholeNumber } from '../settings/json.ts';
import { centsOf, money } from './money.ts';
import type { Order } from './order.ts';
import type { ItemInput } from './order-input.ts';
import { firstId, products, seededFields } from './seed.ts';

/**
 * Returns the first ID for the items or codes of an order. It stays well below 2^53, so that no two of them round to the
 * same number.
 * @param size how many IDs each order reserves
 */
export const idBelow = (orderId: number, size: number): number => (1 + ((orderId - 1) % (2 ** 52 / size))) * size;

/** Maximum number of codes that are generated for an item. */
const maxMadeUpCodes = 1024;

/** An item with its generated fields and the description of its license codes. */
export interface Item {
  /**
   * The fields in their default format, without the license codes: `license_codes` is an empty list, or null if it is
   * null in the input.
   */
  fields: Json;
  cents: bigint;
  quantity: number;
  /** The type of generated codes; `undefined` for goods without codes. */
  codeType: string | undefined;
  downloads: NonNullable<ItemInput['downloads']>;
  /** Number of activations of each code. */
  activations: number;
  /** Number of codes when all are delivered. */
  codeCount: number;
  /** The given codes, in the given order; their missing fields are generated. */
  codes: readonly Json[];
}

/** The parts of an order that lists need. */
export interface OrderSummary extends Order {
  /** The given total, or the sum of the items. */
  totalCents: bigint;
  /** Number of codes when all are delivered. */
  plannedCodes: number;
  /** Number of codes delivered so far. An item receives codes only after all items before it have theirs. */
  delivered: number;
  onInvoice: boolean;
  bestellnummer: string;
  waehrung: string;
  /** The total and the date in their default format, as text. */
  gesamtpreis_brutto: string;
  created_at: string;
}

/**
 * An order with all its given, seeded and generated fields, except license keys: these are generated for each response.
 */
export interface CompleteOrder extends OrderSummary {
  items: readonly Item[];
}

/** @param seed the state's seed */
export const completeOrder = (order: Order, seed: number): CompleteOrder => {
  const { id, createdAt, index, given } = order;
  const seeded = index === undefined ? {} : seededFields(seed, id, index);
  const fields: Json = { ...given?.list, ...given?.detail };
  const stated = centsOf(given?.list.gesamtpreis_brutto) ?? centsOf(fields.gesamtpreis_brutto);
  const isSeeded = fields.items === undefined && seeded.items !== undefined;
  // An order given only as a list entry has no items, so its detail shows one item at the order's price.
  const atPrice = stated === undefined ? {} : { einzelpreis_brutto: money(stated) };
  const inputs = fields.items ?? (fields.items === undefined ? (seeded.items ?? [atPrice]) : []);
  const items = Array.isArray(inputs) ? inputs.map((item: Json, n) => completeItem(item, idBelow(id, 64) + n)) : [];
  const totalCents = stated ?? items.reduce((sum, { cents, quantity }) => sum + cents * BigInt(quantity), 0n);
  const plannedCodes = items.reduce((sum, { codeCount }) => sum + codeCount, 0);
  return {
    ...order,
    items,
    totalCents,
    plannedCodes,
    delivered: order.delivered ?? (isSeeded ? seeded.delivered : undefined) ?? plannedCodes,
    onInvoice: 'onInvoice' in seeded,
    bestellnummer: typeof fields.bestellnummer === 'string' ? fields.bestellnummer : numberOf(id, createdAt),
    waehrung: typeof fields.waehrung === 'string' ? fields.waehrung : (seeded.waehrung ?? 'EUR'),
    gesamtpreis_brutto: money(totalCents) as string,
    created_at: utcText(createdAt),
  };
};

/** Generates an order number such as `B-2026-000042`, which is unique across accounts. */
const numberOf = (id: number, createdAt: number): string => {
  // Inserted orders can have IDs below `firstId`; a different letter keeps their numbers unique.
  const [letter, run] = id < firstId ? ['A', id] : ['B', id - firstId + 1];
  return `${letter}-${utcText(createdAt).slice(0, 4)}-${String(run).padStart(6, '0')}`;
};

/** @param given the item's fields; `downloads` is already checked */
const completeItem = (given: Json, id: number): Item => {
  const { code_typ, aktivierungen_bestellung, downloads = 'both', ...rest } = given as ItemInput;
  const { license_codes: givenCodes, ...stated } = rest;
  const license_codes = wholeNumber(givenCodes) as typeof givenCodes;
  const codes = Array.isArray(license_codes) ? (license_codes as Json[]) : [];
  const fields: Json = {
    id,
    product_name: products[0].product_name,
    menge: 1,
    einzelpreis_brutto: products[0].einzelpreis_brutto,
    license_codes: license_codes === null ? null : [],
    ...stated,
  };
  const firstType = codes.find((code) => code.code_typ !== undefined)?.code_typ;
  const codeType = code_typ === null ? undefined : textOf(code_typ ?? firstType ?? 'retail');
  const menge = textOf(fields.menge);
  const quantity = /^-?\d{1,15}$/.test(menge) ? Number(menge) : 1;
  const isVolume = codeType === 'volumen';
  // A credit note has negative quantities.
  const units = Math.max(0, quantity);
  const madeUp = codeType === undefined ? 0 : Math.min(units, isVolume ? 1 : maxMadeUpCodes);
  return {
    fields,
    cents: centsOf(fields.einzelpreis_brutto) ?? (centsOf(products[0].einzelpreis_brutto) as bigint),
    quantity,
    codeType,
    downloads,
    activations: Number(wholeNumber(aktivierungen_bestellung) ?? (isVolume ? units : 1)),
    codeCount: license_codes === undefined ? madeUp : typeof license_codes === 'number' ? license_codes : codes.length,
    codes,
  };
};
