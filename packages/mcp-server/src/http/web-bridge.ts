import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../auth/rejection.ts';

/** A POST request with its message as JSON. */
export interface McpRequest {
  request: Request;
  message: unknown;
}

/**
 * Converts a POST request of node:http to the web `Request` that the SDK expects.
 * @returns a rejection if the body is longer than `maxBytes`, not JSON or a list: a batch would be many calls in one
 *   request, and only revision 2025-03-26 has batches
 */
export const readRequest = async (
  incoming: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<McpRequest | Rejection> => {
  const bytes = await readBody(incoming, maxBytes);
  if (bytes === undefined) return { status: 413, message: `The body is longer than ${maxBytes} bytes.` };
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const message = parse(bytes);
  if (message === undefined) return { status: 400, code: -32700, message: 'The body is not JSON.' };
  if (Array.isArray(message)) {
    return { status: 400, message: 'Batches are not supported; send each message in its own request.' };
  }
  return { request: new Request(url, { method: 'POST', headers, body: bytes, signal }), message };
};

/** @returns undefined if the body is too long */
const readBody = async (incoming: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Buffer[] = [];
  let length = Number(incoming.headers['content-length'] ?? 0);
  if (length <= maxBytes) {
    length = 0;
    // Leaving the loop would destroy the connection, and with it the answer.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  }
  return length <= maxBytes ? Buffer.concat(chunks) : undefined;
};

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** Sends a web `Response`, as a stream if it is one. */
export const sendResponse = async (
  response: Response,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Promise<void> => {
  // node:http sets the connection headers itself, with the keep-alive time.
  const { connection: _, ...own } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...own, ...headers });
  outgoing.flushHeaders(); // of a stream that is still empty
  if (!response.body) {
    outgoing.end();
    return;
  }
  // A caller that disconnects ends the stream; that isn't a failure of this server.
  await pipeline(Readable.fromWeb(response.body as import('node:stream/web').ReadableStream), outgoing).catch(() => {
    outgoing.destroy();
  });
};
