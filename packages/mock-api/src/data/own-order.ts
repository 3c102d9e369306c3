import type { Json } from '../json.ts';
import { centsOf } from './money.ts';
import { type Given, isEligible, type Line, type Order, type Status, sumUp } from './order.ts';
import { type CodeType, products } from './products.ts';
import { lineOf } from './seed.ts';

/** At most so many codes of an item are made up. */
const maxMadeUpCodes = 1024;

/**
 * Returns an order with the given fields, as far as they can be read: the mock needs amounts, items and quantities for
 * what it makes up and for settings that change the form of a value.
 * @param base the seeded order, or one that is made up
 * @param delivered number of codes delivered so far. Default: all
 */
export const withGiven = (base: Order, given: Given, status: Status, delivered?: number): Order => {
  const fields: Json = { ...given.list, ...given.detail };
  const total = centsOf(given.list.gesamtpreis_brutto) ?? centsOf(fields.gesamtpreis_brutto);
  const lines = linesOf(base, fields, given, total);
  const sums = lines === base.lines ? base : sumUp(lines);
  const { bestellnummer, waehrung } = fields;
  const { zahlungsstatus } = given.list;
  return {
    ...base,
    given,
    status,
    lines,
    plannedCodes: sums.plannedCodes,
    totalCents: total ?? sums.totalCents,
    delivered: delivered ?? (lines === base.lines ? base.delivered : sums.plannedCodes),
    ...(typeof bestellnummer === 'string' && { number: bestellnummer }),
    ...(typeof waehrung === 'string' && { currency: waehrung }),
    ...(zahlungsstatus !== undefined && { paymentStatus: zahlungsstatus as string | null }),
  };
};

const linesOf = (base: Order, { items }: Json, given: Given, total: bigint | undefined): readonly Line[] => {
  if (Array.isArray(items)) {
    const isPaid = isEligible((given.status ?? 'abgeschlossen') as Status);
    return items.map((item: Json, n) => lineOfItem(item, base.id * 64 + n, isPaid));
  }
  if (items !== undefined) return [];
  // A list entry has no items, so its detail shows one item at its price.
  return base.lines.length > 0
    ? base.lines
    : [{ ...madeUpLine(base.id * 64), ...(total !== undefined && { cents: total }) }];
};

const madeUpLine = (id: number): Line => lineOf(products[0], id, 1);

const lineOfItem = (given: Json, id: number, isPaid: boolean): Line => {
  const { license_codes: codes, product_name, menge, einzelpreis_brutto, downloads, aktivierungen_bestellung } = given;
  const firstType = Array.isArray(codes)
    ? codes.find((code: Json) => code.code_typ !== undefined)?.code_typ
    : undefined;
  const codeType = given.code_typ === null ? undefined : String(given.code_typ ?? firstType ?? 'retail');
  const quantity = /^\d{1,15}$/.test(String(menge)) ? Number(menge) : 1;
  const line = lineOf({ ...products[0], codeType: codeType as CodeType | undefined }, id, quantity);
  if (/^[1-9]\d{0,14}$/.test(String(given.id))) line.id = Number(given.id);
  if (typeof product_name === 'string') line.productName = product_name;
  line.cents = centsOf(einzelpreis_brutto) ?? line.cents;
  line.codeCount = typeof codes === 'number' ? codes : Math.min(line.codeCount, maxMadeUpCodes);
  if (aktivierungen_bestellung !== undefined) line.activations = Number(aktivierungen_bestellung);
  if (downloads !== undefined) line.downloads = downloads as Line['downloads'];
  line.given = given;
  const known = Array.isArray(codes) ? codes : [];
  if (known.length === 0 && (!isPaid || codes === undefined || typeof codes === 'number')) return line;
  return { ...line, codes: known, codeCount: known.length };
};
