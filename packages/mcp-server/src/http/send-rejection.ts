import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rejection } from '../auth/rejection.ts';

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
