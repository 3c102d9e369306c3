import type { ErrorCode } from '@order-license/core';

export interface NodeFailure {
  name: string;
  message: string;
  description: string | null | undefined;
  httpCode?: string | null;
  context?: { details?: { code?: ErrorCode } };
}

/** The code of core that an error of the node stands for; undefined for any other error. */
export const codeOfNodeError = ({ name, context }: NodeFailure): ErrorCode | undefined =>
  name === 'NodeApiError' || name === 'NodeOperationError' ? context?.details?.code : undefined;
