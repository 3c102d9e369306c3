import type { ErrorCode } from '@order-license/core';

export interface NodeFailure {
  name: string;
  context?: { details?: NodeErrorDetails };
}

/** The fields that another node can branch on. */
export interface NodeErrorDetails {
  code: ErrorCode;
  reason?: string;
  serverText?: string;
}

/** Returns the details of an error from one of our nodes; undefined for any other error. */
export const detailsOfNodeError = ({ name, context }: NodeFailure): NodeErrorDetails | undefined =>
  name === 'NodeApiError' || name === 'NodeOperationError' ? context?.details : undefined;
