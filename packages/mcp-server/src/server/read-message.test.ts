import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { post, serve } from '../testing/http-session.fixture.ts';
import { cliPath } from '../testing/mcp-session.fixture.ts';

type Json = Record<string, unknown>;

/** The fields that a client of the 2026 revision sends with every request. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

/** Sends the requests over stdio, one after the other and then the raw line, and returns the responses by ID. */
const overStdio = async (requests: readonly Json[], line = ''): Promise<Map<unknown, Json>> => {
  const lines = [...requests.map((request) => JSON.stringify({ jsonrpc: '2.0', ...request })), line];
  const { stdout } = spawnSync(process.execPath, [cliPath], {
    env: {
      ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
      ORDER_LICENSE_API_KEY: 'unused',
      ORDER_LICENSE_STORE: 'memory',
      ORDER_LICENSE_LICENSE_KEYS: 'app', // so that `resources/read` exists
    },
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  const answers = stdout.split('\n').filter(Boolean);
  return new Map(answers.map((line) => JSON.parse(line)).map((answer) => [answer.id, answer]));
};

const initialize = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { roots: null, experimental: null },
    clientInfo: { name: 'test', version: '1.0.0', title: null },
    _meta: null,
  },
};
const initialized = { method: 'notifications/initialized', params: null };

/** Requests with null, an empty list or an empty text wherever a client can write it for an absent member. */
const requestsWithNull: readonly Json[] = [
  { id: 1, method: 'tools/list', params: null },
  { id: 2, method: 'tools/list', params: { cursor: null, _meta: null } },
  { id: 3, method: 'prompts/list', params: { cursor: null, _meta: { progressToken: null } } },
  { id: 4, method: 'resources/list', params: [] },
  { id: 5, method: 'resources/templates/list', params: { cursor: null } },
  { id: 6, method: 'ping', params: null },
  {
    id: 7,
    method: 'prompts/get',
    params: { name: 'erp_sync', arguments: { since: '2026-01-01', further: null }, _meta: null },
  },
];
const callsWithNull: readonly Json[] = [null, undefined, [], '', '{}', {}, { page: null, status: [] }].flatMap((args) =>
  [null, undefined, { progressToken: null }].map((meta) => ({
    method: 'tools/call',
    params: { name: 'order_license_list_orders', arguments: args, _meta: meta },
  })),
);

test('over stdio, null means absent wherever a client of an older revision can write it', async () => {
  const answers = await overStdio([initialize, initialized, ...requestsWithNull]);
  for (const { id } of [initialize, ...requestsWithNull]) expect(answers.get(id)).toHaveProperty('result');
});

test('over stdio, null means absent wherever a client of the 2026 revision can write it', async () => {
  const requests = requestsWithNull.slice(1).flatMap(({ id, method, params }) => {
    const { _meta, ...others } = params && !Array.isArray(params) ? (params as Json) : {};
    return method === 'ping'
      ? []
      : [{ id, method, params: { ...others, _meta: { ...envelope, progressToken: null } } }];
  });
  const answers = await overStdio(requests);
  for (const { id } of requests) expect(answers.get(id)).toHaveProperty('result');
});

test('over HTTP, null means absent wherever a client of an older revision can write it', async () => {
  const { url } = await serve();
  for (const request of [initialize, ...requestsWithNull]) {
    const { status, text } = await post(url, {}, JSON.stringify({ jsonrpc: '2.0', ...request }));
    expect([status, text]).toEqual([200, expect.stringContaining('"result"')]);
  }
});

test.each([
  ['an older', { method: 'initialize', params: { ...initialize.params, capabilities: null } }],
  [
    'the 2026',
    { method: 'tools/list', params: { _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': null } } },
  ],
])('over stdio and HTTP, null for the capabilities of a client of %s revision means none', async (_era, request) => {
  expect((await overStdio([{ id: 1, ...request }])).get(1)).toHaveProperty('result');
  const { url } = await serve();
  const headers = request.method === 'initialize' ? {} : modernHeaders(request.method);
  const { text } = await post(url, headers, JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }));
  expect(text).toContain('"result"');
});

test.each([
  [undefined, '2025-11-25'],
  [{ protocolVersion: '2025-06-18' }, '2025-06-18'],
  [{ protocolVersion: '2025-06-18', capabilities: {} }, '2025-06-18'],
  [{ protocolVersion: null, clientInfo: { name: 'test', version: null } }, '2025-11-25'],
  [{ capabilities: {}, clientInfo: { version: '1.0.0' } }, '2025-11-25'],
])('over stdio and HTTP, serves a client whose `initialize` is incomplete (%j)', async (params, protocolVersion) => {
  const request = { id: 1, method: 'initialize', params };
  expect((await overStdio([request])).get(1)).toMatchObject({ result: { protocolVersion } });
  const { url } = await serve();
  const { text } = await post(url, {}, JSON.stringify({ jsonrpc: '2.0', ...request }));
  expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
});

test('null beside the method means absent, also for the ID of a notification', async () => {
  const answers = await overStdio([
    initialize,
    { ...initialized, id: null, result: null },
    { id: 1, method: 'ping', result: null, error: null },
  ]);
  expect([...answers.keys()]).toEqual([0, 1]);
  expect(answers.get(1)).toHaveProperty('result');
  const { url } = await serve();
  const notification = JSON.stringify({ jsonrpc: '2.0', ...initialized, id: null });
  expect((await post(url, {}, notification)).status).toBe(202);
});

test("a client's response is not answered", async () => {
  const responses = [
    { id: 7, result: {} },
    { id: 7, error: { code: 1, message: 'x' } },
  ];
  expect([...(await overStdio([initialize, initialized, ...responses])).keys()]).toEqual([0]);
  const { url } = await serve();
  for (const response of responses) {
    expect((await post(url, {}, JSON.stringify({ jsonrpc: '2.0', ...response }))).status).toBe(202);
  }
});

test('a deeply nested message is answered like any other', async () => {
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"further":${nested}}}`;
  expect((await overStdio([initialize], message)).get(1)).toHaveProperty('result');
  const { url } = await serve();
  expect((await post(url, {}, message)).text).toContain('"result"');
});

test.each(['older', '2026'])(
  'over HTTP, every way to omit arguments gives the same result in the %s revision',
  async (era) => {
    const { url } = await serve();
    const results = new Set<string>();
    for (const { method, params } of callsWithNull) {
      const { _meta, ...others } = params as Json;
      const isNew = era === '2026';
      const request = isNew ? { ...others, _meta: { ...envelope, ...(_meta as Json | null) } } : params;
      const { status, text } = await post(
        url,
        isNew ? modernHeaders('tools/call', 'order_license_list_orders') : {},
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: request }),
      );
      expect(status).toBe(200);
      results.add(text.replace(/"requests_left":\d+/, ''));
    }
    expect(results.size).toBe(1);
    expect([...results][0]).toContain('bestellnummer');
  },
);

const invalid: readonly [Json, string][] = [
  [{ method: 'tools/call', params: { arguments: {} } }, 'tools/call: `params.name` is missing'],
  [{ method: 'tools/call', params: { name: 5 } }, 'tools/call: `params.name` is missing'],
  [{ method: 'tools/call', params: null }, 'tools/call: `params` is missing'],
  [{ method: 'tools/call', params: { name: 'x', arguments: 'x' } }, 'tools/call: `params.arguments` is missing'],
  [{ method: 'tools/call', params: { name: 'x', _meta: { progressToken: {} } } }, '`params._meta.progressToken`'],
  [{ method: 'prompts/get', params: {} }, 'prompts/get: `params.name` is missing'],
  [{ method: 'prompts/get', params: { name: 'audit', arguments: { from: {} } } }, '`params.arguments.from` is missing'],
  [{ method: 'prompts/get', params: { name: 'audit', arguments: null } }, 'from: Write the date as YYYY-MM-DD.'],
  [{ method: 'resources/read', params: { uri: null } }, 'resources/read: `params.uri` is missing'],
  [{ method: 'tools/list', params: { cursor: 5 } }, 'tools/list: `params.cursor` is missing'],
  [{ method: 'initialize', params: { protocolVersion: 1 } }, 'initialize: `params.protocolVersion` is missing'],
  [{ method: 'prompts/get', params: { name: 'erp_sync', arguments: { sinze: '2026-01-01' } } }, 'sinze'],
];

test('over stdio, errors for invalid parameters name the member and quote no schema', async () => {
  const answers = await overStdio([
    initialize,
    initialized,
    ...invalid.map(([request], index) => ({ id: index + 1, ...request })),
  ]);
  for (const [index, [, message]] of invalid.entries()) {
    const { error } = answers.get(index + 1) as { error: { code: number; message: string } };
    expect(error).toEqual({ code: -32_602, message: expect.stringContaining(message) });
    expect(error.message).not.toMatch(/invalid_type|Invalid input|expected|Unrecognized/);
  }
});

test('over HTTP, errors for invalid parameters name the member and quote no schema', async () => {
  const { url, mock } = await serve();
  for (const [request, message] of invalid) {
    const { text, status } = await post(url, {}, JSON.stringify({ jsonrpc: '2.0', id: 3, ...request }));
    expect([status, text]).toEqual([200, expect.stringContaining(message)]);
    expect(text).not.toMatch(/invalid_type|Invalid input|expected|Unrecognized/);
    expect(text).toContain('"id":3');
  }
  expect(mock.journal.total()).toBe(0);
});

test('over HTTP, an error for an invalid envelope names the member and quotes no schema', async () => {
  const { url } = await serve();
  const _meta = { ...envelope, 'io.modelcontextprotocol/clientInfo': 5 };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
  const { text } = await post(url, modernHeaders('tools/list'), body);
  expect(text).toContain('io.modelcontextprotocol/clientInfo: is missing or has the wrong type');
});
