import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitTarget } from '../api/http.ts';
import { controlCalls } from '../control/calls.ts';
import { type ControlAnswer, control, controlPath } from '../control/control.ts';
import type { MockEngine } from '../engine.ts';
import { servePage } from '../page/serve-page.ts';
import { isObject } from '../settings/check.ts';
import { parseExact } from '../settings/json.ts';
import { hostName } from './hosts.ts';

const maxBodyBytes = 50_000_000;

/** What the control API needs. */
export interface ControlSide {
  mock: MockEngine;
  /** Allowed names in the Host header, to prevent DNS rebinding. */
  allowedHosts: ReadonlySet<string>;
  secure: boolean;
}

/** Serves `/__mock` over HTTP to programs, and to web pages of its own origin. */
export const serveControl = (side: ControlSide, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const { mock } = side;
  const send = ({ status, body }: ControlAnswer): void => {
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
    const type = typeof body === 'string' ? 'application/yaml' : 'application/json; charset=utf-8';
    outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    outgoing.end(text);
  };
  const rejected = rejection(side, incoming);
  if (rejected) {
    send({ status: 403, body: { error: rejected } });
    return;
  }
  const { path, query } = splitTarget(incoming.url ?? '');
  const method = incoming.method ?? 'GET';
  const below = path.slice(controlPath.length);
  const controlUrl = `http${side.secure ? 's' : ''}://${incoming.headers.host}${controlPath}`;
  const page = servePage(method, below, incoming.headers.accept, controlUrl, controlCalls);
  if (page) {
    outgoing.writeHead(page.status, { ...page.headers, 'content-length': Buffer.byteLength(page.body) });
    outgoing.end(page.body);
    return;
  }
  const parts: Buffer[] = [];
  let size = 0;
  incoming.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxBodyBytes) parts.push(part);
  });
  incoming.on('end', () => {
    const body = size <= maxBodyBytes ? readJson(Buffer.concat(parts).toString(), below) : undefined;
    if (body === undefined)
      send({ status: 400, body: { error: 'The body must be a JSON object, or an array of orders.' } });
    else send(control(mock, { method, path: below, query: new URLSearchParams(query), body }));
  });
};

/** Returns why a request may not control the mock. Health needs no protection and answers under any name. */
const rejection = (
  { allowedHosts, secure }: ControlSide,
  { url = '', headers }: IncomingMessage,
): string | undefined => {
  const { host = '', origin } = headers;
  if (splitTarget(url).path === `${controlPath}/health`) return undefined;
  const name = hostName(host);
  if (!allowedHosts.has(name)) {
    return `The control API does not accept the host name "${name}". Start the mock with --allow-host ${name} or the option allowHosts.`;
  }
  if (origin === undefined || origin === `http${secure ? 's' : ''}://${host}`) return undefined;
  return 'The control API does not accept web pages of other origins.';
};

const readJson = (text: string, path: string): Record<string, unknown> | undefined => {
  if (text.trim() === '') return {};
  try {
    const value = parseExact(text);
    const isBody = isObject(value) || (Array.isArray(value) && path === '/orders');
    return isBody ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};
