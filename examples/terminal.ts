import { stripVTControlCharacters, styleText } from 'node:util';

export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);
export const line = (text: string): void => console.log(text);
export const heading = (text: string): void => console.log(`\n${styleText(['bold', 'cyan'], text)}`);

/** Prints rows in columns that are as wide as their widest cell. */
export const table = (rows: string[][]): void => {
  const width = (cell: string) => stripVTControlCharacters(cell).length;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  for (const row of rows) {
    line(`  ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell))).join('  ')}`.trimEnd());
  }
};
