import { once } from 'node:events';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Rejection } from '../auth/rejection.ts';
import type { SignIn } from '../auth/sign-in.ts';
import { createRequestLog, type RequestLog } from '../log/request-log.ts';
import { writeLine } from '../log/stderr.ts';
import { listen } from '../server/listen.ts';
import { mcpHandler } from './mcp-handler.ts';
import { asAllowedHost, type HttpOptions } from './options.ts';
import { createRequestHandler, mcpPath } from './request-handler.ts';
import { rejectionBody } from './responses.ts';

export interface HttpServer {
  /** The MCP endpoint. */
  url: string;
  /** Stops accepting requests, finishes running ones, then closes. */
  close(): Promise<void>;
}

/** Maximum length of a request's headers, KiB: an access token can name hundreds of groups. */
const maxHeaderKiB = 32;
/** Limits that node:http enforces for each connection, bytes and ms. */
const connectionLimits = {
  maxHeaderSize: maxHeaderKiB * 1024,
  requestTimeout: 15_000,
  headersTimeout: 15_000,
  /** Interval at which connections are checked against these limits, ms. */
  connectionsCheckingInterval: 1_000,
  /**
   * How long idle connections are kept open, ms. Proxies keep them for 60 s: this time is longer, so that no request
   * arrives on a connection that is closing.
   */
  keepAliveTimeout: 75_000,
};

/**
 * Serves Streamable HTTP without sessions: requests are independent, so any replica can respond to them.
 * @param handleMcp responds to admitted requests
 * @throws `configuration` when the port, the address or the sign-in cannot be used
 */
export const serveHttp = async (options: HttpOptions, handleMcp = mcpHandler(options)): Promise<HttpServer> => {
  const log = createRequestLog(writeLine);
  const signIn = await loadSignIn(options);
  const allowedHosts = [...options.allowedHosts, ...(signIn ? [asAllowedHost(signIn.publicUrl.hostname)] : [])];
  const requests = createRequestHandler({ ...options, allowedHosts }, signIn, handleMcp, log);
  const server = createServer(connectionLimits, requests.handle);
  answerBrokenRequests(server, log);
  const origin = await listen(server, options, '--port or --host').catch((error) => {
    signIn?.close();
    throw error;
  });
  return {
    url: `${origin}${mcpPath}`,
    async close() {
      const closed = once(server, 'close');
      const drained = requests.drain();
      server.close();
      await drained;
      // Node does not count a connection without any request as idle, so closing the server would wait for it.
      server.closeAllConnections();
      await closed;
      signIn?.close();
      log.end();
    },
  };
};

/** Prepares sign-in, whose code is loaded only if sign-in is used. */
const loadSignIn = async ({ signInFile, apiKey, accessToken }: HttpOptions): Promise<SignIn | undefined> => {
  if (signInFile === undefined) return undefined;
  const { openSignIn } = await import('../auth/sign-in.ts');
  return openSignIn(signInFile, apiKey !== undefined, accessToken !== undefined);
};

/** Logs and responds to requests that aren't HTTP, are too slow or have headers that are too long. */
const answerBrokenRequests = (server: Server, log: RequestLog): void => {
  const last = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, outgoing) => void last.set(socket, outgoing));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    const { headersSent, closed, req } = last.get(socket) ?? {};
    const isAnswering = headersSent === true && !closed; // the response must not be interrupted
    const rejection = brokenRequests[code] ?? (code.startsWith('HPE_') ? notHttp : undefined);
    if (rejection && socket.writable && !isAnswering) {
      const { status, message } = rejection;
      log.write(`${status} ${message}`, socket.remoteAddress);
      // Bytes behind a HEAD request, such as a body without a length, must not get a body in response.
      const body = req?.method === 'HEAD' && !closed ? '' : rejectionBody(rejection);
      const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json`;
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  });
};

/** The responses to broken requests, by the code of the error. */
const brokenRequests: Readonly<Record<string, Rejection>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Rejection(408, 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new Rejection(
    431,
    `The headers are longer than ${maxHeaderKiB} KiB; use an access token with fewer claims, such as groups.`,
  ),
};
const notHttp = new Rejection(400, 'The request is not valid HTTP.');
