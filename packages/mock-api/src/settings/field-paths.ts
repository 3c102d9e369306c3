/** The fields that `missing` and `nulls` can name. */
export const fieldPaths = [
  ...['user_id', 'email', 'name', 'company', 'vat_id', 'api_version'].map((field) => `me.${field}`),
  ...['id', 'bestellnummer', 'status', 'zahlungsstatus', 'gesamtpreis_brutto', 'waehrung', 'created_at'].map(
    (field) => `orders[].${field}`,
  ),
  'orders[].lieferstatus',
  ...['page', 'per_page', 'total', 'pages'].map((field) => `pagination.${field}`),
  ...['id', 'bestellnummer', 'status', 'gesamtpreis_brutto', 'waehrung', 'items', 'billing_address'].map(
    (field) => `order.${field}`,
  ),
  ...['id', 'product_name', 'menge', 'einzelpreis_brutto', 'license_codes'].map((field) => `items[].${field}`),
  ...['id', 'license_key', 'code_typ', 'download_url_64', 'download_url_32', 'aktivierungen_bestellung'].map(
    (field) => `license_codes[].${field}`,
  ),
] as const;

/**
 * Removes fields and sets fields to null.
 * @param roots the objects for the start of a path, e.g. `{ order, 'items[]': items }`
 */
export const dropFields = (
  roots: Record<string, unknown>,
  missing: readonly string[],
  nulls: readonly string[],
): void => {
  const edit = (path: string, change: (owner: Record<string, unknown>, field: string) => void): void => {
    const cut = path.lastIndexOf('.');
    const owners = roots[path.slice(0, cut)];
    const field = path.slice(cut + 1);
    for (const owner of Array.isArray(owners) ? owners : owners ? [owners] : []) change(owner, field);
  };
  for (const path of missing) edit(path, (owner, field) => delete owner[field]);
  for (const path of nulls) {
    edit(path, (owner, field) => {
      if (field in owner) owner[field] = null;
    });
  }
};
