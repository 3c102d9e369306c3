type Json = Record<string, unknown>;

/** Returns the rows of a table as objects. */
export const rowsOf = (table: unknown): Json[] => {
  const {
    same,
    prefix = {},
    columns,
    rows,
  } = table as {
    same?: Json;
    prefix?: Record<string, string>;
    columns: string[];
    rows: unknown[][];
  };
  const value = (name: string, given: unknown): unknown =>
    typeof given === 'string' && Object.hasOwn(prefix, name) ? `${prefix[name]}${given}` : given;
  return rows.map((row) => ({
    ...same,
    ...Object.fromEntries(columns.map((name, index) => [name, value(name, row[index])])),
  }));
};
