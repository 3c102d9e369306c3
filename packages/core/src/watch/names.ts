import { objectsIn } from '../base/checks.ts';
import { hash } from '../base/hash.ts';
import { isDocumented, type LicenseCode, type Order, type OrderItem } from '../model/order.ts';
import { readOrderId } from '../model/order-id.ts';

/**
 * Returns the name under which a status is saved. A status that the API docs do not name could contain anything, so
 * only its hash is saved.
 */
export const statusName = (status: unknown): string =>
  isDocumented(status) ? status : `other-${hash(String(status))}`;

/** Returns the rank of a status: 1 for paid, 2 for completed, 0 for any other. */
export const rankOf = (status: string): number => ['bezahlt', 'abgeschlossen'].indexOf(status) + 1;

/** A license code with a name that can be saved. */
export interface NamedCode {
  item: OrderItem;
  code: LicenseCode;
  /** The IDs of the line item and of the code, as in the event's `eventId`. */
  name: string;
}

/** Returns the license codes of an order with their names; a second code with the same ID gets `<ID>.1`. */
export const namedCodes = (order: Order): NamedCode[] => {
  const counts = new Map<string, number>();
  return itemsOf(order).flatMap((item, place) => {
    const itemId = item.id == null ? `at.${place}` : plainId(item.id);
    return codesOf(item).map((code) => {
      const id = code.id == null ? 'code' : plainId(code.id);
      const name = `${itemId}:${id}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return { item, code, name: count === 0 ? name : `${name}.${count}` };
    });
  });
};

const byName = new WeakMap<Order, Map<string, NamedCode>>();

/**
 * Returns the license code with this name. Keeps an index of each order's codes, because an order can have thousands.
 */
export const codeNamed = (order: Order, name = ''): NamedCode | undefined => {
  const codes = byName.get(order) ?? new Map(namedCodes(order).map((named) => [named.name, named]));
  byName.set(order, codes);
  return codes.get(name);
};

/**
 * Returns an ID as text. A string in place of a number could be a license key, so it is hashed unless it has only
 * digits.
 */
const plainId = (id: unknown): string =>
  Number.isSafeInteger(id) ? String(id) : (readOrderId(id) ?? hash(JSON.stringify(id) ?? ''));

/** Whether each item has as many codes as its quantity, which may be a string such as `2,00`. */
export const isComplete = (order: Order): boolean =>
  itemsOf(order).every((item) => codesOf(item).length >= Math.max(1, Number.parseFloat(String(item.menge)) || 0));

const itemsOf = ({ items }: Order): OrderItem[] => objectsIn(items) as unknown as OrderItem[];

const codesOf = ({ license_codes }: OrderItem): LicenseCode[] => objectsIn(license_codes) as unknown as LicenseCode[];
