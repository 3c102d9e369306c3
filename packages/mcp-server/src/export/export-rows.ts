import { licenseCodeShape, orderShape, orderSummaryShape, type Shape, text } from '@order-license/core/masking';
import type { Order, OrderSummary } from '@order-license/core/portable';
import { showAnswer } from '../answers/masked-answer.ts';
import { codesOf, fieldsOf, itemsOf } from '../answers/order-tables.ts';
import { type CellKind, type CsvForm, cellText, csvLine, protectText } from './csv.ts';

export type What = 'orders' | 'codes';

const { id, bestellnummer, created_at, status, zahlungsstatus, lieferstatus } = orderSummaryShape;
const { id: codeId, license_key, code_typ, aktivierungen_bestellung, ...otherFields } = licenseCodeShape;

/** The columns, with their forms. Fields that core adds later become columns after the ones named here. */
const columns: Record<What, Shape> = {
  orders: { ...{ id, bestellnummer, created_at, status, zahlungsstatus, lieferstatus }, ...orderSummaryShape },
  codes: {
    ...{ bestellnummer, created_at, product_name: text, item: id, code: codeId },
    ...{ license_key, code_typ, aktivierungen_bestellung, ...otherFields },
    // Whether the key in the file differs from the shop's key by added apostrophes.
    key_has_apostrophe: text,
  },
};

const kindOf = ({ is }: Shape[string]): CellKind => (is('free text') ? 'text' : is('0.00') ? 'amount' : 'value');

/**
 * Returns the first line of a file: a byte order mark and the column names. Without the mark, spreadsheets misread
 * umlauts.
 */
export const headOf = (what: What, form?: CsvForm): string => `\uFEFF${csvLine(Object.keys(columns[what]), form)}`;

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
      const key_has_apostrophe = protectText(key) === key ? 'no' : 'yes';
      // The named fields come last, so that fields of the code with the same names do not replace them.
      return { ...fields, bestellnummer, created_at, product_name, item: itemId, code: id, key_has_apostrophe };
    }),
  );
};

export const linesOf = (what: What, rows: readonly Row[], form?: CsvForm): string => {
  const kinds = Object.entries(columns[what]).map(([name, column]) => [name, kindOf(column)] as const);
  return rows
    .map((row) =>
      csvLine(
        kinds.map(([name, kind]) => cellText(row[name], kind, form)),
        form,
      ),
    )
    .join('');
};

/**
 * Returns the first row of an order, for the conversation, with the zone of its time. Omits the license key, and links,
 * which may contain a key.
 */
export const exampleOf = (what: What, order: Order | OrderSummary): Row => {
  const { shown } = showAnswer(order, orderShape, { licenseKeys: true, personalData: true });
  const [row] = rowsOf(what, shown);
  const names = Object.keys(columns[what]).filter((name) => !/key|url/.test(name));
  const example = Object.fromEntries(names.map((name) => [name, row?.[name]]));
  const { created_at } = example;
  return orderSummaryShape.created_at.is?.(created_at) ? { ...example, created_at: `${created_at} UTC` } : example;
};
