import { type Json, parseExact, textOf } from '../settings/json.ts';
import type { CodeDraft, KeySource } from './license-codes.ts';
import { idBelow, type Order } from './make-order.ts';
import { codeFields, type Field, filler, orderFields } from './order-fields.ts';
import { isEligible } from './statuses.ts';

/** An order as lists show it under default settings. */
export type OrderEntry = Omit<Order, 'detail' | 'codes' | 'total' | 'index'>;

const following = Object.entries<Field>(orderFields).flatMap(([name, { follows }]) =>
  follows ? [{ name, follows }] : [],
);
const fillCode = filler<CodeDraft>(codeFields);

/** Completes a document with the fields that follow changes, and hides license codes until the order is paid. */
const fieldsOf = (order: Order, document: Json): Json => {
  const shown = { ...document };
  for (const { name, follows } of following)
    if (name in shown && shown[name] === undefined) shown[name] = follows(order);
  if (isEligible(order.status)) return shown;
  const canHaveCodes = 'license_codes' in shown || Object.values(shown).some((value) => typeof value === 'object');
  return canHaveCodes ? withoutCodes(shown) : shown;
};

/** Copies a document without license codes, whatever form they have and wherever they are (§3). */
const withoutCodes = (document: Json): Json => {
  const replaced = (name: string, value: unknown): unknown => (name === 'license_codes' && value !== null ? [] : value);
  return parseExact(JSON.stringify(document, replaced)) as Json;
};

/** Returns an order as lists show it (§2.2). */
export const entryOf = (order: Order): OrderEntry => {
  const { account, id, status, createdAt, delivered, planned } = order;
  return { account, id, status, createdAt, delivered, planned, list: fieldsOf(order, order.list) };
};

/** Returns the detail of an order (§2.4), with the codes that are delivered and that the status allows. */
export const detailOf = (order: Order, source: KeySource): Json => {
  const detail = fieldsOf(order, order.detail);
  const { items } = detail;
  if (!isEligible(order.status) || !Array.isArray(items)) return detail;
  const firstId = idBelow(order.id, 1024);
  let left = order.delivered;
  let serial = 0;
  detail.items = items.map((item: Json, n) => {
    const codes = order.codes[n];
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
