import { type Json, parseExact, textOf } from '../settings/json.ts';
import type { CodeDraft, KeySource } from './license-codes.ts';
import { type FullOrder, idBelow, type Order, withItems } from './make-order.ts';
import { codeFields, filler, orderFields } from './order-fields.ts';
import { isEligible } from './statuses.ts';

/** An order as lists show it under default settings. */
export type OrderEntry = Pick<FullOrder, 'account' | 'id' | 'status' | 'createdAt' | 'delivered' | 'planned' | 'list'>;

const fillList = filler<FullOrder>(orderFields, 'list');
const fillDetail = filler<FullOrder>(orderFields, 'detail');
const fillCode = filler<CodeDraft>(codeFields);

/**
 * Returns a document as the order's status allows: until the order is paid, without license codes, whatever form they
 * have and wherever they are (§3).
 */
const allowed = (order: Order, document: Json): Json => {
  if (isEligible(order.status)) return document;
  const replaced = (name: string, value: unknown): unknown => (name === 'license_codes' && value !== null ? [] : value);
  return parseExact(JSON.stringify(document, replaced)) as Json;
};

/** Returns an order as lists show it (§2.2). */
export const entryOf = (order: Order): OrderEntry => {
  const full = withItems(order);
  const { account, id, status, createdAt, delivered, planned } = full;
  return { account, id, status, createdAt, delivered, planned, list: allowed(order, fillList(full, order.list)) };
};

/** Returns the detail of an order (§2.4), with the codes that are delivered and that the status allows. */
export const detailOf = (order: Order, source: KeySource): Json => {
  const full = withItems(order);
  const detail = allowed(order, fillDetail(full, { ...order.detail, items: full.items }));
  const { items } = detail;
  if (!isEligible(order.status) || !Array.isArray(items)) return detail;
  const firstId = idBelow(order.id, 1024);
  let left = full.delivered;
  let serial = 0;
  detail.items = items.map((item: Json, n) => {
    const codes = full.codes[n];
    if (!Array.isArray(codes)) return { ...item, license_codes: codes };
    const common = { source, orderId: order.id, itemId: item.id };
    const shown = codes.slice(0, left).map((code: Json, index) => {
      const number = serial + index;
      return fillCode({ ...common, id: firstId + number, serial: number, codeType: textOf(code.code_typ) }, code);
    });
    serial += codes.length;
    left -= shown.length;
    return { ...item, license_codes: shown };
  });
  return detail;
};
