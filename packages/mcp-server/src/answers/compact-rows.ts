export interface CompactRows {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** Names of the values of a row. */
  columns: string[];
  rows: unknown[][];
}

/** Fields that identify a row; these are never shared. */
const keyFields = ['id', 'bestellnummer', 'license_key'];

/**
 * Returns objects as rows of values, with the fields that all of them share stated once. A missing field is null in its
 * row.
 */
export const compactRows = (objects: readonly object[]): CompactRows => {
  const entries = objects.map((object) => object as Record<string, unknown>);
  const names = [...new Set(entries.flatMap(Object.keys))];
  const isSame = (name: string): boolean => {
    if (entries.length < 2 || keyFields.includes(name)) return false;
    const first = JSON.stringify(entries[0]?.[name]);
    return entries.every((entry) => Object.hasOwn(entry, name) && JSON.stringify(entry[name]) === first);
  };
  const same = names.filter(isSame);
  const columns = names.filter((name) => !same.includes(name));
  return {
    ...(same.length > 0 && { same: Object.fromEntries(same.map((name) => [name, entries[0]?.[name]])) }),
    columns,
    rows: entries.map((entry) => columns.map((name) => (Object.hasOwn(entry, name) ? (entry[name] ?? null) : null))),
  };
};
