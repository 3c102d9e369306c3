import type { ErrorReason } from '../api/error-reason.ts';

/** Summary of a response, without keys, names and amounts. */
export interface AnswerSummary {
  /** The reason of an error, e.g. `rateLimited` or `orderNotFound`. */
  error?: ErrorReason;
  /** In a list: number of orders on this page. */
  orders?: number;
  /** In a list: `pagination.total`. */
  total?: number;
  /** In a list: `pagination.pages`. */
  pages?: number;
  /** In an order: its ID, as in `state` and faults. */
  orderId?: number;
  /** In an order: total number of license codes. */
  licenseCodes?: number;
}
