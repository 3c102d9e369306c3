import type { Account } from '../data/accounts.ts';
import type { CompleteOrder, Item, OrderSummary } from '../data/complete-order.ts';
import { codesOf, downloadOrigin, type KeySource } from '../data/license-codes.ts';
import { money } from '../data/money.ts';
import { isEligible } from '../data/order.ts';
import { utcText } from '../limit/utc-time.ts';
import { dropFields } from '../settings/field-paths.ts';
import { type Json, textOf } from '../settings/json.ts';
import type { Settings } from '../settings/settings.ts';
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
export const serializeListEntry = (order: OrderSummary, settings: Settings): Json => {
  const { id, bestellnummer, status, gesamtpreis_brutto, waehrung, created_at } = order;
  const entry: Json = {
    id,
    bestellnummer,
    status,
    zahlungsstatus: wordOf(settings.zahlungsstatus, payment(order)),
    gesamtpreis_brutto,
    waehrung,
    created_at,
    lieferstatus: wordOf(settings.lieferstatus, delivery(order)),
    ...order.given?.list,
  };
  return inForm(entry, order, settings);
};

/** Serializes the order detail (§2.4) with items (§2.5) and license codes (§2.6). */
export const serializeOrder = (
  order: CompleteOrder,
  account: Account,
  source: KeySource,
  settings: Settings,
): { detail: Json; licenseCodes: number } => {
  const entry = serializeListEntry(order, settings);
  const { id, bestellnummer, status, gesamtpreis_brutto, waehrung } = entry;
  const codes = codesOf(source, order).map((some) => some.map((code) => codeInForm(code, settings)));
  const hasRight = isEligible(order.status);
  const items = order.items.map((item, n) => serializeItem(item, hasRight ? codes[n] : undefined, settings));
  const billing_address = billingAddress(account, settings.billing);
  const detail: Json = {
    ...{ id, bestellnummer, status, gesamtpreis_brutto, waehrung },
    ...(settings.extraFields === 'summary' && entry),
    items,
    billing_address,
    ...(settings.extraFields === 'unknown' && unknownFields(bestellnummer)),
    ...order.given?.detail,
  };
  if (Array.isArray(detail.items)) detail.items = items;
  if (settings.billing !== 'sample') detail.billing_address = billing_address;
  const shown = codes.flat();
  dropFields({ order: inForm(detail, order, settings), 'items[]': items, 'license_codes[]': shown }, settings);
  return { detail, licenseCodes: shown.length };
};

const unknownFields = (number: unknown): Json => {
  return { rechnungsnummer: `R-${textOf(number)}`, steuer: { satz: '19.00' }, notizen: [] };
};

/**
 * Formats the fields that list and detail share, as the settings require. With default settings, all values stay as
 * given.
 */
const inForm = (fields: Json, order: OrderSummary, settings: Settings): Json => {
  const { ids, dates, sortDate } = settings;
  fields.status = statusOf(order, settings);
  if (ids !== 'safe') fields.id = writeId(order.id, ids);
  if (settings.money !== 'string') fields.gesamtpreis_brutto = money(order.totalCents, settings.money);
  if (fields.created_at !== undefined && (dates !== 'ok' || sortDate !== 'created'))
    fields.created_at = dateOf(order, settings);
  return fields;
};

/** @param codes the delivered codes; `undefined` unless the order is paid or completed */
const serializeItem = ({ fields, cents }: Item, codes: Json[] | undefined, settings: Settings): Json => {
  const item = { ...fields };
  if (settings.money !== 'string') item.einzelpreis_brutto = money(cents, settings.money);
  if (codes && codes.length > 0) item.license_codes = codes;
  if (!codes && settings.ineligibleCodes === 'null') item.license_codes = null;
  if (!codes && settings.ineligibleCodes === 'absent') delete item.license_codes;
  return item;
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

/** Returns the payment state: 0 for open, 1 for paid, 2 for refunded. */
const payment = ({ status, onInvoice }: OrderSummary): number => {
  if (status === 'storniert') return 2;
  return isEligible(status) && !onInvoice ? 1 : 0;
};

/** Returns the delivery state: 0 if nothing is delivered, 1 if some codes are, 2 if all are. */
const delivery = ({ status, delivered, plannedCodes }: OrderSummary): number => {
  if (!isEligible(status)) return 0;
  if (delivered >= plannedCodes) return 2;
  return delivered > 0 ? 1 : 0;
};

/** Returns the word for a payment or delivery state; the word "null" stands for `null`. */
const wordOf = (words: readonly string[], state: number): string | null => {
  const word = words[state % words.length] as string;
  return word === 'null' ? null : word;
};

/**
 * With `futureValues`, a third of the pending orders get a status that v1 does not have. Pending orders have no codes,
 * so it does not matter whether a client expects codes for the unknown status.
 */
const statusOf = ({ id, status }: OrderSummary, { futureValues }: Settings): string =>
  futureValues === 'on' && status === 'ausstehend' && id % 3 === 0 ? 'in_pruefung' : status;

const dateOf = ({ id, createdAt }: OrderSummary, { dates, sortDate }: Settings): string | null => {
  if (dates === 'null') return null;
  if (dates === 'zero') return '0000-00-00 00:00:00';
  // If the list is sorted by a hidden date, created_at is up to three days before that date.
  const at = sortDate === 'other' ? createdAt - (id % 4) * 86_400_000 : createdAt;
  return dates === 'iso' ? new Date(at).toISOString() : utcText(at);
};

const billingAddress = ({ name, company }: Account, style: Settings['billing']): Json | [] | null => {
  const [first, ...rest] = name.split(' ');
  switch (style) {
    case 'sample':
      return { name, company, street: 'Hauptstraße 1', postal_code: '01067', city: 'Dresden', country: 'DE' };
    case 'german':
      return {
        ...{ vorname: first, nachname: rest.join(' '), firma: company },
        ...{ strasse: 'Hauptstraße 1', plz: '01067', ort: 'Dresden', land: 'DE' },
      };
    case 'emptyObject':
      return {};
    case 'emptyArray':
      return [];
    case 'null':
      return null;
  }
};
