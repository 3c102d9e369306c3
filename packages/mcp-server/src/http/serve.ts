import { once } from 'node:events';
import { createServer } from 'node:http';
import type { SignIn } from '../auth/sign-in.ts';
import { createRequestLog } from '../log/request-log.ts';
import { writeLine } from '../log/stderr.ts';
import { listen } from '../server/listen.ts';
import { maxHeaderBytes } from './guard.ts';
import { mcpHandler } from './mcp-handler.ts';
import { asAllowedHost, type HttpOptions } from './options.ts';
import { createRequestHandler, mcpPath } from './request-handler.ts';

export interface HttpServer {
  /** The MCP endpoint. */
  url: string;
  /** Stops accepting requests, finishes running ones, then closes. */
  close(): Promise<void>;
}

/** Limits that node:http enforces for each connection, bytes and ms. Beyond them, it closes the connection. */
const connectionLimits = {
  /** Longer than {@link maxHeaderBytes}, so that most requests with long headers get a response with advice. */
  maxHeaderSize: 4 * maxHeaderBytes,
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
