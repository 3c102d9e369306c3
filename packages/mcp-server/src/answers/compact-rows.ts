export interface CompactRows {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** Names of the values of a row. */
  columns: string[];
  rows: unknown[][];
}

/** Fields that identify a row; these are never shared. */
const keyFields = ['id', 'bestellnummer', 'license_key'];

/** In a wider table, fields that fewer than half of the rows have stay with their row, under this name. */
const maxSparseColumns = 50;
const furtherFields = 'further_fields';

type Fields = Record<string, unknown>;

/**
 * Returns objects as rows of values, with the fields that all of them share stated once. A missing field is null in its
 * row. The result is at most a small multiple of the objects, even if each has names of its own.
 */
export const compactRows = (objects: readonly object[]): CompactRows => {
  const entries = objects.map((object) => Object.entries(object));
  const uses = new Map<string, { count: number; first: string | undefined; differs: boolean }>();
  for (const [name, value] of entries.flat()) {
    const use = uses.get(name) ?? { count: 0, first: JSON.stringify(value), differs: false };
    use.count += 1;
    use.differs ||= JSON.stringify(value) !== use.first;
    uses.set(name, use);
  }
  const same: string[] = [];
  const columns: string[] = [];
  for (const [name, { count, differs }] of uses) {
    const isShared = objects.length > 1 && count === objects.length && !differs && !keyFields.includes(name);
    if (isShared) same.push(name);
    else if (uses.size <= maxSparseColumns || count * 2 >= objects.length) columns.push(name);
  }
  const isFurther = uses.size > same.length + columns.length;
  const placed = new Set([...same, ...columns]);
  const rows = objects.map((object, index) => {
    const row = columns.map((name) => (Object.hasOwn(object, name) ? (object as Fields)[name] : null) ?? null);
    const further = isFurther ? (entries[index] ?? []).filter(([name]) => !placed.has(name)) : [];
    return further.length > 0 ? [...row, Object.fromEntries(further)] : row;
  });
  return {
    ...(same.length > 0 && { same: Object.fromEntries(same.map((name) => [name, (objects[0] as Fields)[name]])) }),
    columns: isFurther ? [...columns, furtherFields] : columns,
    rows,
  };
};
