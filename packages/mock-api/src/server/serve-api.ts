import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { accepts, headerValues, type MockRequest } from '../api/request.ts';
import { isBodiless, type MockResponse } from '../api/responses.ts';
import type { InnerMock } from '../mock.ts';
import type { Settings } from '../settings/settings.ts';
import { breakWire, reset } from './connection-faults.ts';

/** A mock and the state of its HTTP server. */
export interface HttpSide {
  mock: InnerMock;
  secure: boolean;
  /** The names in the Host header that the control API accepts, to prevent DNS rebinding. */
  allowedHosts: ReadonlySet<string>;
  /** Connections whose next request is reset. */
  doomed: WeakSet<Socket>;
  /** Number of resets so far. A reset sends all late responses at once. */
  resets: number;
}

/** Responds to an HTTP request with the mock's response, and breaks the connection if a fault requires it. */
export const serveApi = async (side: HttpSide, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const { mock, secure, doomed } = side;
  outgoing.sendDate = false;
  const request: MockRequest = {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    rawHeaders: incoming.rawHeaders,
    secure,
  };
  const { socket } = incoming;
  if (doomed.has(socket)) {
    mock.recordDropped(request);
    reset(socket);
    return;
  }
  const outcome = mock.answer(request, socket);
  const { response, wire, delayMs } = outcome;
  const sent = encoded(response, request, mock.settings());
  const isBroken = wire !== undefined && wire.kind !== 'idleReset';
  if (wire?.kind === 'idleReset') doomed.add(socket);
  if (!isBroken && delayMs === 0) {
    send(sent, request, outgoing);
    return;
  }
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const { resets } = side;
  const sleep = (ms: number): Promise<void> =>
    mock.clock.sleep(side.resets === resets ? ms : 0, gone.signal).catch(() => undefined);
  if (delayMs > 0) await sleep(delayMs);
  if (gone.signal.aborted) return;
  if (isBroken) await breakWire(outcome, outgoing, socket, sent, sleep);
  else send(sent, request, outgoing);
};

/** Reports an internal error to the client and on stderr. The server keeps running. */
export const sayDefect = (outgoing: ServerResponse, error: unknown): void => {
  console.error('order-license-mock failed to respond:', error);
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(500, { 'content-type': 'application/json; charset=utf-8' });
  outgoing.end(JSON.stringify({ status: 500, error: `The mock failed: ${(error as Error).message}` }));
};

/** Returns path and query of a request target. A client may also send an absolute URL (RFC 9112). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');

const send = ({ status, headers, body }: MockResponse, { method }: MockRequest, outgoing: ServerResponse): void => {
  outgoing.writeHead(status, headers);
  // Node.js sends a string body and the headers in one write, but bytes in a second write.
  outgoing.end(method === 'HEAD' || isBodiless(status) ? undefined : body);
};

/** Returns a response as it is sent: compressed if the setting requires compression and the request allows it. */
const encoded = (response: MockResponse, request: MockRequest, { compress }: Settings): MockResponse => {
  const headers = { ...response.headers };
  if (compress !== 'off') headers.vary = [headers.vary, 'accept-encoding'].filter(Boolean).join(', ');
  let { body } = response;
  const isAccepted = () => accepts(headerValues(request, 'accept-encoding').join(), compress);
  if (compress !== 'off' && body.length > 0 && isAccepted()) {
    body = Uint8Array.from(compress === 'gzip' ? gzipSync(body) : brotliCompressSync(body));
    headers['content-encoding'] = compress;
  }
  if (!isBodiless(response.status)) headers['content-length'] = String(Buffer.byteLength(body));
  return { ...response, headers, body };
};
