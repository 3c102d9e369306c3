import {
  type ErrorCode,
  isOrderLicenseError,
  isRateLimitError,
  type OrderLicenseError,
} from '@order-license/core/portable';
import type { INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

type NodeFailure = NodeApiError['failure'];

interface Words {
  /** What happened. */
  message: string;
  /** What to do next. */
  description: string;
  /** Read by n8n's poll engine, which then waits longer or asks for a hand. */
  cause?: NonNullable<NodeFailure>['cause'];
}

const words: Record<Exclude<ErrorCode, 'bad_request' | 'configuration' | 'invalid_response' | 'aborted'>, Words> = {
  authentication: {
    message: 'The API key was refused',
    description:
      'Check that the API Key of the credential is complete and has not been revoked, or create a new one in the customer account.',
    cause: 'credential-invalid',
  },
  not_business_account: {
    message: 'The account of the API key is not a business account',
    description:
      'The API is open to business accounts only. Enter a company or a VAT ID in the customer account, then run the workflow again.',
    cause: 'configuration-invalid',
  },
  not_found: {
    message: 'No order with this ID belongs to the account',
    description:
      "Check the 'Order' field. It takes the internal ID of an order; choose 'By Number' to give an order number. An order of another account is not found either.",
    cause: 'configuration-invalid',
  },
  rate_limited: {
    message: 'The limit of requests per minute is used up',
    description:
      "The service kept refusing with 429, so something else spends the same API key. Run the workflow again later, create an API key for each use, or lower 'Requests per Minute' in the credential.",
    cause: 'rate-limited',
  },
  server: {
    message: 'The service could not answer',
    description: 'The cause lies with the service; it was asked again without success. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
  connection: {
    message: 'The service could not be reached',
    description: 'Check the Base URL of the credential and the network of this n8n, then run the workflow again.',
    cause: 'temporarily-unavailable',
  },
  timeout: {
    message: 'The service did not answer in time',
    description: 'It was asked again without success. Run the workflow again later.',
    cause: 'temporarily-unavailable',
  },
};

/**
 * Any error as one of n8n's, with what happened as message and what to do as description. Neither holds an API key or
 * a license key.
 * @param itemIndex the input item it belongs to, where there is one
 * @param notFound the words for an order that is not there
 */
export const toNodeError = (
  node: INode,
  error: unknown,
  itemIndex?: number,
  notFound: Words = words.not_found,
): NodeApiError | NodeOperationError => {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) {
    error.context.itemIndex ??= itemIndex;
    return error;
  }
  // Whatever else was thrown is a defect of this node; its message is not shown, since it could hold anything.
  if (!isOrderLicenseError(error)) {
    const name = error instanceof Error ? error.name : typeof error;
    return new NodeOperationError(node, 'This node stopped unexpectedly', {
      description: `Please report this (${name}) to the makers of the node.`,
      failure: { cause: 'node-defect' },
      itemIndex,
    });
  }
  const { message, description, cause } = wordsFor(error, notFound);
  const failure = failureFor(cause, error);
  if (error.code === 'configuration' || error.code === 'aborted' || (error.code === 'bad_request' && !error.status)) {
    return new NodeOperationError(node, message, { description, failure, itemIndex });
  }
  const httpCode = error.status === undefined ? undefined : String(error.status);
  return new NodeApiError(node, { message }, { message, description, httpCode, failure, itemIndex });
};

/** Nobody has refused anything yet: the pacer knows that the limit is spent. */
const heldBack: Words = {
  message: 'The limit of requests per minute is used up',
  description:
    'Other uses of the same API key come first just now. Try again later, or create an API key for each use.',
  cause: 'rate-limited',
};

const wordsFor = (error: OrderLicenseError, notFound: Words): Words => {
  const local = isRateLimitError(error) && error.source === 'local';
  const byCode: Partial<Record<ErrorCode, Words>> = { ...words, not_found: notFound };
  const known = local ? heldBack : (byCode[error.code] ?? fromCore(error));
  const reason = error.code === 'connection' && /\(([A-Z0-9_]+)\)/.exec(error.message)?.[1];
  const facts = [
    known.description,
    error.status !== undefined && error.code === 'server' && `Status: ${error.status}.`,
    reason && `Code: ${reason}.`,
    isRateLimitError(error) && `Next possible call in ${Math.ceil(error.retryAfterMs / 1000)} s.`,
    error.page !== undefined && error.page > 1 && `Reading stopped at page ${error.page} of the list.`,
    error.serverText && `The service says: ${error.serverText}`,
  ];
  return { ...known, description: facts.filter(Boolean).join(' ') };
};

/** The client's own sentence: what happened; what to do. */
const fromCore = (error: OrderLicenseError): Words => {
  const [happened = '', ...rest] = error.message.replace(/\.$/, '').split('; ');
  const next = rest.join('; ');
  const description = next === '' ? '' : `${next.charAt(0).toUpperCase()}${next.slice(1)}.`;
  return { message: happened, description, ...(error.code === 'configuration' && { cause: 'configuration-invalid' }) };
};

const failureFor = (cause: Words['cause'], error: OrderLicenseError): NodeFailure => {
  if (cause === 'rate-limited' && isRateLimitError(error)) return { cause, retryAfterMs: error.retryAfterMs };
  return cause && ({ cause } as NodeFailure);
};

/**
 * What the next node gets for an input item that went wrong, when the node is set to continue. In this form, with
 * `error` alone, n8n passes it on whole to either output; from an item with an `error` beside `json`, it takes no more
 * than the message.
 */
export const toErrorItem = (error: NodeApiError | NodeOperationError, item: number): INodeExecutionData => {
  const { message, description } = error;
  const statusCode = 'httpCode' in error && error.httpCode ? Number(error.httpCode) : undefined;
  return {
    json: { error: { message, ...(description && { description }), ...(statusCode && { statusCode }) } },
    pairedItem: { item },
  };
};
