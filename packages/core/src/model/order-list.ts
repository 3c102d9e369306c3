import type { OrderStatus } from './order-status.ts';

/** Entry of the order list (§2.2). Undocumented fields are kept unchanged: read them with `Object.entries`. */
export interface OrderSummary {
  /** Internal order ID: the argument of `getOrder`. */
  id: number;
  /** Order number, as shown to people. */
  bestellnummer: string;
  status: OrderStatus;
  /** Payment status; free text. */
  zahlungsstatus: string;
  /** Gross total: a decimal string with two fraction digits, unchanged. */
  gesamtpreis_brutto: string;
  /** Currency: an ISO 4217 code. */
  waehrung: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; `toDate()` reads it. */
  created_at: string;
  /** Delivery status; free text. */
  lieferstatus: string;
}

/** Position in the list (§2.3). */
export interface Pagination {
  page: number;
  /** Entries per page that the service used, which may differ from the number requested. */
  per_page: number;
  /** Total orders. */
  total: number;
  /** Total pages, for this `per_page` and filter. */
  pages: number;
}

/** One page of orders, newest first (§4.2). */
export interface OrderList {
  orders: OrderSummary[];
  pagination: Pagination;
}
