import { objectsIn, textOf } from '../base/checks.ts';
import { hash } from '../base/hash.ts';
import { hasLicenseCodes, type LicenseCode, type Order, type OrderItem } from './order.ts';
import { readOrderId } from './order-id.ts';

/** A license code with a name that contains no license key, so that it can be saved. */
export interface NamedCode {
  item: OrderItem;
  code: LicenseCode;
  /** The IDs of the line item and of the code, as in the event's `eventId`. */
  name: string;
}

/** Returns the license codes of an order with their names. A second code with the same name gets `.1` at the end. */
export const namedCodes = ({ items }: Order): NamedCode[] => {
  const counts = new Map<string, number>();
  return objectsIn<OrderItem>(items).flatMap((item, place) => {
    const itemId = plainId(item.id ?? `at.${place}`);
    return objectsIn<LicenseCode>(item.license_codes).map((code) => {
      const name = `${itemId}:${plainId(code.id ?? 'code')}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return { item, code, name: count === 0 ? name : `${name}.${count}` };
    });
  });
};

/**
 * Returns an ID as text. A string in place of a number could be a license key, so it is hashed unless it has only
 * digits.
 */
const plainId = (id: unknown): string =>
  Number.isSafeInteger(id) ? String(id) : (readOrderId(id) ?? longHash(textOf(id)));

/** Returns a 64-bit hash, so that two codes of an order are very unlikely to get the same name. */
const longHash = (text: string): string => hash(text) + hash(`2${text}`);

/**
 * Returns how many units of a paid or completed order have no license code yet; 0 for an order in another status (§3).
 * An item counts as at least one unit. The API does not say which products have codes, so the units of a product that
 * is delivered without codes stay missing forever.
 */
export const missingCodes = ({ status, items }: Order): number => {
  if (!hasLicenseCodes(status)) return 0;
  return objectsIn<OrderItem>(items).reduce(
    (missing, item) => missing + Math.max(0, unitsOf(item) - objectsIn(item.license_codes).length),
    0,
  );
};

/** Returns the quantity of an item, which may be a string such as `2,00`; at least 1. */
const unitsOf = ({ menge }: OrderItem): number => Math.max(1, Math.ceil(Number.parseFloat(textOf(menge))) || 0);
