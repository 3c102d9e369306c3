import {
  type ErrorCode,
  isRateLimitError,
  type OrderLicenseError,
  type OrderSummary,
  type RateLimitError,
} from '@order-license/core/portable';
import type { NodeApiError } from 'n8n-workflow';

/** What n8n shows for an error. */
export interface ErrorWords {
  /** What happened. */
  message: string;
  /** What to do next; absent if the message already says so. */
  description?: string;
  /** Tells n8n's poll engine whether to poll less often or to ask the user to act. */
  cause?: NonNullable<NodeApiError['failure']>['cause'];
}

const words: Record<
  Exclude<ErrorCode, 'bad_request' | 'configuration' | 'invalid_response' | 'aborted'>,
  ErrorWords
> = {
  authentication: {
    message: 'The API key was rejected',
    description:
      'Check that the API Key in the credential is complete and has not been revoked, or create a new one in the customer account.',
    cause: 'credential-invalid',
  },
  not_business_account: {
    message: "The API key's account is not a business account",
    description:
      'Only business accounts can use the API. Enter a company or a VAT ID in the customer account, then run the workflow again.',
    cause: 'configuration-invalid',
  },
  not_found: {
    message: 'No order with this ID belongs to the account',
    description:
      "Check the 'Order' field. To enter an order number instead of the internal ID, choose 'Number'. The order must belong to the account that owns the API key.",
    cause: 'configuration-invalid',
  },
  not_located: {
    message: 'No order with this number was found where expected in the list',
    description: 'Check the order number.',
    cause: 'configuration-invalid',
  },
  rate_limited: {
    message: 'Rate limit reached',
    description:
      "The API kept returning 429, so something else uses the same API key. Run the workflow again later, create a separate API key for each use, or lower 'Requests per Minute' in the credential.",
    cause: 'rate-limited',
  },
  server: {
    message: 'The API returned a server error',
    description: 'All retries failed. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
  connection: {
    message: 'The API could not be reached',
    description: 'Check the Base URL in the credential and the network connection of n8n, then run the workflow again.',
    cause: 'temporarily-unavailable',
  },
  timeout: {
    message: 'The API did not respond in time',
    description: 'All retries failed. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
};

/** Replaces the words for `rate_limited` if the client itself granted no permit, so nothing was sent. */
const heldBack: ErrorWords = {
  message: 'Rate limit reached',
  description:
    'Other requests with the same API key have priority. Try again later, or create a separate API key for each use.',
  cause: 'rate-limited',
};

/** Replaces `not_found` for an order that the list contains. */
const missing: ErrorWords = {
  message: 'The order is in the list, but the API cannot find it',
  description: 'The order may have been removed. Run the workflow again.',
};
/** Also correct in an error item, for which 'Continue' is already set. */
const howToGoOn = "If 'On Error' is set to 'Continue' in the node's settings, the other orders are read anyway.";

/** @param order the listed order that could not be read */
export const wordsFor = (error: OrderLicenseError, order: OrderSummary | undefined): ErrorWords => {
  const local = isRateLimitError(error) && error.source === 'local';
  const byCode: Partial<Record<ErrorCode, ErrorWords>> = { ...words, ...(order && { not_found: missing }) };
  const known = local ? heldBack : (byCode[error.code] ?? fromCore(error));
  const unread = ordersNotRead(error);
  const facts = [
    known.description,
    order && howToGoOn,
    error.status !== undefined && error.code === 'server' && `Status: ${error.status}.`,
    error.code === 'connection' && error.reason && `Code: ${error.reason}.`,
    isRateLimitError(error) && `The next request is possible in at least ${secondsLeft(error)} s.`,
    error.oldest && `Reading stopped at the order created at ${error.oldest} UTC; older orders were not read.`,
    unread.length > 0 && `The orders with these IDs could not be read either: ${unread.join(', ')}.`,
    error.received && error.code in words && `A firewall or proxy may have sent this response: ${error.received}.`,
    ...(error.warnings ?? []),
    error.requestId && `Request ID: ${error.requestId}.`,
    error.serverText && `The API says: ${error.serverText}`,
  ];
  const message = order ? `Order ${order.bestellnummer} (ID ${order.id}): ${known.message}` : known.message;
  return { ...known, message, description: facts.filter(Boolean).join(' ') };
};

/** Uses the error's own detail and advice, for codes that have no words above. */
const fromCore = ({ code, detail, received, advice }: OrderLicenseError): ErrorWords => ({
  message: received === undefined ? detail : `${detail} (${received})`,
  ...(advice !== undefined && { description: advice }),
  ...(code === 'configuration' && { cause: 'configuration-invalid' }),
});

export const secondsLeft = ({ retryAfterMs }: RateLimitError): number => Math.ceil(retryAfterMs / 1000);

/** Errors that ended a list, with the IDs of the orders that had failed one after another. */
const unreadBy = new WeakMap<OrderLicenseError, OrderSummary['id'][]>();

/** Records which orders had failed, one after another, when an error ended the list. */
export const recordNotRead = (error: OrderLicenseError, ids: OrderSummary['id'][]): void => {
  if (ids.length > 0) unreadBy.set(error, ids);
};

/** Returns the IDs of the orders that had failed, one after another, when an error ended the list. */
export const ordersNotRead = (error: OrderLicenseError): OrderSummary['id'][] => unreadBy.get(error) ?? [];
