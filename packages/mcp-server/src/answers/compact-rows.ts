/** A table that represents a list of objects. */
export interface CompactRows {
  /** Fields that are the same in every row. */
  same?: Record<string, unknown>;
  /** The common prefix of the URLs in a column, by column name; the rows contain only the rest of each URL. */
  prefix?: Record<string, string>;
  /** Names of the values in a row. */
  columns: string[];
  rows: unknown[][];
}

/** Fields that identify a row; they are never moved to `same`. */
const keyFields = ['id', 'bestellnummer', 'license_key'];

/**
 * Maximum number of fields that each get a column. If there are more fields, those missing from more than half of the
 * rows are collected in one object per row, in the column `further_fields`.
 */
const maxSparseColumns = 50;
const furtherFields = 'further_fields';

/**
 * Converts objects to rows of values. The result states each shared value and each common URL prefix only once. A field
 * that an object lacks is null in its row. The result is at most a few times as long as the objects, even if no two
 * objects have the same fields.
 */
export const compactRows = (objects: readonly object[]): CompactRows => {
  const [first = {}] = objects as Record<string, unknown>[];
  const counts = new Map<string, number>();
  for (const name of objects.flatMap(Object.keys)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isInMost = (name: string): boolean => 2 * Number(counts.get(name)) >= objects.length;
  const isShared = (name: string): boolean => {
    if (objects.length < 2 || counts.get(name) !== objects.length || keyFields.includes(name)) return false;
    const value = JSON.stringify(first[name]);
    return objects.every((object) => JSON.stringify(object[name as keyof object]) === value);
  };
  const same = new Set([...counts.keys()].filter(isShared));
  const columns = [...counts.keys()].filter(
    (name) => !same.has(name) && (counts.size <= maxSparseColumns || isInMost(name)),
  );
  const placed = new Set([...same, ...columns]);
  const isSparse = placed.size < counts.size;
  const rows = objects.map((object) => {
    const further = isSparse ? Object.entries(object).filter(([name]) => !placed.has(name)) : [];
    return [
      ...columns.map((name) => (Object.hasOwn(object, name) ? (object[name as keyof object] ?? null) : null)),
      ...(further.length > 0 ? [Object.fromEntries(further)] : []),
    ] as unknown[];
  });
  const prefixes = columns.flatMap((name, place) => cutPrefix(name, rows, place));
  return {
    ...(same.size > 0 && { same: Object.fromEntries([...same].map((name) => [name, first[name]])) }),
    ...(prefixes.length > 0 && { prefix: Object.fromEntries(prefixes) }),
    columns: isSparse ? [...columns, furtherFields] : columns,
    rows,
  };
};

/** Removes the common prefix of each column's URLs, up to a slash, from the rows. Does not shorten license keys. */
const cutPrefix = (name: string, rows: unknown[][], place: number): [name: string, prefix: string][] => {
  const urls = rows.map((row) => row[place]).filter((value) => value !== null);
  if (urls.length < 2 || keyFields.includes(name) || !urls.every(isUrl)) return [];
  const prefix = sharedStart(urls);
  for (const row of rows) if (isUrl(row[place])) row[place] = row[place].slice(prefix.length);
  return prefix === '' ? [] : [[name, prefix]];
};

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value);

const sharedStart = (urls: readonly string[]): string => {
  const sorted = urls.toSorted();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return first.slice(0, first.lastIndexOf('/', length - 1) + 1).replace(/^https?:\/\/$/, '');
};
