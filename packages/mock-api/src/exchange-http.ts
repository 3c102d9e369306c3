import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import type { Mock } from './mock.ts';
import { headerValues, type MockRequest } from './request.ts';
import { breakWire, reset } from './wire.ts';

/** What the HTTP server knows beside the mock. */
export interface HttpSide {
  mock: Mock;
  secure: boolean;
  /** Connections whose next request gets a reset. */
  doomed: WeakSet<Socket>;
}

/** Answers one HTTP request from the mock, and breaks the wire where a fault says so. */
export function serveExchange(
  { mock, secure, doomed }: HttpSide,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const request: MockRequest = {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    rawHeaders: incoming.rawHeaders,
    secure,
  };
  const { socket } = incoming;
  if (doomed.has(socket)) {
    mock.lose(request, 'idleReset');
    reset(socket);
    return;
  }
  const exchange = mock.answer(request);
  const { wire, delayMs } = exchange;
  if (wire?.kind === 'idleReset') doomed.add(socket);
  const whole = !wire || wire.kind === 'idleReset';
  if (whole && delayMs === 0) send(mock, request, exchange, outgoing);
  else void sendLate(mock, request, exchange, outgoing);
}

async function sendLate(mock: Mock, request: MockRequest, exchange: Exchange, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  if (exchange.delayMs > 0) await mock.clock.sleep(exchange.delayMs, gone.signal).catch(() => undefined);
  const { socket } = outgoing;
  if (gone.signal.aborted || !socket) return;
  const { wire: fault } = exchange;
  if (!fault || fault.kind === 'idleReset') {
    send(mock, request, exchange, outgoing);
    return;
  }
  const { status, headers, body } = wireForm(mock, request, exchange);
  const bytes = Buffer.from(body);
  await breakWire({ status, headers, bytes, fault, outgoing, socket, clock: mock.clock, signal: gone.signal });
}

function send(mock: Mock, request: MockRequest, exchange: Exchange, outgoing: ServerResponse): void {
  const { status, headers, body } = wireForm(mock, request, exchange);
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers);
  // A string goes out in one write with the headers, bytes would take a second one.
  outgoing.end(request.method === 'HEAD' ? undefined : body);
}

function wireForm(mock: Mock, request: MockRequest, { response }: Exchange) {
  const { compress, keepAliveMs } = mock.dialect();
  const headers: Record<string, string | number> = { ...response.headers };
  let { body } = response;
  if (compress !== 'off' && body.length > 0 && headerValues(request, 'accept-encoding').join(',').includes(compress)) {
    body = Uint8Array.from(compress === 'gzip' ? gzipSync(body) : brotliCompressSync(body));
    headers['content-encoding'] = compress;
  }
  if (![204, 304].includes(response.status)) headers['content-length'] = Buffer.byteLength(body);
  if (keepAliveMs === 0) headers.connection = 'close';
  return { status: response.status, headers, body };
}
