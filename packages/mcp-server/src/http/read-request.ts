import type { IncomingMessage } from 'node:http';
import { Rejection } from '../auth/rejection.ts';

/** Maximum length of a body, bytes. The arguments of a tool are a few hundred bytes long. */
const maxBodyBytes = 256 * 1024;

/** A POST request, and the message in its body. */
export interface McpRequest {
  request: Request;
  message: unknown;
}

/**
 * Converts a POST request from node:http to the web `Request` that the SDK expects.
 * @throws Rejection if the body is too long, not JSON, or a list. A list is a batch of calls, which only protocol
 * revision 2025-03-26 allows
 */
export const readRequest = async (incoming: IncomingMessage, signal: AbortSignal): Promise<McpRequest> => {
  const body = await readBody(incoming);
  const headers = incoming.headers as Record<string, string>; // the only header with a list as its value would be set-cookie
  const message = parse(body);
  if (Array.isArray(message)) {
    throw new Rejection(400, 'Batches are not supported; send each message in its own request.');
  }
  const url = `http://${incoming.headers.host}${incoming.url}`;
  return { request: new Request(url, { method: 'POST', headers, body, signal }), message };
};

const readBody = async (incoming: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const tooLong = new Rejection(413, `The body is longer than ${maxBodyBytes} bytes.`);
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLong;
  const chunks: Buffer[] = [];
  let length = 0;
  // Without this option, leaving the loop early would destroy the connection before the response is sent.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) throw tooLong;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Rejection(400, 'The body is not JSON.', { code: -32700 });
  }
};
