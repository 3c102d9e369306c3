import { codeTypes, statuses } from '../orders/statuses.ts';
import type { ShowWord } from './shown-words.ts';

/** The forms of a text, by the field's name. The first pattern that matches decides. */
const textForms: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  id: [[/^-?\d+$/, 'digits in a text']],
  created_at: [
    [/^0000-00-00 /, 'a zero date'],
    [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'a date as documented'],
    [/^\d{4}-\d\d-\d\dT.*Z$/, 'ISO 8601 with Z'],
    [/^\d{4}-\d\d-\d\dT.*[+-]\d\d:?\d\d$/, 'ISO 8601 with an offset'],
    [/^\d{4}-\d\d-\d\dT/, 'ISO 8601 without a zone'],
  ],
  download_url: [
    [/^https?:.*\?/, 'a URL with a query'],
    [/^https:/, 'a URL with https:'],
    [/^http:/, 'a URL with http:'],
    [/./, 'a URL without a host'],
  ],
};
const documentedWords: Readonly<Record<string, readonly string[]>> = { status: statuses, code_typ: codeTypes };

/**
 * Describes a value by its shape. Shows no text of the API except plain words of fields that have few values, and the
 * names of the fields in an address.
 */
export const formOf = (value: unknown, field: string, show: ShowWord): string => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') {
    const names = [...new Set(Object.keys(value).map(show))].sort().join(', ');
    if (names === '') return 'an empty object';
    return field === 'billing_address' ? `an object with ${names}` : 'an object';
  }
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'string') return textForm(value, field, show);
  if (field.endsWith('_brutto')) return 'a number';
  if (typeof value === 'bigint') return 'an integer above 2^53';
  if (!Number.isInteger(value)) return 'a fraction';
  return (value as number) < 0 ? 'a negative integer' : 'an integer';
};

const textForm = (text: string, field: string, show: ShowWord): string => {
  if (text === '') return 'an empty text';
  if (field.endsWith('_brutto') && /^-?\d[\d.,]*$/.test(text)) {
    const digits = text.replace(/\d/g, '9').replace(/^(-?)9+/, '$19');
    return `a text like ${digits.replace(/([.,]999)+(?=[.,])/, '.999')}`;
  }
  if (documentedWords[field]?.includes(text)) return 'a documented word';
  if (documentedWords[field] || ['zahlungsstatus', 'lieferstatus'].includes(field)) return show(text);
  const forms = textForms[field.replace(/_(64|32)$/, '')] ?? [];
  return forms.find(([pattern]) => pattern.test(text))?.[1] ?? 'a text';
};
