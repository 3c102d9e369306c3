import { concernsEveryOrder, stackFrames } from '@order-license/core/host';
import {
  type ErrorCode,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import type { BaseError, ExpressionError, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { causes, wordsFor } from './error-words';
import type { NodeContext } from './host';

/** An n8n error. The fields for other nodes are in `context.details`: see {@link toErrorItem}. */
export type NodeError = NodeApiError | NodeOperationError;

/**
 * Converts any error to an n8n error: the message says what happened, the description what to do. Neither contains an
 * API key or a license key.
 * @param itemIndex the input item that caused the error, if any
 * @param order the listed order that could not be read
 */
export const toNodeError = (node: INode, error: unknown, itemIndex?: number, order?: OrderSummary): NodeError => {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) {
    error.context.itemIndex ??= itemIndex;
    return error;
  }
  if (isFromN8n(error)) return fromN8n(node, error, itemIndex);
  // Any other exception is a bug in this node. Its message is hidden, because it could contain anything.
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
  const { message, description } = wordsFor(error, order);
  const isLimit = isRateLimitError(error);
  const details = {
    code: error.code,
    reason: error.reason,
    statusCode: error.status,
    retryAfterSeconds: isLimit ? Math.ceil(error.retryAfterMs / 1000) : undefined,
    serverText: error.serverText,
    requestId: error.requestId,
    ...requestedOrder(error, order),
  };
  const cause = causes[error.code];
  const failure = cause && ({ cause, ...(isLimit && { retryAfterMs: error.retryAfterMs }) } as NodeApiError['failure']);
  if (error.code === 'configuration' || error.code === 'aborted' || (error.code === 'bad_request' && !error.status)) {
    return withDetails(new NodeOperationError(node, message, { description, failure, itemIndex }), details);
  }
  const httpCode = error.status === undefined ? undefined : String(error.status);
  const shown = new NodeApiError(node, { message }, { message, description, httpCode, failure, itemIndex });
  // n8n replaces a message that contains a code such as ECONNRESET.
  return withDetails(Object.assign(shown, { message }), details);
};

/**
 * Whether n8n threw this error. Tests the fields, because an installation with npm adds a copy of n8n-workflow that only
 * this package uses, with classes of its own.
 */
const isFromN8n = (error: unknown): error is BaseError =>
  error instanceof Error && 'level' in error && 'shouldReport' in error && 'tags' in error;

/**
 * Converts n8n's error about an expression that cannot be evaluated, or a credential that cannot be read. n8n's message
 * already says what to do.
 */
const fromN8n = (node: INode, error: BaseError, itemIndex: number | undefined): NodeOperationError => {
  const isExpression = error.name === 'ExpressionError';
  const failure = { cause: 'configuration-invalid' } as const;
  const functionality = isExpression ? (error as ExpressionError).functionality : 'regular';
  const shown = new NodeOperationError(node, error, { failure, functionality, itemIndex });
  return withDetails(shown, { code: isExpression ? 'bad_request' : 'configuration' });
};

/**
 * Creates the error for a field that is found invalid before anything is sent.
 * @param message what is wrong
 * @param description what to do
 */
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

/** Sets the fields of an error for other nodes; those that are undefined are left out. */
const withDetails = <Made extends NodeError>(error: Made, details: IDataObject): Made => {
  error.context.details = withoutUndefined(details);
  return error;
};

const withoutUndefined = (fields: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Returns the requested order's ID, and also its order number if the order came from a list. The ID is a number if
 * JavaScript can represent it exactly. Returns no fields if the error concerns the API key, the credential or the whole
 * run.
 */
const requestedOrder = (error: OrderLicenseError, order: OrderSummary | undefined): IDataObject => {
  if (order) return { orderId: order.id, orderNumber: order.bestellnummer };
  const { code, orderId } = error;
  if (orderId === undefined || code === 'rate_limited' || concernsEveryOrder(error)) return {};
  return { orderId: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId };
};

/**
 * Creates the item that the next node receives for an error, if the node is set to continue: the message is in `error`,
 * the rest in `details`. With any other field, n8n 2.41 would not send the complete item to the error output. If
 * `error` were set on the item instead of in its `json`, n8n would keep only the message.
 * @param notRequested whether an earlier input item caused the error, so that nothing was requested for this one
 */
export const toErrorItem = (
  { message, description, context }: NodeError,
  item: number,
  notRequested = false,
): INodeExecutionData => {
  const { orderId, orderNumber, ...common } = context.details as IDataObject;
  const own = notRequested ? { notRequested } : { orderId, orderNumber };
  const details = withoutUndefined({ ...common, ...own, advice: description || undefined });
  return { json: { error: message, details }, pairedItem: { item } };
};
