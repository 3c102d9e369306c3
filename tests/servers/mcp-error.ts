import type { ErrorCode } from '@order-license/core';

/** The part of a failed tool call that all MCP clients return. */
interface FailedResult {
  _meta?: Record<string, unknown> | undefined;
}

/**
 * The fields that a program reads from an error result of the MCP server. They are declared again here, so that a
 * change to these public fields fails the tests.
 */
export interface McpError {
  code: ErrorCode | 'internal';
  reason?: string;
  detail: string;
  advice?: string;
  retryAfterMs?: number;
  serverText?: string;
}

const codes: readonly string[] = [
  'bad_request',
  'authentication',
  'not_business_account',
  'not_found',
  'not_located',
  'rate_limited',
  'server',
  'connection',
  'timeout',
  'aborted',
  'invalid_response',
  'configuration',
  'internal',
] satisfies McpError['code'][];

/** Returns the parts of an error result. Throws if it has no documented code. */
export const errorOfResult = ({ _meta }: FailedResult): McpError => {
  const error = _meta?.['io.github.order-license/error'] as Partial<McpError> | undefined;
  if (!codes.includes(String(error?.code)) || typeof error?.detail !== 'string') {
    throw new Error(`Not a documented error: ${JSON.stringify(error)}`);
  }
  return error as McpError;
};
