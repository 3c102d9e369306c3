import { licenseCodeShape, orderShape, orderSummaryShape } from '@order-license/core/masking';
import type { Order, OrderSummary } from '@order-license/core/portable';
import { showAnswer } from '../answers/masked-answer.ts';
import { codesOf, fieldsOf, itemsOf } from '../answers/order-codes.ts';
import { csvLine, isEscaped } from './csv.ts';

export type What = 'orders' | 'codes';

// A field that is new in core comes after those named here.
const orderColumns = [
  ...new Set([
    ...['id', 'bestellnummer', 'created_at', 'status', 'zahlungsstatus', 'lieferstatus'],
    ...Object.keys(orderSummaryShape),
  ]),
];
const { id: _, ...codeFields } = licenseCodeShape;
/** Says last whether the key got an apostrophe, and so is not as the shop sent it. */
const codeColumns = [
  ...new Set([
    ...['bestellnummer', 'created_at', 'product_name', 'item', 'code', 'license_key', 'code_typ'],
    ...['aktivierungen_bestellung', ...Object.keys(codeFields)],
  ]),
  'key_has_apostrophe',
];
const columns = { orders: orderColumns, codes: codeColumns };

/** A byte order mark, without which spreadsheets misread umlauts, and the names of the columns. */
export const headOf = (what: What): string => `\uFEFF${csvLine(columns[what])}`;

type Row = Record<string, unknown>;

/** An order, whole or as a list entry: a row of its own, or one for each of its codes. */
export const rowsOf = (what: What, order: Order | OrderSummary): Row[] => {
  if (what === 'orders') return [{ ...order }];
  return itemsOf(order as Order).flatMap((item) =>
    codesOf(item).map((code) => {
      const { id, ...fields } = fieldsOf(code);
      const { product_name, id: itemId } = item;
      const key_has_apostrophe = isEscaped(String(fields.license_key)) ? 'yes' : 'no';
      return { ...order, ...fields, product_name, item: itemId, code: id, key_has_apostrophe };
    }),
  );
};

export const linesOf = (what: What, rows: readonly Row[]): string =>
  rows.map((row) => csvLine(columns[what].map((name) => row[name]))).join('');

/** The first row of an order, for the conversation: without a license key, and without links, which may hold one. */
export const exampleOf = (what: What, order: Order | OrderSummary): Row => {
  const { shown } = showAnswer(order, orderShape, { licenseKeys: true, personalData: true });
  const [row] = rowsOf(what, shown as Order);
  const names = columns[what].filter((name) => !/key|url/.test(name));
  return Object.fromEntries(names.map((name) => [name, row?.[name]]));
};
