import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Rejection } from '../auth/rejection.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { RequestLog } from '../log/request-log.ts';
import { admit } from './admit.ts';
import { checkHeaders, corsHeaders } from './guard.ts';
import type { McpHandler } from './mcp-handler.ts';
import type { HttpOptions } from './options.ts';
import { readRequest } from './read-request.ts';
import { rejectionResponse, sendResponse } from './responses.ts';

export const mcpPath = '/mcp';
/** Maximum time from a request's arrival to the end of its response, ms; a tool call itself ends within 45 s. */
const requestDeadlineMs = 60_000;

export interface RequestHandler {
  /** Responds to one request, even if an error occurs. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Stops keeping connections alive; resolves when no request is running. */
  drain(): Promise<void>;
}

/** Creates a handler that rejects requests that may not use this server, and passes all others to `handleMcp`. */
export const createRequestHandler = (
  options: HttpOptions,
  signIn: SignIn | undefined,
  handleMcp: McpHandler,
  log: RequestLog,
): RequestHandler => {
  let running = 0;
  let draining = false;
  let onIdle = (): void => undefined;

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { remoteAddress } = incoming.socket; // undefined once the socket has closed
    const closed = new AbortController();
    const timer = setTimeout(() => {
      log.write(`A request took more than ${requestDeadlineMs / 1000} s and was aborted.`, remoteAddress);
      outgoing.destroy();
    }, requestDeadlineMs);
    running += 1;
    outgoing.once('close', () => {
      clearTimeout(timer);
      closed.abort();
      running -= 1;
      if (running === 0) onIdle();
    });
    if (draining) outgoing.shouldKeepAlive = false;

    const respond = async (): Promise<Response> => {
      const path = pathOf(incoming.url, signIn?.publicUrl.pathname);
      if (path === '/healthz') return Response.json({ status: 'ok' });
      const metadata = await signIn?.respond(incoming.method ?? 'GET', path);
      if (metadata) return metadata;
      if (!signIn && isSignInPath(path)) return noSignIn(options);
      if (path !== mcpPath) throw new Rejection(404, `Not found; use ${mcpPath} or /healthz.`);
      if (incoming.method === 'OPTIONS') return new Response(null, { status: 204 });
      checkHeaders(incoming, options);
      const caller = await admit(incoming, options, signIn);
      if (incoming.method !== 'POST') throw onlyPost;
      const request = await readRequest(incoming, closed.signal);
      const response = await handleMcp(request, caller, ({ event, tool = event, outcome }) => {
        if (outcome !== 'ok') log.write(`${tool} failed: ${outcome}`, remoteAddress);
      });
      // 499 means that the caller disconnected.
      if (response.status >= 400 && response.status !== 499) {
        log.write(`${response.status} ${STATUS_CODES[response.status]}`, remoteAddress);
      }
      return response;
    };

    const reject = (error: unknown): Response => {
      if (outgoing.destroyed) throw error; // the caller disconnected
      // The message of any other error may quote a header, so only its class is logged.
      const name = error instanceof Error ? error.constructor.name : typeof error;
      const rejection = error instanceof Rejection ? error : unexpected(name);
      const { logged = rejection.message, found } = rejection.details;
      if (logged !== null) {
        log.write(`${rejection.status} ${logged}`, remoteAddress, options.accessLog ? found : undefined);
      }
      return rejectionResponse(rejection);
    };

    const response = await respond().catch(reject);
    await sendResponse(response, incoming, outgoing, corsHeaders(incoming, options));
  };

  return {
    // An error here can only come from the connection, or from a stream that has already begun.
    handle: (incoming, outgoing) => void handle(incoming, outgoing).catch(() => outgoing.destroy()),
    async drain() {
      draining = true;
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
};

/**
 * Whether clients request this path to find a login after a 401. These requests are not logged, because an operator
 * cannot prevent them.
 */
const isSignInPath = (path: string): boolean =>
  path === '/register' || /^(\/mcp)?\/\.well-known\/(oauth-|openid-configuration)/.test(path);

/**
 * Returns the path without three parts: the query; a slash at the end, which some clients add to every address; and the
 * path of `publicUrl`, which a proxy may keep. In an address of metadata, that path follows the document's name.
 */
const pathOf = (url = '', publicPath = '/'): string => {
  const [, document = '', path = ''] =
    /^(\/\.well-known\/[^/?]+)?([^?]*?)\/?(\?|$)/.exec(url.replace(/^\/+/, '/')) ?? [];
  const prefix = publicPath.replace(/\/$/, '');
  return document + (`${path}/`.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path);
};

/** Returns an OAuth error: clients that try to register show its description, but hide any other body. */
const noSignIn = ({ accessToken }: HttpOptions): Response => {
  const advice = accessToken === undefined ? '' : '; send its access token as Authorization: Bearer';
  const error_description = `This server does not use sign-in${advice}.`;
  return Response.json({ error: 'invalid_request', error_description }, { status: 404 });
};

/**
 * Clients of the 2025 revisions request a stream with GET and end a session with DELETE, but this server offers
 * neither.
 */
const onlyPost = new Rejection(405, 'Send each message with POST; this server has no sessions.', {
  headers: { allow: 'POST' },
  logged: null,
});

const unexpected = (name: string): Rejection =>
  new Rejection(500, 'The server failed unexpectedly; try again later.', {
    logged: `The server failed unexpectedly (${name}).`,
  });
