import { type SettingName, type Settings, settingDefinitions } from '../../settings/settings.ts';
import { numberText } from '../../validate/values.ts';
import type { ExtraFields } from '../order.ts';
import { utcText } from '../utc-time.ts';

/** The settings that change the form of each field. At their defaults, an imported order keeps its own form. */
const settingsOf: Readonly<Record<string, readonly SettingName[]>> = {
  id: ['ids'],
  bestellnummer: [],
  created_at: ['dates', 'sortDate'],
  gesamtpreis_brutto: ['money'],
  einzelpreis_brutto: ['money'],
  items: ['items'],
  license_codes: ['ineligibleCodes'],
};

/** Returns the fields that keep their given form instead of the documented one. */
export const givenForms = (fields: ExtraFields | undefined, settings: Settings): ExtraFields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).filter(([name]) =>
      settingsOf[name]?.every((setting) => settings[setting] === settingDefinitions[setting].default),
    ),
  );

/** Whether a field is documented, and so is stored only for its form. */
export const isFormOnly = (name: string): boolean => Object.hasOwn(settingsOf, name);

/**
 * Converts the fields of an answer to the documented form (`plain`), and keeps the originals that differ (`forms`).
 * Unreadable values stay in `plain` and are rejected later with their path.
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

/** Converts a value in another form; omits `plain` if the value is empty. Returns `undefined` for all other values. */
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
