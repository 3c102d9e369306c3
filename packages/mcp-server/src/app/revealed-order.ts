import { orderShape } from '@order-license/core/masking';
import type { Order } from '@order-license/core/portable';
import { compactRows } from '../answers/compact-rows.ts';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf } from '../answers/order-codes.ts';

/** The fields of a code that the card shows. */
const fields = ['license_key', 'code_typ', 'aktivierungen_bestellung', 'download_url_64', 'download_url_32'];

/** An order's license codes for a person; masked personal data stays masked. */
export const revealedOrder = (order: Order, { personalData }: Masking): object => {
  const shown = showAnswer(order, orderShape, { licenseKeys: false, personalData }).shown as Order;
  const items = itemsOf(shown).map((item) => ({
    product_name: item.product_name,
    menge: item.menge,
    ...compactRows(codesOf(item).map(pick)),
  }));
  return { id: order.id, codes: countCodes(order), items };
};

const pick = (code: unknown): object => {
  const all = fieldsOf(code);
  return Object.fromEntries(fields.map((name) => [name, all[name] ?? null]));
};
