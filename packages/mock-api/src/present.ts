import type { Account } from './accounts.ts';
import { dropFields } from './field-paths.ts';
import { codesOf, type KeySource, type LicenseCode } from './license-code.ts';
import { money } from './money.ts';
import { isEligible, type Line, type Order, plannedCodes, totalCents } from './order.ts';
import { writeId } from './order-id.ts';
import type { Dialect } from './settings.ts';

type Json = Record<string, unknown>;

/** What a presentation needs beside the thing presented. */
export interface Presenter {
  dialect: Dialect;
  keySource: KeySource;
  /** `http://host:port` of the request, for download URLs that the mock serves itself. */
  origin: string;
}

/** The user object (§2.1). */
export function presentUser(account: Account, dialect: Dialect): Json {
  const user: Json = {
    user_id: account.userId,
    email: account.email,
    name: account.person,
    company: account.company,
    vat_id: account.vatId,
    api_version: '1.0',
  };
  for (const field of ['company', 'vat_id']) {
    if (user[field] !== '') continue;
    if (dialect.emptyText === 'null') user[field] = null;
    if (dialect.emptyText === 'absent') delete user[field];
  }
  return user;
}

/** An element of `orders[]` (§2.2). */
export function presentSummary({ dialect }: Presenter, order: Order): Json {
  return {
    id: writeId(order.id, dialect.ids),
    bestellnummer: order.number,
    status: statusText(order, dialect),
    zahlungsstatus: pick(dialect.zahlungsstatus, payment(order)),
    gesamtpreis_brutto: money(totalCents(order), dialect.money),
    waehrung: dialect.currency === 'mixed' ? order.currency : dialect.currency,
    created_at: dateText(order, dialect),
    lieferstatus: pick(dialect.lieferstatus, delivery(order)),
  };
}

/** The order detail (§2.4) with items (§2.5) and license codes (§2.6). */
export function presentOrder(presenter: Presenter, account: Account, order: Order): Json {
  const { dialect } = presenter;
  const codes =
    dialect.deliveredCodes === 'seeded' ? codesOf(presenter.keySource, order) : fewerCodes(presenter, order);
  const summary = presentSummary(presenter, order);
  const { id, bestellnummer, status, gesamtpreis_brutto, waehrung } = summary;
  const detail: Json = { id, bestellnummer, status, gesamtpreis_brutto, waehrung };
  if (dialect.extraFields === 'summary') Object.assign(detail, summary);
  detail.items =
    dialect.items === 'empty' ? [] : order.lines.map((line, n) => presentLine(presenter, order, line, codes[n] ?? []));
  detail.billing_address = billingAddress(account, dialect.billing);
  if (dialect.extraFields === 'unknown') {
    Object.assign(detail, { rechnungsnummer: `R-${order.number}`, steuer: { satz: '19.00' }, notizen: [] });
  }
  const items = detail.items as Json[];
  const shown = items.flatMap((item) => item.license_codes ?? []);
  dropFields({ order: detail, 'items[]': items, 'license_codes[]': shown }, dialect.missing, dialect.nulls);
  return detail;
}

function presentLine(presenter: Presenter, order: Order, line: Line, codes: LicenseCode[]): Json {
  const { dialect } = presenter;
  const item: Json = {
    id: line.id,
    product_name: line.productName,
    menge: { normal: line.quantity, zero: 0, negative: -line.quantity }[dialect.quantity],
    einzelpreis_brutto: money(line.cents, dialect.money),
  };
  if (isEligible(order.status)) item.license_codes = codes.map((code) => presentCode(presenter, code));
  else if (dialect.ineligibleCodes !== 'absent') item.license_codes = dialect.ineligibleCodes === 'null' ? null : [];
  return item;
}

function presentCode(presenter: Presenter, code: LicenseCode): Json {
  const { activations, futureValues } = presenter.dialect;
  return {
    id: code.id,
    license_key: code.licenseKey,
    code_typ: futureValues === 'on' && code.codeType === 'abo' ? 'cloud' : code.codeType,
    download_url_64: downloadUrl(presenter, code.download64),
    download_url_32: downloadUrl(presenter, code.download32),
    aktivierungen_bestellung: { normal: code.activations, zero: 0, negative: -1, null: null, huge: 2 ** 31 }[
      activations
    ],
  };
}

function downloadUrl({ dialect, origin }: Presenter, url: string | null): string | null {
  if (url === null) return null;
  const { pathname } = new URL(url);
  const own = dialect.serveDownloads === 'on' ? `${origin}/downloads${pathname}` : url;
  switch (dialect.downloadUrls) {
    case 'https':
      return own;
    case 'relative':
      return dialect.serveDownloads === 'on' ? `/downloads${pathname}` : pathname;
    case 'http':
      return own.replace(/^https:/, 'http:');
    case 'expiring':
      return `${own}?expires=1790000000&signature=c2lnbmF0dXJl`;
    case 'empty':
      return '';
  }
}

function fewerCodes({ dialect, keySource }: Presenter, order: Order): LicenseCode[][] {
  const delivered = dialect.deliveredCodes === 'none' ? 0 : Math.floor(order.delivered / 2);
  return codesOf(keySource, { ...order, delivered });
}

/** 0 open, 1 paid, 2 refunded. */
function payment({ status, onInvoice }: Order): number {
  if (status === 'storniert') return 2;
  return isEligible(status) && !onInvoice ? 1 : 0;
}

/** 0 nothing delivered, 1 some, 2 all. */
function delivery(order: Order): number {
  if (!isEligible(order.status)) return 0;
  const planned = plannedCodes(order);
  if (order.delivered >= planned) return 2;
  return order.delivered > 0 ? 1 : 0;
}

function pick(values: readonly string[], index: number): string | null {
  const value = values[index % values.length] as string;
  return value === 'null' ? null : value;
}

/** A status of a later version, on a third of the pending orders: they have no codes to give away. */
function statusText(order: Order, dialect: Dialect): string {
  return dialect.futureValues === 'on' && order.status === 'ausstehend' && order.id % 3 === 0
    ? 'in_pruefung'
    : order.status;
}

function dateText(order: Order, { dates, sortDate }: Dialect): string | null {
  if (dates === 'null') return null;
  if (dates === 'zero') return '0000-00-00 00:00:00';
  // Where the list is sorted by a date that no field shows, created_at lies up to three days before that date.
  const shift = sortDate === 'other' ? (order.id % 4) * 86_400_000 : 0;
  const at = new Date(order.createdAt - shift);
  return dates === 'iso' ? at.toISOString() : utcText(at);
}

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/** `YYYY-MM-DD HH:MM:SS` (§2.2). Not cut from toISOString, which would be a quarter of the work of a list. */
function utcText(at: Date): string {
  const date = `${at.getUTCFullYear()}-${twoDigits[at.getUTCMonth() + 1]}-${twoDigits[at.getUTCDate()]}`;
  return `${date} ${twoDigits[at.getUTCHours()]}:${twoDigits[at.getUTCMinutes()]}:${twoDigits[at.getUTCSeconds()]}`;
}

function billingAddress(account: Account, style: Dialect['billing']): Json | [] | null {
  const [first, ...rest] = account.person.split(' ');
  switch (style) {
    case 'sample':
      return {
        name: account.person,
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
}
