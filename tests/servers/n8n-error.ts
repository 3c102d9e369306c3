import type { ErrorCode } from '@order-license/core';

export interface NodeFailure {
  name: string;
  message: string;
  description: string | null | undefined;
  httpCode?: string | null;
  context?: { details?: NodeErrorDetails };
}

/** What another node may branch on. */
export interface NodeErrorDetails {
  code: ErrorCode;
  reason?: string;
  serverText?: string;
}

/** The parts of an error of the node; undefined for any other error. */
export const detailsOfNodeError = ({ name, context }: NodeFailure): NodeErrorDetails | undefined =>
  name === 'NodeApiError' || name === 'NodeOperationError' ? context?.details : undefined;
