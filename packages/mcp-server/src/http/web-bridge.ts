import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from './rejection.ts';

/** A request with its message as JSON; undefined where the method has none. */
export interface McpRequest {
  request: Request;
  message: unknown;
}

/**
 * A request of node:http as the web `Request` that the SDK takes.
 * @returns why not, when the body is longer than `maxBytes`, no JSON or a list: a batch would be many calls in one
 *   request, and only the revision 2025-03-26 has batches
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
  const { method = 'GET' } = incoming;
  const url = `http://${incoming.headers.host}${incoming.url}`;
  if (method !== 'POST') return { request: new Request(url, { method, headers, signal }), message: undefined };
  const message = parse(bytes);
  if (message === undefined) return { status: 400, code: -32700, message: 'The body is not JSON.' };
  if (Array.isArray(message)) {
    return { status: 400, message: 'Batches are not supported; send each message in its own request.' };
  }
  return { request: new Request(url, { method, headers, body: bytes, signal }), message };
};

/** @returns undefined for one that is too long */
const readBody = async (incoming: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Buffer[] = [];
  let length = Number(incoming.headers['content-length'] ?? 0);
  if (length <= maxBytes) {
    length = 0;
    // A loop that is left would destroy the connection, and with it the answer.
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

/** Sends a web `Response`, streamed where it streams. */
export const sendResponse = async (
  response: Response,
  outgoing: ServerResponse,
  headers: Record<string, string>,
): Promise<void> => {
  // What is said of the connection is the business of node:http, which adds for how long it is kept.
  const { connection: _, ...own } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, { ...own, ...headers });
  outgoing.flushHeaders(); // of a stream that has nothing to say yet
  if (!response.body) {
    outgoing.end();
    return;
  }
  // A caller that goes away ends the stream, which is no failure of this server.
  await pipeline(Readable.fromWeb(response.body as import('node:stream/web').ReadableStream), outgoing).catch(() => {
    outgoing.destroy();
  });
};
