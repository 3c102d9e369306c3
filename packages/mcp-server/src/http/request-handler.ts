import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Rejection } from '../auth/rejection.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { RequestLog } from '../log/request-log.ts';
import { admit } from './admit.ts';
import { createCallSlots, type Release } from './call-slots.ts';
import { corsHeaders } from './cors.ts';
import { findRejection } from './guard.ts';
import { createKeyQuota } from './key-quota.ts';
import { maxBodyBytes, maxRequests, requestDeadlineMs } from './limits.ts';
import { isCall, type McpHandler } from './mcp-handler.ts';
import type { HttpOptions } from './options.ts';
import { sendRejection } from './send-rejection.ts';
import { readRequest, sendResponse } from './web-bridge.ts';

export const mcpPath = '/mcp';

export interface RequestHandler {
  /** Answers one request, even if it fails. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Stops keeping connections alive; resolves when no request is running. */
  drain(): Promise<void>;
}

/** Rejects a request, or has `handleMcp` answer it within this server's limits. */
export const createRequestHandler = (
  options: HttpOptions,
  signIn: SignIn | undefined,
  handleMcp: McpHandler,
  log: RequestLog,
): RequestHandler => {
  const slots = createCallSlots(options.maxPerCaller);
  const takeKey = createKeyQuota();
  let running = 0;
  let draining = false;
  let onIdle = (): void => undefined;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (draining) outgoing.shouldKeepAlive = false;
    const [path = ''] = incoming.url?.split('?') ?? [];
    if (path === '/healthz') return sendHealth(outgoing);
    const metadata = await signIn?.respond(incoming.method ?? 'GET', path);
    if (metadata) return sendResponse(metadata, outgoing, {});
    const cors = corsHeaders(incoming, options);
    const { remoteAddress } = incoming.socket; // unset once the socket closes
    const reject = (rejection: Rejection, message?: unknown): void => {
      const { status, message: words, logged = words, found } = rejection;
      log.write(`${status} ${logged}`, remoteAddress, options.accessLog ? found : undefined);
      sendRejection(incoming, outgoing, rejection, cors, message);
    };
    if (!signIn && isSignInPath(path)) return sendRejection(incoming, outgoing, noSignIn(options), cors);
    if (path !== mcpPath) return reject({ status: 404, message: `Not found; use ${mcpPath} or /healthz.` });
    if (incoming.method === 'OPTIONS') {
      outgoing.writeHead(204, cors).end();
      return;
    }
    const rejection = findRejection(incoming, options);
    if (rejection) return reject(rejection);
    if (running >= maxRequests) return reject(busy);
    running += 1;
    let release: Release = () => undefined;
    const ended = new AbortController();
    outgoing.once('close', () => ended.abort());
    const timer = setTimeout(() => {
      log.write(`A request took more than ${requestDeadlineMs / 1000} s and was ended.`, remoteAddress);
      outgoing.destroy();
    }, requestDeadlineMs);
    try {
      const caller = await admit(incoming, options, signIn, takeKey);
      if ('status' in caller) return reject(caller);
      if (incoming.method !== 'POST') return sendRejection(incoming, outgoing, onlyPost, cors);
      const request = await readRequest(incoming, maxBodyBytes, ended.signal);
      if ('status' in request) return reject(request);
      if (isCall(request.message)) {
        const slot = slots.take(caller.id);
        if (typeof slot !== 'function') return reject(slot, request.message);
        release = slot;
      }
      const response = await handleMcp(request, caller, ({ event, tool = event, outcome }) => {
        if (outcome !== 'ok') log.write(`${tool} failed: ${outcome}`, remoteAddress);
      });
      if (response.status >= 400 && !isExpected(response)) {
        log.write(`${response.status} ${STATUS_CODES[response.status]}`, remoteAddress);
      }
      await sendResponse(response, outgoing, cors);
    } finally {
      clearTimeout(timer);
      release();
      running -= 1;
      if (running === 0) onIdle();
    }
  };

  return {
    handle(incoming, outgoing) {
      answer(incoming, outgoing).catch((error) => {
        if (outgoing.destroyed) return; // the caller disconnected
        // Its message may quote a header.
        log.write(`500 The server failed unexpectedly (${nameOf(error)}).`, incoming.socket.remoteAddress);
        if (outgoing.headersSent) outgoing.destroy();
        else sendRejection(incoming, outgoing, unexpected);
      });
    },
    async drain() {
      draining = true;
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
};

/** Where clients look for a login after a 401; not an error that an operator could fix. */
const isSignInPath = (path: string): boolean =>
  path === '/register' || /^(\/mcp)?\/\.well-known\/(oauth-|openid-configuration)/.test(path);

const noSignIn = ({ accessToken }: HttpOptions): Rejection => ({
  status: 404,
  message: accessToken
    ? 'This server does not use sign-in; send its access token as Authorization: Bearer.'
    : 'This server does not use sign-in.',
});

const busy: Rejection = {
  status: 503,
  message: `The server has ${maxRequests} requests in progress; try again in a second.`,
  headers: { 'retry-after': '1' },
};

/** Clients of 2025 ask for a stream with GET and end a session with DELETE: this server has neither. */
const onlyPost: Rejection = {
  status: 405,
  message: 'Send each message as POST; this server has no sessions.',
  headers: { allow: 'POST' },
};

const unexpected: Rejection = { status: 500, message: 'The server failed unexpectedly; try again later.' };

/** 499 means that the caller disconnected. */
const isExpected = ({ status }: Response): boolean => status === 499;

const nameOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : typeof error);

const sendHealth = (outgoing: ServerResponse): void => {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
};
