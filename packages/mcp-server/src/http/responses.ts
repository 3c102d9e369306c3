import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../auth/rejection.ts';
import { asOneLine } from '../server/one-line.ts';

/** Returns a rejection as a JSON-RPC error. */
export const rejectionResponse = ({ status, message, details }: Rejection): Response => {
  const { code = -32000, id, headers, retryAfter } = details;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: id ?? null });
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

/** Sends a web `Response`. If its body is a stream, each piece is sent when it arrives. */
export const sendResponse = async (
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Promise<void> => {
  // node:http sets the connection headers itself, including the keep-alive time.
  const { connection: _, ...own } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...headers, ...own });
  outgoing.flushHeaders(); // sends the headers of a stream before its first piece arrives
  const body = response.body as import('node:stream/web').ReadableStream | null;
  const pieces = body && Readable.fromWeb(body);
  if (pieces && isStream(response)) await pipeline(pieces, eventLines, outgoing, { end: false });
  else if (pieces) await pipeline(pieces, outgoing, { end: false });
  // If the connection were closed while the client is still sending, the client would get a write error instead of the
  // response.
  if (!incoming.complete) await once(incoming.resume(), 'close');
  outgoing.end();
};

/** Whether the response is a stream of server-sent events. */
export const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Yields a stream's text, in which no JSON has a line separator. */
async function* eventLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) yield asOneLine(decoder.decode(piece, { stream: true }));
}
