import { type SettingName, type Settings, settingDefinitions } from '../../settings/settings.ts';
import { numberText } from '../../validate/values.ts';
import type { ExtraFields } from '../order.ts';
import { utcText } from '../utc-time.ts';

/** The settings that decide on the form of a field. With their defaults, an own order keeps the form it came with. */
const settingsOf: Readonly<Record<string, readonly SettingName[]>> = {
  id: ['ids'],
  bestellnummer: [],
  created_at: ['dates', 'sortDate'],
  gesamtpreis_brutto: ['money'],
  einzelpreis_brutto: ['money'],
  items: ['items'],
  license_codes: ['ineligibleCodes'],
};

/** The fields to answer in the form in which they were given, in place of what the API docs state. */
export const givenForms = (fields: ExtraFields | undefined, settings: Settings): ExtraFields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).filter(([name]) =>
      settingsOf[name]?.every((setting) => settings[setting] === settingDefinitions[setting].default),
    ),
  );

/** Whether the API docs name the field, so that it is there for its form alone. */
export const isFormOnly = (name: string): boolean => Object.hasOwn(settingsOf, name);

/**
 * Splits the fields of an answer: what the mock can work with, and the fields whose form differs from the API docs.
 * A value that it cannot read stays as it is, and is refused later with its place.
 */
export const readForms = (fields: ExtraFields): { plain: ExtraFields; forms: ExtraFields } => {
  const plain: Record<string, unknown> = {};
  const forms: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const read = readers[name]?.(value);
    if (read === undefined) plain[name] = value;
    else {
      forms[name] = value;
      if (read.plain !== undefined) plain[name] = read.plain;
    }
  }
  return { plain, forms };
};

/** What a value in another form means, without `plain` if it says nothing; `undefined` for all other values. */
type Reader = (value: unknown) => { plain?: unknown } | undefined;

const readId: Reader = (value) =>
  typeof value === 'string' && /^[1-9]\d*$/.test(value) ? { plain: Number(value) } : undefined;

const readAmount: Reader = (value) => {
  if (value === null) return {};
  const text = typeof value === 'string' ? value : numberText(value);
  if (text === undefined || (typeof value === 'string' && /^-?\d+\.\d\d$/.test(text))) return undefined;
  const ungrouped = /^-?\d{1,3}(\.\d{3})+,\d+$/.test(text) ? text.replaceAll('.', '') : text;
  const [, whole, cents = ''] = /^(-?\d+)(?:[.,](\d\d?)0*)?$/.exec(ungrouped) ?? [];
  return whole === undefined ? undefined : { plain: `${whole}.${cents.padEnd(2, '0')}` };
};

const readDate: Reader = (value) => {
  if (value === null || value === '' || value === '0000-00-00 00:00:00') return {};
  if (typeof value !== 'string') return undefined;
  if (/^[\d-]+T[\d:.]+Z$/.test(value)) return { plain: value };
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?[+-]\d\d:\d\d)?$/.test(value)) return undefined;
  const ms = Date.parse(value);
  return ms >= 0 ? { plain: utcText(ms) } : undefined;
};

const readers: Readonly<Record<string, Reader>> = {
  id: readId,
  bestellnummer: (value) => (value === null ? {} : undefined),
  created_at: readDate,
  gesamtpreis_brutto: readAmount,
  einzelpreis_brutto: readAmount,
  items: (value) => (value === null ? { plain: [] } : undefined),
};
