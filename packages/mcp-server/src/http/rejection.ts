import type { IncomingMessage, ServerResponse } from 'node:http';

/** Why a request is turned away before MCP comes into it. */
export interface Rejection {
  status: number;
  /** For the caller. */
  message: string;
  /** For the log, if `message` holds more than fixed words. */
  logged?: string;
  /** What was wrong in the request, quoted; logged only with the access log. */
  found?: string | undefined;
  headers?: Record<string, string>;
  /** Of JSON-RPC; -32000 if left out. */
  code?: number;
}

/**
 * Answers with a JSON-RPC error.
 * @param more further headers
 * @param asked what is rejected, if it was read so far: the answer to it has its ID
 */
export const sendRejection = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, message, headers, code = -32000 }: Rejection,
  more: Record<string, string> = {},
  asked?: unknown,
): void => {
  const id = (asked as { id?: unknown } | undefined)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: known });
  const length = String(Buffer.byteLength(body));
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...more, ...headers });
  if (incoming.method !== 'POST' || incoming.closed) {
    outgoing.end(body);
    return;
  }
  // Whoever still sends when the connection closes sees a failed write instead of the answer.
  outgoing.write(body);
  incoming.once('close', () => outgoing.end()).resume();
};
