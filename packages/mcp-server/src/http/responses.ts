import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../auth/rejection.ts';

/**
 * Returns a rejection as a JSON-RPC error.
 * @param asked the rejected message, if already read: the response gets its ID
 */
export const rejectionResponse = ({ status, message, details }: Rejection, asked: unknown): Response => {
  const { code = -32000, headers, retryAfter } = details;
  const id = (asked as { id?: unknown } | undefined)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: known });
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  });
};

/** Sends a web `Response`. A body that is a stream is sent piece by piece. */
export const sendResponse = async (
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Promise<void> => {
  // node:http sets the connection headers itself, with the keep-alive time.
  const { connection: _, ...own } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...headers, ...own });
  outgoing.flushHeaders(); // the headers of a stream must not wait for its first piece
  const body = response.body as import('node:stream/web').ReadableStream | null;
  if (body) await pipeline(Readable.fromWeb(body), outgoing, { end: false });
  // If the connection closed while a client still sends, the client would see a failed write instead of the response.
  if (!incoming.complete) await once(incoming.resume(), 'close');
  outgoing.end();
};
