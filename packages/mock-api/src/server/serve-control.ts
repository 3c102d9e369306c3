import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { splitTarget } from '../api/request.ts';
import { type ControlAnswer, control, controlPath, failure } from '../control/control.ts';
import { placeOf } from '../orders/read-file.ts';
import { servePage } from '../page/serve-page.ts';
import { isObject } from '../settings/check.ts';
import { parseExact } from '../settings/json.ts';
import { hostName } from './hosts.ts';
import type { HttpSide } from './serve-api.ts';

/** Serves `/__mock` over HTTP to programs, and to web pages of its own origin. */
export const serveControl = async (
  side: HttpSide,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { status, headers, body } = await answer(side, incoming);
  const isText = typeof body === 'string';
  const sent = isText ? body : `${JSON.stringify(body, null, 2)}\n`;
  const type = isText ? 'application/yaml' : 'application/json; charset=utf-8';
  outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(sent), ...headers });
  outgoing.end(sent);
};

const answer = async (side: HttpSide, incoming: IncomingMessage): Promise<ControlAnswer> => {
  const { url = '', headers } = incoming;
  const { path, query: text } = splitTarget(url);
  const query = new URLSearchParams(text);
  const below = path.slice(controlPath.length).replace(/(?<=.)\/$/, '');
  const rejected = rejection(side, incoming, below);
  if (rejected) return rejected;
  // Health checks send HEAD; Node.js leaves out the body.
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET');
  const controlUrl = `http${side.secure ? 's' : ''}://${headers.host}${controlPath}`;
  const page = servePage(side.mock, { method, path: below, query, accept: headers.accept }, controlUrl);
  if (page) return page;
  const given = await buffer(incoming).catch(() => undefined);
  const body = given ? readBody(given, below) : 'The body was cut off.';
  if (typeof body === 'string') return failure(400, body);
  return control(side.mock, { method, path: below, query, body });
};

/**
 * Returns the response to a request that is not allowed to control the mock; `undefined` if it is allowed. The health
 * check needs no protection and responds under any host name.
 */
const rejection = (
  { allowedHosts, secure }: HttpSide,
  { method, headers }: IncomingMessage,
  below: string,
): ControlAnswer | undefined => {
  const { host = '', origin } = headers;
  if (below === '/health') return undefined;
  const name = hostName(host);
  if (!allowedHosts.has(name)) {
    const advice = `Start the mock with --allow-host ${name} or the option allowHosts.`;
    return failure(403, `The control API does not accept the host name "${name}". ${advice}`);
  }
  if (origin === undefined || origin === `http${secure ? 's' : ''}://${host}`) return undefined;
  return method === 'OPTIONS'
    ? { status: 204, headers: toOtherOrigins, body: '' }
    : { ...failure(403, otherOrigin), headers: toOtherOrigins };
};

const otherOrigin =
  'The control API does not accept requests from web pages of other origins. Send them from a program, such as the test runner.';

/** With these headers, a browser sends the request and shows the page why it is rejected, instead of a CORS error. */
const toOtherOrigins = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
};

/**
 * Numbers in orders keep the digits that were sent. Everywhere else, 2.0 counts as a whole number.
 * @returns a text that says why the body can't be used
 */
const readBody = (bytes: Uint8Array, path: string): Record<string, unknown> | string => {
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'The body is not UTF-8. In PowerShell, send it with -ContentType "application/json; charset=utf-8".';
  }
  if (json.trim() === '') return {};
  try {
    const value = /^\/(orders|scenarios)/.test(path) ? parseExact(json) : JSON.parse(json);
    const isBody = isObject(value) || (Array.isArray(value) && path === '/orders');
    return isBody ? (value as Record<string, unknown>) : 'The body must be a JSON object, or an array of orders.';
  } catch {
    return `The body is not JSON: ${placeOf(json)}.`;
  }
};
