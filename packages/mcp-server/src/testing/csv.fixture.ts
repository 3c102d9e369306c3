/** Reads CSV (RFC 4180). Returns the rows as objects, with the names from the first line. */
export const parseCsv = (text: string, separator: ',' | ';' = ','): Record<string, string>[] => {
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.replace(/^\uFEFF/, '').matchAll(cells)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...others] = rows;
  return others.map((one) => Object.fromEntries(names.map((name, index) => [name, one[index] ?? ''])));
};
