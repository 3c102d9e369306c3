import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { OrderLicenseError } from '@order-license/core/portable';
import { openClient } from '../client.ts';
import { createServer } from '../server.ts';
import { apiKeyHeader, findRefusal, isAllowedOrigin, type Refusal } from './guard.ts';
import type { HttpOptions } from './options.ts';
import { readRequest, sendResponse } from './web-bridge.ts';

export interface HttpServer {
  /** Where MCP is spoken. */
  url: string;
  /** Takes nothing new, finishes what runs, then ends. */
  close(): Promise<void>;
}

/** The arguments of a tool are a few hundred bytes. */
const maxBodyBytes = 256 * 1024;
const maxConcurrent = 64;
/** To receive a request, ms; node looks every `receiveCheckMs` who is over it. */
const receiveMs = 15_000;
const receiveCheckMs = 1_000;
/** From its arrival to the end of its answer, ms; a call of a tool ends within 45 s by itself. */
const exchangeMs = 60_000;
const mcpPath = '/mcp';

/** Answers with the tools and prompts of this package: one server of its own for every request. */
const createHandler = (options: HttpOptions): McpHttpHandler =>
  createMcpHandler(
    ({ requestInfo }) => {
      const apiKey = requestInfo?.headers.get(apiKeyHeader) ?? options.apiKey ?? '';
      return createServer({
        openClient: async (onEvent) => openClient({ ...options, apiKey }, onEvent),
        maskKeys: options.maskKeys,
      });
    },
    { maxSubscriptions: 0 },
  );

/**
 * Serves Streamable HTTP without sessions: every request stands alone, so any replica can answer it.
 * @param handler what answers the requests that are let in
 * @throws `configuration` when the port or the address cannot be used
 */
export const serveHttp = async (options: HttpOptions, handler = createHandler(options)): Promise<HttpServer> => {
  let running = 0;
  let closing = false;
  let onIdle = (): void => undefined;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (closing) outgoing.shouldKeepAlive = false;
    const path = incoming.url?.split('?')[0];
    if (path === '/healthz') return sendJson(outgoing, 200, { status: 'ok' });
    if (path !== mcpPath) return refuse(outgoing, { status: 404, message: `There is ${mcpPath} and /healthz.` });
    const cors = corsHeaders(incoming, options);
    if (incoming.method === 'OPTIONS') {
      outgoing.writeHead(204, cors).end();
      return;
    }
    const refusal = findRefusal(incoming, options);
    if (refusal) return refuse(outgoing, refusal, cors);
    if (running >= maxConcurrent) {
      const headers = { ...cors, 'retry-after': '1' };
      return refuse(outgoing, { status: 503, message: 'Too many requests at once; try again in a second.' }, headers);
    }
    running += 1;
    const ended = new AbortController();
    outgoing.once('close', () => ended.abort());
    const timer = setTimeout(() => outgoing.destroy(), exchangeMs);
    try {
      const request = await readRequest(incoming, maxBodyBytes, ended.signal);
      if (!(request instanceof Request)) {
        outgoing.shouldKeepAlive = false;
        return refuse(outgoing, request, cors);
      }
      await sendResponse(await handler.fetch(request), outgoing, cors);
    } finally {
      clearTimeout(timer);
      running -= 1;
      if (running === 0) onIdle();
    }
  };

  const limits = { requestTimeout: receiveMs, headersTimeout: receiveMs, connectionsCheckingInterval: receiveCheckMs };
  const server = createHttpServer(limits, (incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => {
      // What went wrong may quote a header, so it is told to nobody.
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, { status: 500, message: 'The server failed unexpectedly; try again later.' });
    });
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
      await handler.close();
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

const sendJson = (
  outgoing: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const refuse = (
  outgoing: ServerResponse,
  { status, message, headers }: Refusal,
  more: Record<string, string> = {},
): void =>
  sendJson(outgoing, status, { jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { ...more, ...headers });

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
