import { codeFields, type Fields, itemFields, orderFields } from '../orders/order-fields.ts';
import type { Json } from '../settings/json.ts';

const exampleOf = (fields: Fields): Json =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
  );

const { billing_address, ...entry } = exampleOf(orderFields);

/** The example body for an order in `GET /__mock`, with every field that a caller can set. */
export const orderExample: Json = {
  ...entry,
  items: [{ ...exampleOf(itemFields), license_codes: [exampleOf(codeFields)] }],
  billing_address,
};
