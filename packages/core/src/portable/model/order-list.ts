import type { OrderStatus } from './order-status.ts';

/** Entry of the order list (§2.2). Fields that the API docs do not name are kept as they came: read them with `Object.entries`. */
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
}

/** One page of orders, newest first (§4.2). */
export interface OrderList {
  orders: OrderSummary[];
  pagination: Pagination;
}
