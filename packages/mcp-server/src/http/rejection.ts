import type { IncomingMessage, ServerResponse } from 'node:http';

/** Why a request is rejected before MCP handles it. */
export interface Rejection {
  status: number;
  /** For the caller. */
  message: string;
  /** For the log, if `message` contains more than fixed words. */
  logged?: string;
  /** The invalid part of the request, quoted; logged only with the access log. */
  found?: string | undefined;
  headers?: Record<string, string>;
  /** JSON-RPC error code; default -32000. */
  code?: number;
}

/**
 * Answers with a JSON-RPC error.
 * @param more further headers
 * @param asked the rejected message, if already read: the answer has its ID
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
  // A client still sending when the connection closes sees a failed write instead of the answer.
  outgoing.write(body);
  incoming.once('close', () => outgoing.end()).resume();
};
