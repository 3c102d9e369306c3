import type { OrderStatus } from './order-status.ts';

/** The four values of the API docs (§2.6), open for later ones (§9). */
export type CodeType = 'retail' | 'volumen' | 'account' | 'abo' | (string & {});

/** One order with its items and license codes (§2.4). */
export interface Order {
  id: number;
  /** Order number, as shown to people. */
  bestellnummer: string;
  status: OrderStatus;
  /** Gross total: a decimal string with two fraction digits, unchanged. */
  gesamtpreis_brutto: string;
  /** Currency: an ISO 4217 code. */
  waehrung: string;
  items: OrderItem[];
  /** The API docs do not name its fields; an empty address may be `[]`, null or absent (U-17). */
  billing_address?: Record<string, unknown> | unknown[] | null | undefined;
  /** Payment status. The API docs do not list this and the next two for a single order; some services send them. */
  zahlungsstatus?: string | undefined;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `toDate()` reads it. */
  created_at?: string | undefined;
  /** Delivery status. */
  lieferstatus?: string | undefined;
}

/** Order item (§2.5). */
export interface OrderItem {
  id: number;
  product_name: string;
  /** Quantity. */
  menge: number;
  /** Gross unit price: a decimal string with two fraction digits, unchanged. */
  einzelpreis_brutto: string;
  /** Only for orders that are `bezahlt` or `abgeschlossen` (§3); otherwise empty, null or absent. */
  license_codes?: LicenseCode[] | null | undefined;
}

/** License code (§2.6). `license_key` is a secret. */
export interface LicenseCode {
  id: number;
  license_key: string;
  /** Type of the code; for `account`, the `license_key` is a login. */
  code_typ: CodeType;
  /** Null if there is no 64-bit download. */
  download_url_64: string | null;
  /** Null if there is no 32-bit download. */
  download_url_32: string | null;
  /** Number of activations allowed. */
  aktivierungen_bestellung: number;
}
