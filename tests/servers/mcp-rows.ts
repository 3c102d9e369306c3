export type Json = Record<string, unknown>;

/** The rows of a compact answer as objects. */
export const rowsOf = ({ same, columns, rows }: Json): Json[] =>
  (rows as unknown[][]).map((row) => ({
    ...(same as Json),
    ...Object.fromEntries((columns as string[]).map((name, index) => [name, row[index]])),
  }));
