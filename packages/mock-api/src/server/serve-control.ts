import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitTarget } from '../api/http.ts';
import { type ControlAnswer, control, controlPath } from '../control/control.ts';
import type { Mock } from '../mock.ts';

const maxBodyBytes = 50_000_000;

/** Serves `/__mock` over HTTP to programs of this machine. */
export const serveControl = (mock: Mock, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const send = ({ status, body }: ControlAnswer): void => {
    const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
    const type = typeof body === 'string' ? 'application/yaml' : 'application/json; charset=utf-8';
    outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    outgoing.end(text);
  };
  if (!isLocal(incoming.headers.host) || incoming.headers.origin !== undefined) {
    send({ status: 403, body: { error: 'The control API is for programs of this machine, not for web pages.' } });
    return;
  }
  const parts: Buffer[] = [];
  let size = 0;
  incoming.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxBodyBytes) parts.push(part);
  });
  incoming.on('end', () => {
    const { path, query } = splitTarget(incoming.url ?? '');
    const body = size <= maxBodyBytes ? readJson(Buffer.concat(parts).toString()) : undefined;
    const method = incoming.method ?? 'GET';
    if (body === undefined) send({ status: 400, body: { error: 'The body is a JSON object.' } });
    else send(control(mock, { method, path: path.slice(controlPath.length), query: new URLSearchParams(query), body }));
  });
};

/** Refuses names that a web page could point at this machine. */
const isLocal = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

const readJson = (text: string): Record<string, unknown> | undefined => {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};
