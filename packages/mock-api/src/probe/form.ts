import { codeTypes, statuses } from '../data/order.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { isFields, textOf } from './exchange.ts';
import type { ShowWord } from './shown-words.ts';

const isAmount = (field: string, value: unknown): boolean =>
  field.endsWith('_brutto') && /^-?\d[\d.,]*(e[+-]\d+)?$/.test(textOf(value));

/**
 * Describes the format of an amount, with a 9 for the digits: 1234.50 has the format "9.99", and 1.234,50 has
 * "9.999,99". Returns `undefined` if the value is not an amount.
 */
export const amountForm = (field: string, value: unknown): string | undefined => {
  if (!isAmount(field, value)) return undefined;
  if (typeof value === 'number') return 'a number';
  const digits = String(value)
    .replace(/\d/g, '9')
    .replace(/^(-?)9+/, '$19');
  return `a string like ${digits.replace(/([.,]999)+(?=[.,])/, '.999')}`;
};

/** Returns the time zone at the end of an ISO 8601 date; `undefined` if the value is none. */
export const zoneOf = (field: string, value: unknown): string | undefined => {
  const [, zone] = field === 'created_at' ? (/^\d{4}-\d\d-\d\dT[\d:.,]+(.*)$/.exec(textOf(value)) ?? []) : [];
  return zone === undefined ? undefined : zone === 'Z' ? 'Z' : zone === '' ? 'none' : 'an offset';
};

/** Whether a setting lists the words of a field. Such a setting has the same name as the field. */
export const hasWords = (field: string): boolean => {
  const setting = settingDefinitions[field as SettingName];
  return setting?.kind === 'list' && !setting.words;
};

/** Describes the value of a field. Shows only words from fields with few values, and the field names in an address. */
export const formOf = (value: unknown, field: string, show: ShowWord): string => {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  // An amount without a fraction looks like an integer.
  if (isAmount(field, value)) return 'an amount';
  if (typeof value === 'string') return textForm(value, field, show);
  if (typeof value === 'bigint') return 'an integer above 2^53';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number with a fraction';
  if (typeof value === 'number') return value < 0 ? 'a negative integer' : 'an integer';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (!isFields(value)) return 'a boolean';
  const names = [...new Set(Object.keys(value).map(show))].sort().join(', ');
  if (names === '') return 'an empty object';
  return field === 'billing_address' ? `an object with ${names}` : 'an object';
};

const documentedWords: Readonly<Record<string, readonly string[]>> = { status: statuses, code_typ: codeTypes };

/** The text formats of each field. The first pattern that matches a text decides. */
const textForms: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  id: [[/^-?\d+$/, 'a string of digits']],
  created_at: [
    [/^0000-00-00 /, 'a zero date'],
    [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'a date'],
    [/^\d{4}-\d\d-\d\dT/, 'an ISO 8601 date'],
  ],
  download_url: [
    [/^https?:.*\?/, 'a URL with a query'],
    [/^https:/, 'a URL with https:'],
    [/^http:/, 'a URL with http:'],
    [/./, 'a URL without a host'],
  ],
};

const textForm = (text: string, field: string, show: ShowWord): string => {
  if (text === '') return 'an empty string';
  const words = documentedWords[field];
  if (words?.includes(text)) return 'a documented value';
  if (words || hasWords(field)) return show(text);
  const forms = textForms[field.replace(/_(64|32)$/, '')] ?? [];
  return forms.find(([pattern]) => pattern.test(text))?.[1] ?? 'a string';
};
