import { argumentError } from '../base/errors.ts';
import {
  address,
  amount,
  currency,
  downloadUrl,
  integer,
  licenseKey,
  listOf,
  nullable,
  type ObjectOf,
  objectOf,
  oneOf,
  optional,
  orderId,
  orderNumber,
  text,
  timestamp,
  version,
} from './form.ts';

/** The order states (§3): their English names, and whether their orders can have license codes. */
const statuses = {
  ausstehend: { english: 'pending', hasLicenseCodes: false },
  bezahlt: { english: 'paid', hasLicenseCodes: true },
  abgeschlossen: { english: 'completed', hasLicenseCodes: true },
  storniert: { english: 'cancelled', hasLicenseCodes: false },
} as const;

/** A value that the list can be filtered by (§4.2). */
export type StatusFilter = keyof typeof statuses;

/** One of the four states in the API docs (§3), or one that the API adds later (§9). */
export type OrderStatus = StatusFilter | (string & {});

/** The order states, which are also the values of the list filter (§3, §4.2). */
export const orderStatuses = Object.keys(statuses) as [StatusFilter, ...StatusFilter[]];

/** Whether a status is one of the documented states (§3), in lower case. */
export const isDocumented = (status: unknown): status is StatusFilter => (orderStatuses as unknown[]).includes(status);

/** Returns the documented state (§3) that a status names, in any letter case; undefined for any other status. */
export const documentedStatus = (status: unknown): StatusFilter | undefined =>
  typeof status === 'string' ? orderStatuses.find((known) => known === status.toLowerCase()) : undefined;

const factsOf = (status: unknown) => {
  const known = documentedStatus(status);
  return known && statuses[known];
};

/** Returns the English name of a state (§3), such as `paid` for `bezahlt`; undefined for an undocumented state. */
export const statusReading = (status: unknown): string | undefined => factsOf(status)?.english;

/**
 * Whether orders in this state can have license codes (§3), in any letter case; undefined for an undocumented state.
 */
export const hasLicenseCodes = (status: unknown): boolean | undefined => factsOf(status)?.hasLicenseCodes;

/** @throws `bad_request` unless `status` is one of the four documented states */
export const checkStatus = (status: unknown): StatusFilter => {
  if (isDocumented(status)) return status;
  const choices = orderStatuses.map((known) => `${known} (${statuses[known].english})`);
  throw argumentError(`\`status\` must be one of ${choices.join(', ')}`);
};

const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;

/** One of the four types in the API docs (§2.6), or one that the API adds later (§9). */
export type CodeType = (typeof codeTypes)[number] | (string & {});

// The tables below describe the API's fields; the types, the schemas and the masks are derived from them.

export const userShape = {
  user_id: integer,
  email: text,
  name: text,
  /** Empty, null or absent for an account that has only a VAT ID (U-46). */
  company: optional(nullable(text)),
  /** Empty, null or absent for an account that has only a company (U-46). */
  vat_id: optional(nullable(text)),
  /** `<major>.<minor>`. */
  api_version: version,
};

/** Owner of the API key (§2.1). */
export interface User extends ObjectOf<typeof userShape> {}

export const orderSummaryShape = {
  /** Internal order ID: the argument of `getOrder`. */
  id: orderId,
  /** Order number, as shown to people. */
  bestellnummer: orderNumber,
  /** State of the order: `statusReading()` has its English name. */
  status: oneOf<OrderStatus>(orderStatuses),
  /** Payment status; free text. */
  zahlungsstatus: text,
  /** Gross total: a decimal string with two fraction digits, unchanged. */
  gesamtpreis_brutto: amount,
  /** Currency: an ISO 4217 code. */
  waehrung: currency,
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `toDate()` reads it. */
  created_at: timestamp,
  /** Delivery status; free text. */
  lieferstatus: text,
};

/** Entry of the order list (§2.2). Undocumented fields are kept unchanged: read them with `Object.entries`. */
export interface OrderSummary extends ObjectOf<typeof orderSummaryShape> {}

const paginationShape = {
  page: integer,
  /** Entries per page that the API used, which may differ from the number requested. */
  per_page: integer,
  /** Total number of orders that match the filter. */
  total: integer,
  /** Total number of pages, for this `per_page` and filter. */
  pages: integer,
};

/** Where a page is in the list (§2.3). */
export interface Pagination extends ObjectOf<typeof paginationShape> {}

export const orderListShape = {
  orders: listOf<OrderSummary>(orderSummaryShape),
  pagination: objectOf<Pagination>(paginationShape),
};

/** One page of orders, newest first (§4.2). */
export interface OrderList extends ObjectOf<typeof orderListShape> {}

export const licenseCodeShape = {
  id: integer,
  /** A secret. */
  license_key: licenseKey,
  /** Type of the code; for `account`, the `license_key` is a login. */
  code_typ: oneOf<CodeType>(codeTypes),
  /** Null if there is no 64-bit download. */
  download_url_64: nullable(downloadUrl),
  /** Null if there is no 32-bit download. */
  download_url_32: nullable(downloadUrl),
  /** Number of activations allowed. */
  aktivierungen_bestellung: integer,
};

/** License code (§2.6). `license_key` is a secret. */
export interface LicenseCode extends ObjectOf<typeof licenseCodeShape> {}

const orderItemShape = {
  id: integer,
  product_name: text,
  /** Quantity. */
  menge: integer,
  /** Gross unit price: a decimal string with two fraction digits, unchanged. */
  einzelpreis_brutto: amount,
  /**
   * License codes. Only orders that are `bezahlt` or `abgeschlossen` have them (§3); otherwise empty, null or absent.
   */
  license_codes: optional(nullable(listOf<LicenseCode>(licenseCodeShape))),
};

/** Line item of an order (§2.5). */
export interface OrderItem extends ObjectOf<typeof orderItemShape> {}

const { zahlungsstatus, created_at, lieferstatus, ...sharedFields } = orderSummaryShape;

export const orderShape = {
  ...sharedFields,
  items: listOf<OrderItem>(orderItemShape),
  /** Billing address. The API docs do not name its fields; an empty address may be `[]`, null or absent (U-17). */
  billing_address: optional(nullable(address)),
  /**
   * Payment status. The API docs list this field and the next two only for list entries; the API may send them here,
   * too.
   */
  zahlungsstatus: optional(zahlungsstatus),
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `toDate()` reads it. */
  created_at: optional(created_at),
  /** Delivery status. */
  lieferstatus: optional(lieferstatus),
};

/** One order with its items and license codes (§2.4). */
export interface Order extends ObjectOf<typeof orderShape> {}
