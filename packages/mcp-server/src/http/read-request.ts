import type { IncomingMessage } from 'node:http';
import { isJsonContentType, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { readBody } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { Rejection } from '../auth/rejection.ts';
import { type InvalidMessage, isInitialize, readMessage } from '../server/read-message.ts';
import { type ResponseForm, readAccept } from './accept.ts';

/** Maximum length of a body, bytes. The arguments of a tool are a few hundred bytes long. */
const maxBodyBytes = 256 * 1024;

const revisionHeader = 'mcp-protocol-version';

/** A POST request, and the message in its body. */
export interface McpRequest {
  request: Request;
  message: JSONRPCMessage;
  form: ResponseForm;
}

/**
 * Converts a POST request from node:http to the web `Request` that the SDK expects.
 * @throws Rejection if the body is too long, or not a message. A list is a batch of calls, which only protocol revision
 * 2025-03-26 allows
 */
export const readRequest = async (incoming: IncomingMessage, signal: AbortSignal): Promise<McpRequest> => {
  const body = await receive(incoming);
  const headers = incoming.headers as Record<string, string>; // the only header with a list as its value would be set-cookie
  if (!isJsonContentType(headers['content-type'])) {
    throw new Rejection(415, 'Unsupported Media Type: send Content-Type: application/json.');
  }
  const read = readMessage(parse(body));
  if ('error' in read) throw invalid(read);
  const { message } = read;
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const request = new Request(url, { method: 'POST', headers, body, signal });
  const form = readAccept(headers.accept);
  request.headers.set('accept', 'application/json, text/event-stream'); // the SDK rejects anything else
  // Some clients leave the header empty, and some proxies repeat it.
  const [revision = '', ...others] = new Set(headers[revisionHeader]?.split(/ *, */));
  if (others.length === 0) request.headers.set(revisionHeader, revision);
  // `initialize` negotiates the revision, whatever its header says.
  if (isInitialize(message) || revision === '') request.headers.delete(revisionHeader);
  return { request, message, form };
};

/** Invalid parameters are an ordinary JSON-RPC error, as if the method had been called. */
const invalid = ({ id, error: { code, message } }: InvalidMessage): Rejection =>
  code === -32_602
    ? new Rejection(200, message, { code, id, logged: null })
    : new Rejection(400, message, { code, id });

const receive = async (incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const tooLong = new Rejection(413, `The body is longer than ${maxBodyBytes} bytes.`);
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLong;
  // Without this option, a body that is too long would destroy the connection before the response is sent.
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return readBody(chunks, { status: 200, maxBytes: maxBodyBytes, signal: undefined }).catch((error) => {
    throw isOrderLicenseError(error) ? tooLong : error;
  });
};

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Rejection(400, 'The body is not JSON; send it uncompressed, as UTF-8.', { code: -32700 });
  }
};
