import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Refusal } from './guard.ts';

/**
 * A request of node:http as the web `Request` that the SDK takes.
 * @returns why not, when the body is longer than `maxBytes` or is a list: a batch would be many calls in one request,
 *   and only the revision 2025-03-26 has batches
 */
export const readRequest = async (
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Request | Refusal> => {
  const tooLong = { status: 413, message: `The body is longer than ${maxBytes} bytes.` };
  const chunks: Buffer[] = [];
  let length = Number(incoming.headers['content-length'] ?? 0);
  if (length > maxBytes) return tooLong;
  length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return tooLong;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (/^\s*\[/.test(bytes.toString())) {
    return { status: 400, message: 'A batch is not taken; send each message in a request of its own.' };
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : bytes;
  return new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body, signal });
};

/** Sends a web `Response`, streamed where it streams. */
export const sendResponse = async (
  response: Response,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Promise<void> => {
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...headers });
  if (!response.body) {
    outgoing.end();
    return;
  }
  // A caller that goes away ends the stream, which is no failure of this server.
  await pipeline(Readable.fromWeb(response.body as import('node:stream/web').ReadableStream), outgoing).catch(() => {
    outgoing.destroy();
  });
};
