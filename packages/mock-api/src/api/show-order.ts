import type { Account } from '../data/accounts.ts';
import { putGiven } from '../data/given-form.ts';
import { codesOf, downloadOrigin, type KeySource } from '../data/license-code.ts';
import { money } from '../data/money.ts';
import { isEligible, type LicenseCode, type Line, type Order } from '../data/order.ts';
import { itemHelpers } from '../data/order-input.ts';
import type { Json } from '../json.ts';
import { dropFields } from '../settings/field-paths.ts';
import type { Settings } from '../settings/settings.ts';
import { serializeListEntry } from './show-entry.ts';

/** The options for serializing an order. */
export interface SerializeOptions {
  settings: Settings;
  keySource: KeySource;
}

/** Serializes the user object (§2.1). */
export const serializeUser = (account: Account, settings: Settings): Json => {
  const user: Json = {
    user_id: account.user_id,
    email: account.email,
    name: account.name,
    company: account.company,
    vat_id: account.vat_id,
    api_version: '1.0',
  };
  for (const field of ['company', 'vat_id']) {
    if (user[field] !== '') continue;
    if (settings.emptyText === 'null') user[field] = null;
    if (settings.emptyText === 'absent') delete user[field];
  }
  return user;
};

/** Serializes the order detail (§2.4) with items (§2.5) and license codes (§2.6). */
export const serializeOrder = (
  options: SerializeOptions,
  account: Account,
  order: Order,
): { detail: Json; licenseCodes: number } => {
  const { settings } = options;
  const codes = codesOf(options.keySource, order);
  const entry = serializeListEntry(order, settings);
  const { id, bestellnummer, status, gesamtpreis_brutto, waehrung } = entry;
  const detail: Json = { id, bestellnummer, status, gesamtpreis_brutto, waehrung };
  if (settings.extraFields === 'summary') Object.assign(detail, entry);
  detail.items = order.lines.map((line, n) => serializeItem(options, order, line, codes[n] ?? []));
  detail.billing_address = billingAddress(account, settings.billing);
  if (settings.extraFields === 'unknown') {
    Object.assign(detail, { rechnungsnummer: `R-${bestellnummer}`, steuer: { satz: '19.00' }, notizen: [] });
  }
  const given = order.given?.detail;
  putGiven(detail, given, settings, Array.isArray(given?.items) ? ['status', 'items'] : ['status']);
  const items = Array.isArray(detail.items) ? (detail.items as Json[]) : [];
  const shown = items.flatMap((item) => item.license_codes ?? []);
  dropFields({ order: detail, 'items[]': items, 'license_codes[]': shown }, settings);
  return { detail, licenseCodes: shown.length };
};

const serializeItem = (options: SerializeOptions, order: Order, line: Line, codes: LicenseCode[]): Json => {
  const { settings } = options;
  const item: Json = {
    id: line.id,
    product_name: line.productName,
    menge: line.quantity,
    einzelpreis_brutto: money(line.cents, settings.money),
  };
  if (isEligible(order.status)) item.license_codes = codes.map((code) => serializeLicenseCode(options, code));
  else if (settings.ineligibleCodes !== 'absent') item.license_codes = settings.ineligibleCodes === 'null' ? null : [];
  const { given } = line;
  if (!given) return item;
  const { license_codes } = given;
  const isForm = codes.length === 0 && !Array.isArray(license_codes) && typeof license_codes !== 'number';
  putGiven(item, given, settings, isForm ? itemHelpers : [...itemHelpers, 'license_codes']);
  return item;
};

const serializeLicenseCode = (options: SerializeOptions, code: LicenseCode): Json => {
  const { futureValues } = options.settings;
  const answered = {
    id: code.id,
    license_key: code.licenseKey,
    code_typ: futureValues === 'on' && code.codeType === 'abo' ? 'cloud' : code.codeType,
    download_url_64: downloadUrl(options, code.download64),
    download_url_32: downloadUrl(options, code.download32),
    aktivierungen_bestellung: code.activations,
  };
  if (code.given) putGiven(answered, code.given, options.settings);
  return answered;
};

const downloadUrl = ({ settings }: SerializeOptions, url: string | null): string | null => {
  if (url === null) return null;
  switch (settings.downloadUrls) {
    case 'https':
      return url;
    case 'relative':
      return URL.parse(url, downloadOrigin)?.pathname ?? '/';
    case 'http':
      return url.replace(/^https:/, 'http:');
    case 'expiring':
      return `${url}?expires=1790000000&signature=c2lnbmF0dXJl`;
    case 'empty':
      return '';
  }
};

export const billingAddress = (account: Account, style: Settings['billing']): Json | [] | null => {
  const [first, ...rest] = account.name.split(' ');
  switch (style) {
    case 'sample':
      return {
        name: account.name,
        company: account.company,
        street: 'Hauptstraße 1',
        postal_code: '01067',
        city: 'Dresden',
        country: 'DE',
      };
    case 'german':
      return {
        vorname: first,
        nachname: rest.join(' '),
        firma: account.company,
        strasse: 'Hauptstraße 1',
        plz: '01067',
        ort: 'Dresden',
        land: 'DE',
      };
    case 'emptyObject':
      return {};
    case 'emptyArray':
      return [];
    case 'null':
      return null;
  }
};
