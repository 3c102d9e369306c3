/**
 * The form of a file: `comma` as in RFC 4180 (the default), or `semicolon` for spreadsheets with decimal commas, such
 * as Excel in Germany.
 */
export type CsvForm = 'comma' | 'semicolon';

/** How a spreadsheet reads the values of a column: as amounts, as numbers or dates, or as text. */
export type CellKind = 'amount' | 'value' | 'text';

const invisible = '[\\s\\p{Cc}\\p{Cf}\\p{DI}]';
const operator = '[=+\\-@\uFF0B\uFF0D\uFF1D\uFF20]';
/** Matches before a text that a spreadsheet would execute, or whose first character people don't see. */
const atStart = `^(?=${invisible}|${operator})`;
/**
 * Matches before a part of a text that would become a cell of its own: a spreadsheet that splits only at semicolons also
 * splits quoted cells, at semicolons and line breaks.
 */
const afterSplit = `(?<=[;\\r\\n])(?=(?:(?![\\r\\n])${invisible}|")*${operator})`;
const formula = new RegExp(`${atStart}|${afterSplit}`, 'gu');

const month =
  '(j[aä]n(uary?|ner)?|feb(ruary?)?|m[aä]r(z|ch)?|apr(il)?|ma[iy]|jun[ei]?|jul[iy]?|aug(ust)?|sept?(ember)?|o[kc]t(ober)?|nov(ember)?|de[cz](ember)?)';
/** The texts that a spreadsheet replaces with a number, a date, a time or a truth value. */
const replaced = new RegExp(
  `^(${[
    '0\\d+', // leading zeros
    '\\d{12,}', // Excel shows 12 digits as 1.23457E+11, and saves that as CSV; it keeps no more than 15
    '[€$£¥]? ?\\d*([.,]\\d+)+ ?[%€$£¥]?|[€$£¥] ?\\d+|\\d+ ?[%€$£¥]|\\d+[.,]', // decimals, percentages, money
    '\\(\\d+([.,]\\d+)*\\)|\\d+-', // negative numbers
    '\\d*[.,]?\\d+[.,]?e[+-]?\\d+', // exponents
    '\\d{1,4}([-./ ]+\\d{1,4}){1,2}[-./]?([T ]+\\d{1,2}(:\\d{1,2}){1,2}([.,]\\d+)?Z?)?', // dates and fractions
    '\\d{1,4}(:\\d{1,2}){1,2}([.,]\\d+)?( ?[ap]m?)?|\\d{1,2} ?[ap]m?', // times
    `(\\d{1,4}[-./ ]*)${month}\\.?([-./ ]*\\d{1,4})?|${month}\\.?[-./ ]*\\d{1,4}([-./, ]+\\d{1,4})?`, // names of months
    'true|false|wahr|falsch',
  ].join('|')})\\s*$`,
  'iu',
);

/** Adds apostrophes to a text, so that no spreadsheet executes a part of it or replaces it. */
export const protectText = (text: string): string => (replaced.test(text) ? `'${text}` : text.replace(formula, "'"));

const decimal = /^-?\d+([.,]\d+)?$/;
/** A number that every spreadsheet keeps, or a time. */
const kept = /^(-?(0|[1-9]\d{0,10})|\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)$/i;

/** Returns the text of a cell: empty for null and missing values, and JSON for objects. */
export const cellText = (value: unknown, kind: CellKind, form?: CsvForm): string => {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (kind === 'amount' && decimal.test(text)) return form === 'semicolon' ? text.replace('.', ',') : text;
  return kind === 'value' && kept.test(text) ? text : protectText(text);
};

/** Returns one line of CSV. */
export const csvLine = (cells: readonly string[], form?: CsvForm): string =>
  `${cells.map(quoteCell).join(form === 'semicolon' ? ';' : ',')}\r\n`;

/** In either form, both separators are quoted: LibreOffice splits cells at each of them, and at tabs. */
const quoteCell = (text: string): string =>
  /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
