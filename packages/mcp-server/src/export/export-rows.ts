import { listOf, orderShape, orderSummaryShape } from '@order-license/core/masking';
import type { Order, OrderSummary } from '@order-license/core/portable';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { codesOf, fieldsOf, matchingItems } from '../answers/order-codes.ts';
import { csvLine, isEscaped } from './csv.ts';

export type What = 'orders' | 'codes';

const orderColumns = [
  ...['id', 'bestellnummer', 'created_at', 'status', 'zahlungsstatus', 'lieferstatus'],
  ...['gesamtpreis_brutto', 'waehrung'],
];
const codeFields = ['license_key', 'code_typ', 'aktivierungen_bestellung', 'download_url_64', 'download_url_32'];

export const columnsOf: Readonly<Record<What, readonly string[]>> = {
  orders: orderColumns,
  // Says whether the key got an apostrophe, and so is not as the shop sent it.
  codes: ['bestellnummer', 'created_at', 'product_name', 'item', 'code', ...codeFields, 'key_has_apostrophe'],
};

/** A byte order mark, without which spreadsheets misread umlauts, and the names of the columns. */
export const headOf = (what: What): string => `\uFEFF${csvLine(columnsOf[what])}`;

type Row = Record<string, unknown>;
export const lineOf = (what: What, row: Row): string => csvLine(columnsOf[what].map((name) => row[name]));

/** The rows of list entries, with what the settings mask masked. */
export const orderRows = (orders: readonly OrderSummary[], masking: Masking): Row[] => {
  const { shown } = showAnswer({ orders }, { orders: listOf(orderSummaryShape) }, masking);
  return (shown as { orders: Row[] }).orders;
};

/** The rows of the license codes of an order, with what the settings mask masked. */
export const codeRows = (order: Order, product: string | undefined, masking: Masking): Row[] => {
  const shown = showAnswer(order, orderShape, masking).shown as Order;
  return matchingItems(shown, product).flatMap((item) =>
    codesOf(item).map((code): Row => {
      const { id, ...fields } = fieldsOf(code);
      const { bestellnummer, created_at } = shown;
      const { product_name } = item;
      return {
        ...fields,
        ...{ bestellnummer, created_at, product_name, item: item.id, code: id },
        key_has_apostrophe: isEscaped(String(fields.license_key)) ? 'yes' : 'no',
      };
    }),
  );
};

const everything: Masking = { licenseKeys: true, personalData: true };

/** A first row for the conversation: without a license key, and without links, which may hold one. */
export const firstRow = (order: Order, product: string | undefined): Row | undefined => {
  const [row] = codeRows(order, product, everything);
  if (!row) return undefined;
  const { license_key, download_url_64, download_url_32, key_has_apostrophe, ...rest } = row;
  return Object.fromEntries(columnsOf.codes.filter((name) => name in rest).map((name) => [name, rest[name]]));
};
