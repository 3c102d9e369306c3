import { concernsEveryOrder, stackFrames } from '@order-license/core/host';
import {
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
  type OrderSummary,
} from '@order-license/core/portable';
import type { BaseError, ExpressionError, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

// Users also see texts from fields.ts, date.ts, as-tool.ts, list-filters.ts and order-totals.ts (fields), credential.ts,
// host.ts, get-order.operation.ts, list-orders.operation.ts (orders), OrderLicenseTrigger.node.ts (tests),
// execution-hints.ts.

/** An n8n error. The fields for other nodes are in `context.details`: see {@link toErrorItem}. */
export type NodeError = NodeApiError | NodeOperationError;

/**
 * Converts any error to an n8n error: the message says what happened, the description what to do. Neither contains the
 * API key. Whether they may contain a license key depends on `protectError`.
 * @param itemIndex the input item that caused the error, if any
 * @param order the listed order that could not be read
 */
export const toNodeError = (node: INode, error: unknown, itemIndex?: number, order?: OrderSummary): NodeError => {
  if (isFromN8n(error)) return fromN8n(node, error, itemIndex);
  if (order) adviseIfMissing(error, listedAdvice);
  // Any other exception is a bug in this node. Its message is hidden, because it could contain anything.
  if (!isOrderLicenseError(error)) {
    const name = error instanceof Error ? error.name : typeof error;
    const defect = new NodeOperationError(node, 'This node stopped unexpectedly', {
      description: `Please report this error (${name}) to the maintainers of the node.`,
      itemIndex,
    });
    defect.stack = [`${defect.name}: ${defect.message}`, ...stackFrames(error)].join('\n    ');
    return withDetails(defect, { code: 'internal' });
  }
  const { code, status, detail, received } = error;
  const what = received === undefined ? detail : `${detail} (${received})`;
  const message = order ? `Order ${order.bestellnummer} (ID ${order.id}): ${what}` : what;
  const retryAfterMs = isRateLimitError(error) ? error.retryAfterMs : undefined;
  const details = {
    code,
    reason: error.reason,
    statusCode: status,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000),
    serverText: error.serverText,
    requestId: error.requestId,
    ...requestedOrder(error, order),
  };
  const options = { description: descriptionOf(error), itemIndex };
  const shown =
    status === undefined
      ? new NodeOperationError(node, message, options)
      : new NodeApiError(node, { message }, { ...options, message, httpCode: String(status) });
  // n8n replaces a message that contains a code such as ECONNRESET.
  return withDetails(Object.assign(shown, { message }), details);
};

/** What to do if a list contains the order, but the API returns 404 for it. */
export const listedAdvice = 'The order may have been removed, or may be too new to be read. Try again in a minute.';

/** Sets the advice of an error if it is a 404 for an order; other errors stay as they are. */
export const adviseIfMissing = (error: unknown, advice: string): unknown =>
  isOrderLicenseError(error) && error.code === 'not_found' && !error.search ? Object.assign(error, { advice }) : error;

const otherUse =
  "Something else probably uses the same API key. Create a separate API key for each use, or lower 'Requests per Minute' in the credential.";

/** Returns what to do next, and what else is known. Empty if the message already says what to do. */
const descriptionOf = (error: OrderLicenseError): string => {
  const facts = [
    error.advice,
    isRateLimitError(error) && error.source === 'server' && otherUse,
    error.oldest && `Reading stopped at the order created at ${error.oldest} UTC; older orders were not read.`,
    ...(error.warnings ?? []),
    error.requestId && `Request ID: ${error.requestId}.`,
    error.serverText && `The API says: ${error.serverText}`,
  ];
  return facts.filter(Boolean).join(' ');
};

/**
 * Whether n8n threw this error, or `toNodeError` returned it earlier. Tests fields and not classes, because npm can
 * install a second copy of n8n-workflow for this package.
 */
const isFromN8n = (error: unknown): error is BaseError =>
  error instanceof Error && 'level' in error && 'shouldReport' in error && 'tags' in error;

/**
 * Converts n8n's error about an expression that cannot be evaluated, or a credential that cannot be read. n8n's message
 * already says what to do.
 */
const fromN8n = (node: INode, error: BaseError, itemIndex: number | undefined): NodeError => {
  const { functionality } = error as Partial<ExpressionError>;
  const shown = error instanceof NodeApiError ? error : new NodeOperationError(node, error, { functionality });
  shown.context.itemIndex ??= itemIndex;
  shown.context.details ??= { code: error.name === 'ExpressionError' ? 'bad_request' : 'configuration' };
  return shown;
};

/** Sets the fields of an error for other nodes; those that are undefined are left out. */
const withDetails = <Made extends NodeError>(error: Made, details: IDataObject): Made => {
  error.context.details = withoutUndefined(details);
  return error;
};

const withoutUndefined = (fields: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Returns the requested order's ID, and also its order number if the order came from a list. An ID that the user
 * entered is a number if JavaScript can represent it exactly. Returns no fields if the error concerns the API key, the
 * credential or the whole run.
 */
const requestedOrder = (error: OrderLicenseError, order: OrderSummary | undefined): IDataObject => {
  if (order) return { orderId: order.id, orderNumber: order.bestellnummer };
  const { code, orderId } = error;
  if (orderId === undefined || code === 'rate_limited' || concernsEveryOrder(error)) return {};
  return { orderId: Number.isSafeInteger(Number(orderId)) ? Number(orderId) : orderId };
};

/**
 * Creates the item that the next node receives for an error, if the node is set to continue: the message is in `error`,
 * the rest in `details`. The item has no other fields, because n8n 2.41 cuts every other form.
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
