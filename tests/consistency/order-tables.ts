import { codeRowsOf, type Json, ownFieldsOf, rowsOf } from '../servers/mcp-rows.ts';

/** The part of a `order_license_get_order` result that is needed here. */
export interface OrderPart extends Json {
  orders: unknown;
  items: unknown;
  license_codes: unknown;
  continue?: Json;
}

/** Joins the parts of one order into the object that the API sends. Only the field order can differ. */
export const joinParts = (parts: readonly OrderPart[]): object => {
  const [order] = parts.flatMap(({ orders }) => rowsOf(orders));
  const items = new Map(parts.flatMap((part) => rowsOf(part.items)).map((item) => [item.id, item]));
  const codes = parts.flatMap(codeRowsOf);
  const whole = [...items.values()].map(ownFieldsOf).map(({ order: _, number_of_codes, ...item }) => {
    const own = codes.filter((code) => code.item === item.id).map(({ item: _, ...code }) => code);
    if (own.length !== (number_of_codes ?? 0)) throw new Error('The number of codes differs from the announced one.');
    return number_of_codes === undefined ? item : { ...item, license_codes: own };
  });
  return { ...order, items: whole };
};
