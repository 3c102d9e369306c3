import { codeTypes, statuses } from '../data/order.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { isFields } from './reply.ts';

/** Lower-case words without digits: neither a key nor a number nor a name. */
export const isPlainWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 24 && /^\p{Ll}+([_ -]\p{Ll}+)*$/u.test(value);

/** Describes a value of a field without showing it. Only plain words of fields with few values are shown. */
export const formOf = (value: unknown, field = ''): string => {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return textForm(value, field);
  if (typeof value === 'boolean') return 'a boolean';
  if (!isFields(value)) return numberForm(value as number | bigint, field);
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  return field === 'billing_address' ? `an object with ${listWords(names)}` : 'an object';
};

const numberForm = (value: number | bigint, field: string): string => {
  if (typeof value === 'bigint' || Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'an integer beyond 2^53';
  // A whole amount looks like an integer.
  if (isAmount(value, field)) return 'an amount';
  if (!Number.isInteger(value)) return 'a number with a fraction';
  if (value === 0 && field !== 'total' && field !== 'pages') return 'zero';
  return value < 0 ? 'a negative integer' : 'an integer';
};

const isAmount = (value: unknown, field: string): boolean =>
  /_brutto$/.test(field) && (typeof value === 'number' || /^-?\d[\d.,]*$/.test(String(value)));

/** How an amount is written; `undefined` if it is none. */
export const amountForm = (value: unknown): string | undefined => {
  if (typeof value === 'number') return 'a number';
  if (typeof value !== 'string' || !isAmount(value, '_brutto')) return undefined;
  // 1234.50 and 0.00 are "9.99", 1.234,50 is "9.999,99".
  const digits = value.replace(/\d/g, '9').replace(/^(-?)9+/, '$19');
  return `a string like ${digits.replace(/([.,]999)+(?=[.,])/, '.999')}`;
};

/** The fields whose words are the value of a setting. */
const fieldsWithWords = new Set(
  Object.entries(settingDefinitions).flatMap(([name, { kind, ...rest }]) =>
    kind === 'list' && !('words' in rest) ? [name] : [],
  ),
);

const textForm = (text: string, field: string): string => {
  if (text === '') return 'an empty string';
  const known: readonly string[] = { status: statuses, code_typ: codeTypes }[field] ?? [];
  if (known.length > 0) return known.includes(text) ? 'a documented value' : word(text);
  if (fieldsWithWords.has(field)) return word(text);
  if (isAmount(text, field)) return 'an amount';
  if (/^0000-00-00 /.test(text)) return 'a zero date';
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return 'a date';
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return 'an ISO 8601 date';
  if (field.startsWith('download_url')) return urlForm(text);
  return 'a string';
};

const urlForm = (text: string): string => {
  const [, scheme] = /^(https?):\/\//.exec(text) ?? [];
  return `a URL${scheme ? ` with ${scheme}:` : ' without a host'}${text.includes('?') ? ' and a query' : ''}`;
};

const word = (text: string): string => (isPlainWord(text) ? `"${text}"` : 'a word of another form');

const listWords = (names: string[]): string => {
  const shown = names.filter((name) => /^[a-z]{2,20}([_-][a-z]{1,20}|[A-Z][a-z]+){0,3}$/.test(name)).sort();
  const hidden = names.length - shown.length;
  return [...shown.slice(0, 20), ...(hidden > 0 || shown.length > 20 ? ['others'] : [])].join(', ');
};
