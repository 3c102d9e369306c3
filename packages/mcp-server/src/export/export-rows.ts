import { licenseCodeShape, orderShape, orderSummaryShape } from '@order-license/core/masking';
import type { Order, OrderSummary } from '@order-license/core/portable';
import { showAnswer } from '../answers/masked-answer.ts';
import { codesOf, fieldsOf, itemsOf } from '../answers/order-codes.ts';
import { csvLine, escapeFormulas } from './csv.ts';

export type What = 'orders' | 'codes';

// Fields that core adds later become columns after the ones named here.
const orderColumns = [
  ...new Set([
    ...['id', 'bestellnummer', 'created_at', 'status', 'zahlungsstatus', 'lieferstatus'],
    ...Object.keys(orderSummaryShape),
  ]),
];
const { id: _, ...codeFields } = licenseCodeShape;
/**
 * The columns for license codes. The last column tells whether the key in the file differs from the shop's key by
 * added apostrophes.
 */
const codeColumns = [
  ...new Set([
    ...['bestellnummer', 'created_at', 'product_name', 'item', 'code', 'license_key', 'code_typ'],
    ...['aktivierungen_bestellung', ...Object.keys(codeFields)],
  ]),
  'key_has_apostrophe',
];
const columns = { orders: orderColumns, codes: codeColumns };

/**
 * Returns the first line of a file: a byte order mark and the column names. Without the mark, spreadsheets misread
 * umlauts.
 */
export const headOf = (what: What): string => `\uFEFF${csvLine(columns[what])}`;

type Row = Record<string, unknown>;

/** Returns the rows for a complete order or a list entry: one for the order, or one for each of its codes. */
export const rowsOf = (what: What, order: Order | OrderSummary): Row[] => {
  if (what === 'orders') return [{ ...order }];
  const { bestellnummer, created_at } = order as OrderSummary;
  return itemsOf(order as Order).flatMap((item) =>
    codesOf(item).map((code) => {
      const { id, ...fields } = fieldsOf(code);
      const { product_name, id: itemId } = item;
      const key = String(fields.license_key);
      const key_has_apostrophe = escapeFormulas(key) === key ? 'no' : 'yes';
      // The named fields come last, so that fields of the code with the same names do not replace them.
      return { ...fields, bestellnummer, created_at, product_name, item: itemId, code: id, key_has_apostrophe };
    }),
  );
};

export const linesOf = (what: What, rows: readonly Row[]): string =>
  rows.map((row) => csvLine(columns[what].map((name) => row[name]))).join('');

/**
 * Returns the first row of an order, for the conversation. Omits the license key, and links, which may contain a key.
 */
export const exampleOf = (what: What, order: Order | OrderSummary): Row => {
  const { shown } = showAnswer(order, orderShape, { licenseKeys: true, personalData: true });
  const [row] = rowsOf(what, shown as Order);
  const names = columns[what].filter((name) => !/key|url/.test(name));
  return Object.fromEntries(names.map((name) => [name, row?.[name]]));
};
