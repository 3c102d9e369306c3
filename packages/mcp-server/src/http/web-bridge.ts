import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * A request of node:http as the web `Request` that the SDK takes.
 * @returns undefined when the body is longer than `maxBytes`
 */
export const readRequest = async (
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Request | undefined> => {
  const chunks: Buffer[] = [];
  let length = Number(incoming.headers['content-length'] ?? 0);
  if (length > maxBytes) return undefined;
  length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
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
