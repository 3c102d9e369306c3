/** Objects as a table. */
export interface CompactRows {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** What every URL of a column begins with; the rows have the rest. */
  prefix?: Record<string, string>;
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
 * Returns objects as rows of values, and states once what they share: fields, and the beginning of URLs. A missing field
 * is null in its row. The result is at most a small multiple of the objects, even if each has names of its own.
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
  const prefixes = cutPrefixes(columns, rows);
  return {
    ...(same.length > 0 && { same: Object.fromEntries(same.map((name) => [name, (objects[0] as Fields)[name]])) }),
    ...(prefixes.length > 0 && { prefix: Object.fromEntries(prefixes) }),
    columns: isFurther ? [...columns, furtherFields] : columns,
    rows,
  };
};

/** Takes the beginning that all URLs of a column share, up to a slash, out of the rows. Keys stay whole. */
const cutPrefixes = (columns: readonly string[], rows: unknown[][]): [name: string, prefix: string][] =>
  columns.flatMap((name, place) => {
    const values = rows.map((row) => row[place]).filter((value) => value !== null);
    if (values.length < 2 || keyFields.includes(name) || !values.every(isUrl)) return [];
    const prefix = sharedStart(values);
    for (const row of rows) if (isUrl(row[place])) row[place] = row[place].slice(prefix.length);
    return prefix === '' ? [] : [[name, prefix]];
  });

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value);

const sharedStart = ([first = '', ...others]: readonly string[]): string => {
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first[same]) same += 1;
    length = same;
  }
  const prefix = first.slice(0, length);
  return prefix.slice(0, prefix.lastIndexOf('/') + 1).replace(/^https?:\/\/$/, '');
};
