import type { ErrorReason } from '../api/error-reason.ts';

/** What an answer said: numbers and IDs alone, no key, no name, no amount. */
export interface AnswerSummary {
  /** Why it is an error, e.g. `rateLimited` or `orderNotFound`. */
  error?: ErrorReason;
  /** In a list: the orders on this page. */
  orders?: number;
  /** In a list: `pagination.total`. */
  total?: number;
  /** In a list: `pagination.pages`. */
  pages?: number;
  /** In an order: its ID, as `state` and faults take it. */
  orderId?: number;
  /** In an order: its license codes, over all items. */
  licenseCodes?: number;
}
