import { request } from 'node:http';
import { listen } from '@order-license/mock-api';
import { plantedKey, refuseSecrets } from '@order-license/testing/canary';
import { fuzzJson, fuzzText } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { readHttpOptions } from '../../packages/mcp-server/src/http/options.ts';
import { serveHttp } from '../../packages/mcp-server/src/http/serve.ts';
import { type Area, holdsFor } from './area.ts';

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'resources/read'],
  ...['server/discover', 'logging/setLevel', 'completion/complete', '__proto__'],
  ...['notifications/initialized', 'notifications/cancelled'],
];
const message = fc
  .tuple(
    fc.oneof(fc.constant('"2.0"'), fuzzJson),
    fc.oneof(fc.integer().map(String), fuzzJson),
    fc.oneof(
      fc.constantFrom(...methods).map((method) => JSON.stringify(method)),
      fuzzJson,
    ),
    fc.oneof(
      fuzzJson,
      fuzzJson.map((args) => `{"name":"order_license_get_order","arguments":${args},"_meta":${args}}`),
    ),
    fuzzText.map((name) => JSON.stringify(name)),
  )
  .map(([version, id, method, params, name]) => {
    return `{"jsonrpc":${version},"id":${id},"method":${method},"params":${params},${name}:1}`;
  });

/** JSON-RPC messages that are nearly valid, and lines that are not JSON. */
const fuzzMessage: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 2, arbitrary: fuzzJson },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((messages) => `[${messages.join()}]`) },
  { weight: 1, arbitrary: fuzzText },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }).map((depth) => '['.repeat(depth)) },
);

const headerNames = [
  ...['host', 'origin', 'authorization', 'content-type', 'accept'],
  ...['x-order-license-key', 'mcp-protocol-version'],
];
/** A header value that node:http does not reject. */
const headerValue = fc.oneof(
  fc.constantFrom(
    ...['application/json', 'text/html', 'null', 'http://evil.example', '127.0.0.1', 'Bearer x', '2025-11-25', ''],
  ),
  fuzzText.map((text) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 5_000)),
);
const fuzzRequest = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
  path: fc.oneof(
    { weight: 5, arbitrary: fc.constant('/mcp') },
    { weight: 1, arbitrary: fuzzText.map((text) => `/${encodeURI(Buffer.from(text).toString()).slice(0, 1_000)}`) },
  ),
  headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 3 }),
  body: fc.oneof({ weight: 9, arbitrary: fuzzMessage }, { weight: 1, arbitrary: fc.constant('x'.repeat(300_000)) }),
});

const statuses = [200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415];

export const mcpRequests: Area = {
  name: 'requests to the MCP server over HTTP',
  holds: 'one of the documented statuses within ten seconds; no key in a response',
  share: 3,
  async open() {
    const service = await listen({ limit: 'off', orders: 10, keys: { business: plantedKey } });
    const env = { ORDER_LICENSE_BASE_URL: service.baseUrl, ORDER_LICENSE_API_KEY: plantedKey };
    const server = await serveHttp(readHttpOptions(['--open', '--port', '0'], env));
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return {
      property: holdsFor(fuzzRequest, async ({ method, path, headers, body }) => {
        const { status, text } = await send(
          new URL(server.url),
          path,
          method,
          [...Object.entries(usual), ...headers],
          body,
        );
        if (!statuses.includes(status)) throw new Error(`It returned ${status}: ${text.slice(0, 300)}`);
        refuseSecrets(text);
      }),
      async close() {
        await server.close();
        await service.close();
      },
    };
  },
};

const send = ({ hostname, port }: URL, path: string, method: string, headers: [string, string][], body: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const options = { hostname, port, path, method, headers: Object.fromEntries(headers), agent: false as const };
    const outgoing = request({ ...options, timeout: 10_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('No response within 10 s.')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // For methods such as GET, node:http sends the body without its length. The server then does not read the body as
      // part of the request, and can close the connection.
      if (method !== 'POST' && body.length > 16_384 && /ECONNRESET|EPIPE/.test(error.code ?? '')) {
        resolve({ status: 400, text: '' });
      } else reject(error);
    });
    outgoing.end(body);
  });
