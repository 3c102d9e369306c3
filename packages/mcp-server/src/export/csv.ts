/** Matches a text that a spreadsheet would execute, or whose first character a spreadsheet would drop. */
const formula = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/;
const decimal = /^-?\d+(\.\d+)?$/;

/**
 * Whether a cell with this text gets an apostrophe, so that no spreadsheet executes it. Decimal numbers never get one.
 */
export const isEscaped = (text: string): boolean => formula.test(text) && !decimal.test(text);

/** Returns one line of CSV (RFC 4180). Null and missing values become empty cells, and objects become JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = isEscaped(plain) ? `'${plain}` : plain;
  // Without quotes, LibreOffice also splits cells at semicolons and tabs.
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
};
