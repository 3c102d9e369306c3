type Json = Record<string, unknown>;

/** Returns the rows of a table as objects. */
export const rowsOf = (table: unknown): Json[] => {
  const { same, columns, rows } = table as { same?: Json; columns: string[]; rows: unknown[][] };
  return rows.map((row) => ({
    ...same,
    ...Object.fromEntries(columns.map((name, index) => [name, row[index]])),
  }));
};

/** The tables of orders, as `order_license_get_order` returns them. */
export interface OrderTables {
  items?: unknown;
  license_codes?: unknown;
}

/** The fields of codes that are in the item's row if they are the same for all codes of each item. */
const sharedFields = ['code_typ', 'download_url_64', 'download_url_32', 'aktivierungen_bestellung'];

/** Returns the rows of license codes, each with the fields that are in the row of its item. */
export const codeRowsOf = ({ items, license_codes }: OrderTables): Json[] => {
  const byId = new Map(rowsOf(items).map((item) => [item.id, item]));
  return rowsOf(license_codes).map((code) => {
    const shared = Object.entries(byId.get(code.item) ?? {}).filter(([name]) => sharedFields.includes(name));
    return { ...Object.fromEntries(shared), ...code };
  });
};

/** Returns an item's row without the fields of its codes. */
export const ownFieldsOf = (item: Json): Json =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !sharedFields.includes(name)));
