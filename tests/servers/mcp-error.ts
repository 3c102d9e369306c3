import type { ErrorCode } from '@order-license/core';

/** As much of a failed tool call as all MCP clients give. */
interface FailedResult {
  _meta?: Record<string, unknown> | undefined;
}

/** What a program reads of an error result of the MCP server, written down once more: its key and fields are public. */
export interface McpError {
  code: ErrorCode | 'internal';
  reason?: string;
  detail: string;
  advice?: string;
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

/** The parts of an error result. Throws where it has no code that the documentation names. */
export const errorOfResult = ({ _meta }: FailedResult): McpError => {
  const error = _meta?.['io.github.order-license/error'] as Partial<McpError> | undefined;
  if (!codes.includes(String(error?.code)) || typeof error?.detail !== 'string') {
    throw new Error(`This is no named error: ${JSON.stringify(error)}`);
  }
  return error as McpError;
};
