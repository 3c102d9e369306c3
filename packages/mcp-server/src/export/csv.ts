const operator = '[=+\\-@\uFF0B\uFF0D\uFF1D\uFF20]';
/** Matches before a text that a spreadsheet would execute, or whose first character a spreadsheet would drop. */
const atStart = `^(?=[\\t\\r\\n]|\\s*${operator})`;
/**
 * Matches before a part of a text that would become a cell of its own: a spreadsheet that splits only at semicolons also
 * splits quoted cells, at semicolons and line breaks.
 */
const afterSplit = `(?<=[;\\r\\n])(?=(?:[^\\S\\r\\n]|")*${operator})`;
const formula = new RegExp(`${atStart}|${afterSplit}`, 'g');
const decimal = /^-?\d+(\.\d+)?$/;

/** Adds apostrophes to a text, so that no spreadsheet executes a part of it. Decimal numbers never get one. */
export const escapeFormulas = (text: string): string => (decimal.test(text) ? text : text.replace(formula, "'"));

/** Returns one line of CSV (RFC 4180). Null and missing values become empty cells, and objects become JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = escapeFormulas(plain);
  // Without quotes, LibreOffice also splits cells at semicolons and tabs.
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
};
