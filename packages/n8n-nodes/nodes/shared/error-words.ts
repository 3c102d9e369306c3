import {
  type ErrorCode,
  isRateLimitError,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import type { NodeApiError } from 'n8n-workflow';

/** What n8n shows for an error. */
export interface ErrorWords {
  /** What happened. */
  message: string;
  /** What to do next; empty if the message already says so. */
  description: string;
}

type Cause = NonNullable<NodeApiError['failure']>['cause'];

/** Tells n8n's poll engine whether to poll less often or to ask the user to act. */
export const causes: Partial<Record<ErrorCode, Cause>> = {
  authentication: 'credential-invalid',
  configuration: 'configuration-invalid',
  connection: 'temporarily-unavailable',
  not_business_account: 'configuration-invalid',
  not_found: 'configuration-invalid',
  not_located: 'configuration-invalid',
  rate_limited: 'rate-limited',
  server: 'temporarily-unavailable',
  timeout: 'temporarily-unavailable',
};

const removed = 'The order may have been removed. Run the workflow again.';
const checkId =
  "Check the 'Order' field. To enter an order number instead of the internal ID, choose 'By Number'. The order must belong to the account that owns the API key.";
const otherUse =
  "Something else uses the same API key. Create a separate API key for each use, or lower 'Requests per Minute' in the credential.";

/**
 * Returns core's own words, with the names of n8n's fields where the advice is about a field.
 * @param order the listed order that could not be read
 */
export const wordsFor = (error: OrderLicenseError, order: OrderSummary | undefined): ErrorWords => {
  const { code, detail, received } = error;
  const what = received === undefined ? detail : `${detail} (${received})`;
  const message = order ? `Order ${order.bestellnummer} (ID ${order.id}): ${what}` : what;
  const missing = order ? removed : checkId;
  const facts = [
    code === 'not_found' && !error.search ? missing : error.advice,
    isRateLimitError(error) && error.source === 'server' && otherUse,
    error.oldest && `Reading stopped at the order created at ${error.oldest} UTC; older orders were not read.`,
    ...(error.warnings ?? []),
    error.requestId && `Request ID: ${error.requestId}.`,
    error.serverText && `The API says: ${error.serverText}`,
  ];
  return { message, description: facts.filter(Boolean).join(' ') };
};
