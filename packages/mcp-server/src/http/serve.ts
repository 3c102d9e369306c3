import { once } from 'node:events';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OrderLicenseError } from '@order-license/core/portable';
import type { SignIn } from '../auth/sign-in.ts';
import { createRequestLog } from '../log/request-log.ts';
import { writeLine } from '../log/stderr.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { connectionLimits } from './limits.ts';
import { mcpHandler } from './mcp-handler.ts';
import type { HttpOptions } from './options.ts';
import { createRequestHandler, mcpPath } from './request-handler.ts';

export interface HttpServer {
  /** The MCP endpoint. */
  url: string;
  /** Accepts nothing new, finishes running requests, then closes. */
  close(): Promise<void>;
}

/**
 * Serves Streamable HTTP without sessions: requests are independent, so any replica can answer them.
 * @param handleMcp answers admitted requests
 * @throws `configuration` when the port, the address or the sign-in cannot be used
 */
export const serveHttp = async (options: HttpOptions, handleMcp = mcpHandler(options)): Promise<HttpServer> => {
  const log = createRequestLog(writeLine);
  const signIn = await loadSignIn(options);
  const allowedHosts = [...options.allowedHosts, ...(signIn ? [signIn.hostName] : [])];
  const requests = createRequestHandler({ ...options, allowedHosts }, signIn, handleMcp, log);
  const answers = new WeakMap<Socket, ServerResponse>();
  const server = createServer(connectionLimits, (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing);
    requests.handle(incoming, outgoing);
  });
  server.on('clientError', (error, socket: Socket) => {
    const last = answers.get(socket);
    const isAnswering = last?.headersSent === true && !last.closed;
    const status = answerBrokenRequest(error, socket, isAnswering);
    if (status !== undefined) log.write(`${status} ${STATUS_CODES[status]}`, socket.remoteAddress);
  });
  await listen(server, options).catch((error) => {
    signIn?.close();
    throw error;
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${mcpPath}`,
    async close() {
      const closed = once(server, 'close');
      const drained = requests.drain();
      server.close();
      await drained;
      // A connection without any request doesn't count as idle, so closing would wait for it.
      server.closeAllConnections();
      await closed;
      signIn?.close();
      log.end();
    },
  };
};

/** Loaded only if it is used. */
const loadSignIn = async ({ signInFile, apiKey, accessToken }: HttpOptions): Promise<SignIn | undefined> => {
  if (signInFile === undefined) return undefined;
  const { openSignIn } = await import('../auth/sign-in.ts');
  return openSignIn(signInFile, apiKey !== undefined, accessToken !== undefined);
};

const listen = async (server: Server, { port, host }: HttpOptions): Promise<void> => {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    throw new OrderLicenseError('configuration', {
      detail: `Port ${port} of ${host} cannot be used (${code})`,
      advice: 'Use another --port or --host.',
    });
  }
};
