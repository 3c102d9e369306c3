/**
 * The fields that the API docs name, by object (§2). The readers of orders, the settings and the test of openapi.yaml
 * use them.
 */
export const documentedFields = {
  me: ['user_id', 'email', 'name', 'company', 'vat_id', 'api_version'],
  'orders[]': [
    ...(['id', 'bestellnummer', 'status', 'zahlungsstatus', 'gesamtpreis_brutto', 'waehrung', 'created_at'] as const),
    'lieferstatus',
  ],
  pagination: ['page', 'per_page', 'total', 'pages'],
  order: ['id', 'bestellnummer', 'status', 'gesamtpreis_brutto', 'waehrung', 'items', 'billing_address'],
  'items[]': ['id', 'product_name', 'menge', 'einzelpreis_brutto', 'license_codes'],
  'license_codes[]': [
    ...(['id', 'license_key', 'code_typ', 'download_url_64', 'download_url_32', 'aktivierungen_bestellung'] as const),
  ],
} as const;

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
