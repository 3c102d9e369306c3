/** Owner of the API key (§2.1). */
export interface User {
  user_id: number;
  email: string;
  name: string;
  /** May be empty (or null or absent) for an account that has only a VAT ID. */
  company: string;
  /** May be empty (or null or absent) for an account that has only a company. */
  vat_id: string;
  /** `<major>.<minor>`. */
  api_version: string;
}

/** The four values of the text (§3), open for later ones (§9). */
export type OrderStatus = 'ausstehend' | 'bezahlt' | 'abgeschlossen' | 'storniert' | (string & {});

/** The four values of the text (§2.6), open for later ones (§9). */
export type CodeType = 'retail' | 'volumen' | 'account' | 'abo' | (string & {});

/** Entry of the order list (§2.2). Fields that the text does not name are kept as they came. */
export interface OrderSummary {
  /** Internal order ID: the argument of `getOrder`. */
  id: number;
  /** Order number, as people know it. */
  bestellnummer: string;
  status: OrderStatus;
  /** Payment status; free text. */
  zahlungsstatus: string;
  /** Gross total: a decimal string with two fraction digits, as it came. */
  gesamtpreis_brutto: string;
  /** ISO 4217 code. */
  waehrung: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `toDate()` reads it. */
  created_at: string;
  /** Delivery status; free text. */
  lieferstatus: string;
  [further: string]: unknown;
}

/** Place in the list (§2.3). */
export interface Pagination {
  page: number;
  /** Entries per page that the service used, which need not be the number asked for. */
  per_page: number;
  /** Orders in all. */
  total: number;
  /** Pages in all, for this `per_page` and filter. */
  pages: number;
  [further: string]: unknown;
}

/** One page of orders, newest first (§4.2). */
export interface OrderList {
  orders: OrderSummary[];
  pagination: Pagination;
  [further: string]: unknown;
}

/** One order with positions and license codes (§2.4). */
export interface Order {
  id: number;
  bestellnummer: string;
  status: OrderStatus;
  /** Gross total: a decimal string with two fraction digits, as it came. */
  gesamtpreis_brutto: string;
  waehrung: string;
  items: OrderItem[];
  /** Inner fields are not in the text; an empty address may come as `[]` or null. */
  billing_address: Record<string, unknown>;
  /** The text does not say that the detail has these three; some services send them. */
  zahlungsstatus?: string;
  created_at?: string;
  lieferstatus?: string;
  [further: string]: unknown;
}

/** Order position (§2.5). */
export interface OrderItem {
  id: number;
  product_name: string;
  /** Quantity. */
  menge: number;
  /** Gross unit price: a decimal string with two fraction digits, as it came. */
  einzelpreis_brutto: string;
  /** Only for orders that are `bezahlt` or `abgeschlossen` (§3); otherwise empty, null or absent. */
  license_codes?: LicenseCode[] | null;
  [further: string]: unknown;
}

/** License code (§2.6). `license_key` is a secret. */
export interface LicenseCode {
  id: number;
  license_key: string;
  code_typ: CodeType;
  download_url_64: string | null;
  download_url_32: string | null;
  /** Number of activations allowed. */
  aktivierungen_bestellung: number;
  [further: string]: unknown;
}
