import { request as httpRequest } from 'node:http';
import { type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { MockServer } from '@order-license/mock-api';
import { onTestFinished } from 'vitest';
import { readHttpOptions } from '../http/options.ts';
import { serveHttp } from '../http/serve.ts';
import { connectClient, startMock } from './mcp-session.fixture.ts';

export const token = 'a-token-of-this-server';

export interface Served {
  url: string;
  mock: MockServer;
}

/**
 * Starts a server on a free port, and stops it when the test ends. Any program on this machine can use the server if
 * the test sets neither token nor sign-in.
 */
export const serve = async (env: Record<string, string> = {}, flags: string[] = []): Promise<Served> => {
  const { mock, env: account } = await startMock();
  const isOpen = env.ORDER_LICENSE_ACCESS_TOKEN === undefined && env.ORDER_LICENSE_OAUTH === undefined;
  const args = ['--port', '0', ...(isOpen ? ['--open'] : []), ...flags];
  const server = await serveHttp(readHttpOptions(args, { ...account, ...env }));
  onTestFinished(() => server.close());
  return { url: server.url, mock };
};

export const connect = (
  url: string,
  headers: Record<string, string> = {},
  mode?: 'auto' | 'legacy',
  capabilities?: ClientCapabilities,
) => connectClient(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), mode, capabilities);

export const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
/** The body of a call of `order_license_get_me`. */
export const getMe = rpc('tools/call', { name: 'order_license_get_me', arguments: {} });

/** The metadata that a client of revision 2026-07-28 sends in every request. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The headers that a client of revision 2026-07-28 adds to a request. */
export const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

export const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/**
 * Sends a POST request with node:http, because fetch does not let a test set the Host header.
 * @param withoutAccept sends no Accept header
 */
export const post = (url: string, more: Record<string, string> = {}, body = rpc('tools/list'), withoutAccept = false) =>
  new Promise<{ status: number | undefined; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const { accept, ...others } = headers;
    const sent = { ...others, ...(!withoutAccept && { accept }), ...more };
    const request = httpRequest(url, { method: 'POST', headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }));
    });
    request.on('error', reject);
    request.end(body);
  });
