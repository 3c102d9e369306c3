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

/**
 * Removes the `missing` fields and sets the `nulls` fields to null.
 * @param roots the objects that a path can start with, e.g. `{ order, 'items[]': items }`
 */
export const dropFields = (
  roots: Record<string, unknown>,
  { missing, nulls }: Record<'missing' | 'nulls', readonly string[]>,
) => {
  for (const path of [...missing, ...nulls]) {
    const cut = path.lastIndexOf('.');
    const field = path.slice(cut + 1);
    for (const owner of [roots[path.slice(0, cut)] ?? []].flat() as Record<string, unknown>[]) {
      if (missing.includes(path)) delete owner[field];
      else if (field in owner) owner[field] = null;
    }
  }
};
