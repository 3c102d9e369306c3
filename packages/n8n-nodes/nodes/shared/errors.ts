import { stackFrames } from '@order-license/core/host';
import {
  type ErrorCode,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
  type OrderSummary,
  type RateLimitError,
} from '@order-license/core/portable';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { BaseError, ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { NodeContext } from './host';

type NodeFailure = NodeApiError['failure'];

interface Words {
  /** What happened. */
  message: string;
  /** What to do next; absent if the message says it. */
  description?: string;
  /** Read by n8n's poll engine, which then waits longer or asks the user for action. */
  cause?: NonNullable<NodeFailure>['cause'];
}

const words: Record<Exclude<ErrorCode, 'bad_request' | 'configuration' | 'invalid_response' | 'aborted'>, Words> = {
  authentication: {
    message: 'The API key was rejected',
    description:
      'Check that the API Key in the credential is complete and has not been revoked, or create a new one in the customer account.',
    cause: 'credential-invalid',
  },
  not_business_account: {
    message: 'The account of the API key is not a business account',
    description:
      'Only business accounts can use the API. Enter a company or a VAT ID in the customer account, then run the workflow again.',
    cause: 'configuration-invalid',
  },
  not_found: {
    message: 'No order with this ID belongs to the account',
    description:
      "Check the 'Order' field. To enter an order number instead of the internal ID, choose 'Number'. The order must belong to the account of the API key.",
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
      "The API kept returning 429, so something else uses the same API key. Run the workflow again later, create an API key for each use, or lower 'Requests per Minute' in the credential.",
    cause: 'rate-limited',
  },
  server: {
    message: 'The API returned a server error',
    description: 'All retries failed too. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
  connection: {
    message: 'The API could not be reached',
    description: 'Check the Base URL in the credential and the network connection of n8n, then run the workflow again.',
    cause: 'temporarily-unavailable',
  },
  timeout: {
    message: 'The API did not respond in time',
    description: 'Retries failed too. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
};

/** An error of n8n. The fields for other nodes are in `context.details`: see {@link toErrorItem}. */
export type NodeError = NodeApiError | NodeOperationError;

/**
 * Converts any error to one of n8n's: the message says what happened, the description what to do. Neither contains an API
 * key or a license key.
 * @param itemIndex the input item it belongs to, if any
 * @param order the order of a list that was being read
 * @param advice what else to do if this order fails
 */
export const toNodeError = (
  node: INode,
  error: unknown,
  itemIndex?: number,
  order?: OrderSummary,
  advice?: string,
): NodeError => {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) {
    error.context.itemIndex ??= itemIndex;
    return error;
  }
  if (error instanceof BaseError) return fromN8n(node, error, itemIndex);
  // Anything else thrown is a defect of this node; its message is hidden, since it could contain anything.
  if (!isOrderLicenseError(error)) {
    const name = error instanceof Error ? error.name : typeof error;
    const defect = new NodeOperationError(node, 'This node stopped unexpectedly', {
      description: `Please report this error (${name}) to the maintainers of the node.`,
      failure: { cause: 'node-defect' },
      itemIndex,
    });
    defect.stack = [`${defect.name}: ${defect.message}`, ...stackFrames(error)].join('\n    ');
    return withDetails(defect, { code: 'internal' });
  }
  const { message, description, cause } = wordsFor(error, order, advice);
  const details = {
    code: error.code,
    ...(error.reason !== undefined && { reason: error.reason }),
    ...(error.status !== undefined && { statusCode: error.status }),
    ...(isRateLimitError(error) && { retryAfterSeconds: secondsLeft(error) }),
    ...(error.serverText !== undefined && { serverText: error.serverText }),
    ...(!endsReading(error) && requestedOrder(error, order)),
  };
  const failure = failureFor(cause, error);
  if (error.code === 'configuration' || error.code === 'aborted' || (error.code === 'bad_request' && !error.status)) {
    return withDetails(new NodeOperationError(node, message, { description, failure, itemIndex }), details);
  }
  const httpCode = error.status === undefined ? undefined : String(error.status);
  return withDetails(
    new NodeApiError(node, { message }, { message, description, httpCode, failure, itemIndex }),
    details,
  );
};

/** An expression that cannot be evaluated, or a credential that cannot be read: n8n says what to do. */
const fromN8n = (node: INode, error: BaseError, itemIndex: number | undefined): NodeOperationError => {
  const isExpression = error instanceof ExpressionError;
  const failure = { cause: 'configuration-invalid' } as const;
  const functionality = isExpression ? error.functionality : 'regular';
  const shown = new NodeOperationError(node, error, { failure, functionality, itemIndex });
  return withDetails(shown, { code: isExpression ? 'bad_request' : 'configuration' });
};

/** The error for an invalid field: what is wrong, and what to do. Nothing was sent. */
export const inputError = (
  context: NodeContext,
  itemIndex: number | undefined,
  message: string,
  description: string,
  code: ErrorCode = 'bad_request',
): NodeOperationError => {
  const failure = { cause: 'configuration-invalid' } as const;
  return withDetails(new NodeOperationError(context.getNode(), message, { description, failure, itemIndex }), { code });
};

export const withDetails = <Made extends NodeError>(error: Made, details: IDataObject): Made => {
  error.context.details = details;
  return error;
};

/** Names an order in the details of an error. */
export const orderDetails = ({ id, bestellnummer }: OrderSummary): IDataObject => ({
  orderId: id,
  orderNumber: bestellnummer,
});

/** The order of the list, or the one that was requested by its ID: a number, unless that would be rounded. */
const requestedOrder = ({ orderId }: OrderLicenseError, order: OrderSummary | undefined): IDataObject => {
  if (order) return orderDetails(order);
  if (orderId === undefined) return {};
  return { orderId: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId };
};

/** Names an order in a message. */
export const orderName = ({ id, bestellnummer }: OrderSummary): string => `order ${bestellnummer} (ID ${id})`;

/** Whether an error concerns the key, the credential or the run, so that every other order would fail too. */
export const endsReading = (error: unknown): boolean =>
  !isOrderLicenseError(error) ||
  error.status === 401 ||
  error.status === 403 ||
  ['rate_limited', 'aborted', 'configuration'].includes(error.code);

const secondsLeft = ({ retryAfterMs }: RateLimitError): number => Math.ceil(retryAfterMs / 1000);

/** No permit was granted, so nothing was sent. */
const heldBack: Words = {
  message: 'Rate limit reached',
  description:
    'Other requests with the same API key have priority. Try again later, or create an API key for each use.',
  cause: 'rate-limited',
};

/** Used for a listed order. */
const missing: Words = {
  message: 'The order is in the list, but the API cannot find it',
  description: 'It may have been removed. Run the workflow again.',
};

const wordsFor = (error: OrderLicenseError, order: OrderSummary | undefined, advice: string | undefined): Words => {
  const local = isRateLimitError(error) && error.source === 'local';
  const byCode: Partial<Record<ErrorCode, Words>> = { ...words, ...(order && { not_found: missing }) };
  const known = local ? heldBack : (byCode[error.code] ?? fromCore(error));
  const ends = endsReading(error);
  const facts = [
    known.description,
    !ends && advice,
    error.status !== undefined && error.code === 'server' && `Status: ${error.status}.`,
    error.code === 'connection' && error.reason && `Code: ${error.reason}.`,
    isRateLimitError(error) && `The next request is possible in ${secondsLeft(error)} s.`,
    order && ends && `Reading stopped at ${orderName(order)}: it and the orders after it were not read.`,
    error.serverText && `The API says: ${error.serverText}`,
  ];
  const message = order && !ends ? `${sentence(orderName(order))}: ${known.message}` : known.message;
  return { ...known, message, description: facts.filter(Boolean).join(' ') };
};

/** The client's own detail and advice. */
const fromCore = ({ code, detail, advice }: OrderLicenseError): Words => ({
  message: detail,
  ...(advice !== undefined && { description: advice }),
  ...(code === 'configuration' && { cause: 'configuration-invalid' }),
});

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const failureFor = (cause: Words['cause'], error: OrderLicenseError): NodeFailure => {
  if (cause === 'rate-limited' && isRateLimitError(error)) return { cause, retryAfterMs: error.retryAfterMs };
  return cause && ({ cause } as NodeFailure);
};

/**
 * What the next node receives for an error, if the node is set to continue: the message as `error`, the rest in
 * `details`. n8n 2.41 sends a complete item to the error output only if it has just these two fields. If `error` is set
 * on the item instead of in its `json`, n8n keeps only the message.
 */
export const toErrorItem = (error: NodeError, item: number): INodeExecutionData => {
  const { message, description, context } = error;
  const details = { ...(context.details as IDataObject), ...(description && { advice: description }) };
  return { json: { error: message, details }, pairedItem: { item } };
};
