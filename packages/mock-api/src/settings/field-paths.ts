import { codeFields, itemFields, namesIn, orderFields } from '../orders/order-fields.ts';

/** The fields that the API docs name, by object (§2). */
export const documentedFields: Readonly<Record<string, readonly string[]>> = {
  me: ['user_id', 'email', 'name', 'company', 'vat_id', 'api_version'],
  'orders[]': namesIn(orderFields, 'list'),
  pagination: ['page', 'per_page', 'total', 'pages'],
  order: namesIn(orderFields, 'detail'),
  'items[]': namesIn(itemFields),
  'license_codes[]': namesIn(codeFields),
};

/** The fields that `missing` and `nulls` can name. */
export const fieldPaths: readonly string[] = Object.entries(documentedFields).flatMap(([owner, fields]) =>
  fields.map((field) => `${owner}.${field}`),
);
