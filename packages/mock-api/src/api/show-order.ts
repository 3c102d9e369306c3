import { utcText } from '../limit/utc-time.ts';
import type { Account } from '../orders/accounts.ts';
import { downloadOrigin } from '../orders/license-codes.ts';
import type { Listed } from '../orders/make-order.ts';
import { centsOf, money } from '../orders/money.ts';
import type { OrderEntry } from '../orders/shown-order.ts';
import { isEligible } from '../orders/statuses.ts';
import { type Json, textOf } from '../settings/json.ts';
import { type Settings, settingDefinitions } from '../settings/settings.ts';
import { writeId } from './order-id.ts';

/** Serializes the user object (§2.1). */
export const serializeUser = ({ account: _, ...fields }: Account, settings: Settings): Json => {
  const user: Json = { ...fields, api_version: '1.0' };
  for (const field of ['company', 'vat_id']) {
    if (user[field] !== '') continue;
    if (settings.emptyText === 'null') user[field] = null;
    if (settings.emptyText === 'absent') delete user[field];
  }
  return user;
};

/** Serializes an element of `orders[]` (§2.2). */
export const serializeListEntry = (order: OrderEntry, settings: Settings): Json => {
  const entry = { ...order.list };
  for (const name of ['zahlungsstatus', 'lieferstatus'] as const) {
    if (settings[name] !== settingDefinitions[name].default) entry[name] = wordOf(entry[name], name, settings);
  }
  return inForm(entry, order, settings);
};

/** Serializes the order detail (§2.4) with items (§2.5) and license codes (§2.6). */
export const serializeOrder = (
  order: OrderEntry,
  { items: given, billing_address, ...fields }: Json,
  account: Account,
  settings: Settings,
): { detail: Json; licenseCodes: number } => {
  const codes: Json[] = [];
  const isHidden = !isEligible(order.status);
  const items = Array.isArray(given)
    ? given.map((item: Json) => serializeItem(item, isHidden, codes, settings))
    : given;
  const detail: Json = {
    ...inForm(fields, order, settings),
    ...(settings.extraFields === 'summary' && serializeListEntry(order, settings)),
    items,
    billing_address: settings.billing === 'sample' ? billing_address : billingAddress(account, settings.billing),
    ...(settings.extraFields === 'unknown' && unknownFields(fields.bestellnummer)),
  };
  dropFields({ order: detail, 'items[]': Array.isArray(items) ? items : [], 'license_codes[]': codes }, settings);
  return { detail, licenseCodes: codes.length };
};

const unknownFields = (number: unknown): Json => {
  return { rechnungsnummer: `R-${textOf(number)}`, steuer: { satz: '19.00' }, notizen: [] };
};

/** Changes the fields that list and detail share, as the settings require. By default, all values stay as they are. */
const inForm = (fields: Json, order: Listed, settings: Settings): Json => {
  const { ids, dates, sortDate, futureValues } = settings;
  // About a third of the pending orders get a status that v1 does not have. Pending orders have no codes, so it doesn't
  // matter whether a client expects codes for it.
  if (futureValues === 'on' && order.status === 'ausstehend' && order.id % 3 === 0) fields.status = 'in_pruefung';
  if (ids !== 'safe') fields.id = writeId(order.id, ids);
  if (settings.money !== 'string') fields.gesamtpreis_brutto = amountOf(fields.gesamtpreis_brutto, settings);
  if (fields.created_at !== undefined && (dates !== 'ok' || sortDate !== 'created'))
    fields.created_at = dateOf(order, settings);
  return fields;
};

/**
 * @param item an item of a detail that was made for this response, so it can be changed
 * @param codes receives the served codes
 */
const serializeItem = (item: Json, isHidden: boolean, codes: Json[], settings: Settings): Json => {
  if (settings.money !== 'string') item.einzelpreis_brutto = amountOf(item.einzelpreis_brutto, settings);
  if (Array.isArray(item.license_codes)) for (const code of item.license_codes) codes.push(codeInForm(code, settings));
  if (isHidden && settings.ineligibleCodes === 'null') item.license_codes = null;
  if (isHidden && settings.ineligibleCodes === 'absent') delete item.license_codes;
  return item;
};

/** Returns an amount in the form of the setting; an amount that can't be read stays as it is. */
const amountOf = (amount: unknown, settings: Settings): unknown => {
  const cents = centsOf(amount);
  return cents === undefined && settings.money !== 'null' ? amount : money(cents ?? 0n, settings.money);
};

const codeInForm = (code: Json, { futureValues, downloadUrls }: Settings): Json => {
  if (futureValues === 'on' && code.code_typ === 'abo') code.code_typ = 'cloud';
  if (downloadUrls === 'https') return code;
  for (const name of ['download_url_64', 'download_url_32']) {
    const url = code[name];
    if (typeof url === 'string') code[name] = downloadUrl(url, downloadUrls);
  }
  return code;
};

const downloadUrl = (url: string, form: Exclude<Settings['downloadUrls'], 'https'>): string => {
  switch (form) {
    case 'relative':
      // The journal recognizes requests for download URLs by this prefix.
      return `/downloads${URL.parse(url, downloadOrigin)?.pathname ?? '/'}`;
    case 'http':
      return url.replace(/^https:/, 'http:');
    case 'expiring':
      return `${url}?expires=1790000000&signature=c2lnbmF0dXJl`;
    case 'empty':
      return '';
  }
};

/** Returns the setting's word in place of a default one; the word "null" stands for `null`. */
const wordOf = (word: unknown, name: 'zahlungsstatus' | 'lieferstatus', settings: Settings): unknown => {
  const standard = settingDefinitions[name].default;
  const words = settings[name];
  const state = standard.indexOf(word as string);
  if (state < 0) return word;
  const chosen = words[state % words.length];
  return chosen === 'null' ? null : chosen;
};

const dateOf = ({ id, createdAt }: Listed, { dates, sortDate }: Settings): string | null => {
  if (dates === 'null') return null;
  if (dates === 'zero') return '0000-00-00 00:00:00';
  // If the list is sorted by a hidden date, created_at is up to three days before that date.
  const at = sortDate === 'other' ? createdAt - (id % 4) * 86_400_000 : createdAt;
  return dates === 'iso' ? new Date(at).toISOString() : utcText(at);
};

const billingAddress = ({ name, company }: Account, style: Settings['billing']): Json | [] | null => {
  const [first, ...rest] = name.split(' ');
  if (style === 'german')
    return {
      ...{ vorname: first, nachname: rest.join(' '), firma: company },
      ...{ strasse: 'Hauptstraße 1', plz: '01067', ort: 'Dresden', land: 'DE' },
    };
  if (style === 'emptyArray') return [];
  return style === 'null' ? null : {};
};

/**
 * Removes the `missing` fields and sets the `nulls` fields to null.
 * @param roots the objects that a path can start with, e.g. `{ order, 'items[]': items }`
 */
export const dropFields = (
  roots: Record<string, unknown>,
  { missing, nulls }: Record<'missing' | 'nulls', readonly string[]>,
) => {
  for (const path of [...missing, ...nulls]) {
    const cut = path.lastIndexOf('.');
    const field = path.slice(cut + 1);
    for (const owner of [roots[path.slice(0, cut)] ?? []].flat() as Record<string, unknown>[]) {
      if (missing.includes(path)) delete owner[field];
      else if (field in owner) owner[field] = null;
    }
  }
};
