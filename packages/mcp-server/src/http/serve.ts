import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { OrderLicenseError } from '@order-license/core/portable';
import { openClient } from '../client/client.ts';
import { createRequestLog } from '../log/request-log.ts';
import { writeLine } from '../log/stderr.ts';
import { createServer } from '../server/server.ts';
import type { OnFailure } from '../tools/tool.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { createPlaces, type Leave } from './call-slots.ts';
import { apiKeyHeader, findRefusal, isAllowedOrigin, type Refusal } from './guard.ts';
import type { HttpOptions } from './options.ts';
import { type McpRequest, readRequest, sendResponse } from './web-bridge.ts';

export interface HttpServer {
  /** Where MCP is spoken. */
  url: string;
  /** Takes nothing new, finishes what runs, then ends. */
  close(): Promise<void>;
}

/** The arguments of a tool are a few hundred bytes. */
const maxBodyBytes = 256 * 1024;
/** Of every kind, those included that are still being received. */
const maxRequests = 512;
/** To receive a request, ms; node looks every `receiveCheckMs` who is over it. */
const receiveMs = 15_000;
const receiveCheckMs = 1_000;
/** From its arrival to the end of its answer, ms; a call of a tool ends within 45 s by itself. */
const exchangeMs = 60_000;
/** Longer than proxies keep theirs (60 s), so that no request meets a connection that is just being closed, ms. */
const keepAliveMs = 75_000;
const mcpPath = '/mcp';

/** Answers one request that was let in. */
export type Answer = (request: McpRequest, onFailure: OnFailure) => Promise<Response>;

/** Answers with the tools and prompts of this package: one server of its own for every request. */
const answerWith =
  (options: HttpOptions): Answer =>
  ({ request, message }, onFailure) => {
    const apiKey = request.headers.get(apiKeyHeader) ?? options.apiKey ?? '';
    const createOne = () =>
      createServer({
        openClient: async (onEvent) => openClient({ ...options, apiKey }, onEvent),
        maskKeys: options.maskKeys,
        onFailure,
      });
    // A call can take long: the stream says every 15 s that it goes on, which keeps proxies from giving up.
    const responseMode = isCall(message) ? 'sse' : 'auto';
    return createMcpHandler(createOne, { maxSubscriptions: 0, responseMode }).fetch(request, { parsedBody: message });
  };

/** The only message that makes work: everything else is answered at once. */
const isCall = (message: unknown): boolean => (message as { method?: unknown } | null)?.method === 'tools/call';

/**
 * Serves Streamable HTTP without sessions: every request stands alone, so any replica can answer it.
 * @param answerOne what answers the requests that are let in
 * @throws `configuration` when the port or the address cannot be used
 */
export const serveHttp = async (options: HttpOptions, answerOne = answerWith(options)): Promise<HttpServer> => {
  const log = createRequestLog(writeLine);
  const places = createPlaces(options.maxPerCaller);
  let running = 0;
  let closing = false;
  let onIdle = (): void => undefined;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (closing) outgoing.shouldKeepAlive = false;
    const path = incoming.url?.split('?')[0];
    if (path === '/healthz') return sendJson(outgoing, 200, { status: 'ok' });
    const cors = corsHeaders(incoming, options);
    const { remoteAddress } = incoming.socket; // which it forgets when it closes
    const refuse = (refusal: Refusal, message?: unknown): void => {
      log.write(`${refusal.status} ${refusal.message}`, remoteAddress);
      sendRefusal(incoming, outgoing, refusal, cors, message);
    };
    if (path !== mcpPath) return refuse({ status: 404, message: `There is ${mcpPath} and /healthz.` });
    if (incoming.method === 'OPTIONS') {
      outgoing.writeHead(204, cors).end();
      return;
    }
    const refusal = findRefusal(incoming, options);
    if (refusal) return refuse(refusal);
    if (running >= maxRequests) return refuse(busy);
    running += 1;
    let leave: Leave = () => undefined;
    const ended = new AbortController();
    outgoing.once('close', () => ended.abort());
    const timer = setTimeout(() => {
      log.write(`An exchange took more than ${exchangeMs / 1000} s and was ended.`, remoteAddress);
      outgoing.destroy();
    }, exchangeMs);
    try {
      const request = await readRequest(incoming, maxBodyBytes, ended.signal);
      if ('status' in request) return refuse(request);
      if (isCall(request.message)) {
        const place = places.enter(request.request.headers.get(apiKeyHeader) ?? undefined);
        if (typeof place !== 'function') return refuse(place, request.message);
        leave = place;
      }
      const response = await answerOne(request, (tool, code) => log.write(`${tool} failed: ${code}`, remoteAddress));
      if (response.status >= 400 && !isUsual(response)) {
        log.write(`${response.status} ${STATUS_CODES[response.status]}`, remoteAddress);
      }
      await sendResponse(response, outgoing, cors);
    } finally {
      clearTimeout(timer);
      leave();
      running -= 1;
      if (running === 0) onIdle();
    }
  };

  const limits = {
    requestTimeout: receiveMs,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: receiveCheckMs,
    keepAliveTimeout: keepAliveMs,
  };
  const answers = new WeakMap<Socket, ServerResponse>();
  const server = createHttpServer(limits, (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing);
    answer(incoming, outgoing).catch((error) => {
      if (outgoing.destroyed) return; // the caller went away
      // Its words may quote a header.
      log.write(`500 The server failed unexpectedly (${nameOf(error)}).`, incoming.socket.remoteAddress);
      if (outgoing.headersSent) outgoing.destroy();
      else
        sendRefusal(incoming, outgoing, { status: 500, message: 'The server failed unexpectedly; try again later.' });
    });
  });
  server.on('clientError', (error, socket: Socket) => {
    const last = answers.get(socket);
    const isAnswering = last?.headersSent === true && !last.closed;
    const status = answerBrokenRequest(error, socket, isAnswering);
    if (status !== undefined) log.write(`${status} ${STATUS_CODES[status]}`, socket.remoteAddress);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${mcpPath}`,
    async close() {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      // A connection on which nothing was ever asked does not count as idle, and would be waited for.
      server.closeAllConnections();
      await closed;
      log.end();
    },
  };
};

const listen = async (server: Server, { port, host }: HttpOptions): Promise<void> => {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new OrderLicenseError(
      'configuration',
      `Port ${port} of ${host} cannot be used (${code}); give another --port or --host.`,
    );
  }
};

const busy: Refusal = {
  status: 503,
  message: `The server has ${maxRequests} requests at once; try again in a second.`,
  headers: { 'retry-after': '1' },
};

/** Clients of 2025 ask whether there is a stream to listen to (405); 499 is a caller that went away. */
const isUsual = ({ status }: Response): boolean => status === 405 || status === 499;

const nameOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : typeof error);

const sendJson = (
  outgoing: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** @param asked what is refused, if it was read so far: the answer to it has its ID */
const sendRefusal = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, message, headers, code = -32000 }: Refusal,
  more: Record<string, string> = {},
  asked?: unknown,
): void => {
  const id = (asked as { id?: unknown } | undefined)?.id;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: known });
  const length = String(Buffer.byteLength(body));
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...more, ...headers });
  if (incoming.method !== 'POST' || incoming.closed) {
    outgoing.end(body);
    return;
  }
  // Whoever still sends when the connection closes sees a failed write instead of the answer.
  outgoing.write(body);
  incoming.once('close', () => outgoing.end()).resume();
};

/** Lets pages of allowed origins read the answers. */
const corsHeaders = ({ headers }: IncomingMessage, options: HttpOptions): Record<string, string> => {
  const { origin } = headers;
  if (origin === undefined || !isAllowedOrigin(origin, options)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    vary: 'origin',
  };
};
