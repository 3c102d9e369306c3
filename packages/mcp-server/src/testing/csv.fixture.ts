/** Reads CSV (RFC 4180). Returns the rows as objects, with the names from the first line. */
export const parseCsv = (text: string): Record<string, string>[] => {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.replace(/^\uFEFF/, '').matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...others] = rows;
  return others.map((one) => Object.fromEntries(names.map((name, index) => [name, one[index] ?? ''])));
};

const cell = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/g;
