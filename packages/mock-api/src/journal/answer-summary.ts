import type { ErrorReason } from '../api/error-reason.ts';

/** Summary of an answer: only numbers and IDs, no key, name or amount. */
export interface AnswerSummary {
  /** The reason of an error, e.g. `rateLimited` or `orderNotFound`. */
  error?: ErrorReason;
  /** In a list: number of orders on this page. */
  orders?: number;
  /** In a list: `pagination.total`. */
  total?: number;
  /** In a list: `pagination.pages`. */
  pages?: number;
  /** In an order: its ID, as `state` and faults use it. */
  orderId?: number;
  /** In an order: number of license codes over all items. */
  licenseCodes?: number;
}
