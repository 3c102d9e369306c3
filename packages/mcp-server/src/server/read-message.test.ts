import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { envelope, modernHeaders, post, serve } from '../testing/http-session.fixture.ts';
import { runStdio } from './stdio.ts';
import { createStdioTransport } from './stdio-transport.ts';

type Json = Record<string, unknown>;
type Answers = Map<unknown, Json>;

const env = {
  ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
  ORDER_LICENSE_API_KEY: 'unused',
  ORDER_LICENSE_LICENSE_KEYS: 'app', // so that `resources/read` exists
};
const asText = (request: Json): string => JSON.stringify({ jsonrpc: '2.0', ...request });

/** Sends the requests, one after the other and then the raw line, and returns the responses by ID. */
const overStdio = async (requests: readonly Json[], line = ''): Promise<Answers> => {
  const [stdin, stdout] = [new PassThrough({ autoDestroy: false }), new PassThrough()];
  runStdio(readConfig(env), createStdioTransport(stdin, stdout));
  stdin.end(`${[...requests.map(asText), line].join('\n')}\n`);
  await once(stdin, 'close');
  const answers = (await readAll(stdout.end())).split('\n').filter(Boolean);
  return new Map(answers.map((line) => JSON.parse(line)).map((answer) => [answer.id, answer]));
};

/** Sends the requests, one after the other, and returns the responses by ID. None may cause a request to the API. */
const overHttp = async (requests: readonly Json[]): Promise<Answers> => {
  const { url, mock } = await serve({ ORDER_LICENSE_LICENSE_KEYS: 'app' });
  const answers: Answers = new Map();
  for (const request of requests) {
    const params = request.params as { name?: string; _meta?: object } | null | undefined;
    const isModern = params?._meta && 'io.modelcontextprotocol/protocolVersion' in params._meta;
    const headers = isModern ? modernHeaders(String(request.method), params.name) : {};
    const { status, text } = await post(url, headers, asText(request));
    expect(status).toBe(text === '' ? 202 : 200);
    const answer = text && JSON.parse(text.slice(text.indexOf('{')));
    if (answer) answers.set(answer.id, answer);
  }
  expect(mock.journal.total()).toBe(0);
  return answers;
};

const onBoth = test.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
] as const);

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

onBoth('over %s, null means absent wherever a client of an older revision can write it', async (_name, send) => {
  const answers = await send([initialize, initialized, ...requestsWithNull]);
  for (const { id } of [initialize, ...requestsWithNull]) expect(answers.get(id)).toHaveProperty('result');
});

onBoth('over %s, null means absent wherever a client of the 2026 revision can write it', async (_name, send) => {
  const requests = requestsWithNull.slice(1).flatMap(({ id, method, params }) => {
    const { _meta, ...others } = params && !Array.isArray(params) ? (params as Json) : {};
    const meta = { ...envelope, progressToken: null };
    return method === 'ping' ? [] : [{ id, method, params: { ...others, _meta: meta } }];
  });
  const answers = await send(requests);
  for (const { id } of requests) expect(answers.get(id)).toHaveProperty('result');
});

onBoth('over %s, null or empty lists, as PHP writes them, mean no capabilities', async (_name, send) => {
  const given = [null, [], { experimental: [], roots: [] }, { experimental: { a: [] }, elicitation: { form: [] } }];
  for (const capabilities of given) {
    const initialization = { id: 1, method: 'initialize', params: { ...initialize.params, capabilities } };
    expect((await send([initialization])).get(1)).toHaveProperty('result');
    const _meta = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    expect((await send([{ id: 1, method: 'tools/list', params: { _meta } }])).get(1)).toHaveProperty('result');
  }
});

test.each<[object | undefined, string]>([
  ...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(
    (protocolVersion) => [{ ...initialize.params, protocolVersion }, protocolVersion] as [object, string],
  ),
  [undefined, '2025-11-25'],
  [{ protocolVersion: '2025-06-18' }, '2025-06-18'],
  [{ protocolVersion: '2025-06-18', capabilities: {} }, '2025-06-18'],
  [{ protocolVersion: null, clientInfo: { name: 'test', version: null } }, '2025-11-25'],
  [{ capabilities: {}, clientInfo: { version: '1.0.0' } }, '2025-11-25'],
])(
  'over stdio and HTTP, responds to `initialize` with parameters %j in revision %s',
  async (params, protocolVersion) => {
    for (const send of [overStdio, overHttp]) {
      const answers = await send([{ id: 1, method: 'initialize', params }]);
      expect(answers.get(1)).toMatchObject({ result: { protocolVersion } });
    }
  },
);

onBoth('over %s, null next to the method means absent, also for the ID of a notification', async (_name, send) => {
  const notification = { ...initialized, id: null, result: null };
  const answers = await send([initialize, notification, { id: 1, method: 'ping', result: null, error: null }]);
  expect([...answers.keys()]).toEqual([0, 1]);
  expect(answers.get(1)).toHaveProperty('result');
});

onBoth("over %s, a client's response gets no response", async (_name, send) => {
  const responses = [
    { id: 7, result: {} },
    { id: 7, error: { code: 1, message: 'x' } },
  ];
  expect([...(await send([initialize, initialized, ...responses])).keys()]).toEqual([0]);
});

test('responds to a deeply nested message', async () => {
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"further":${nested}}}`;
  expect((await overStdio([initialize], message)).get(1)).toHaveProperty('result');
  const { url } = await serve();
  expect((await post(url, {}, message)).text).toContain('"result"');
});

test.each(['older', '2026'])('in the %s revision, every way to omit arguments gives the same result', async (era) => {
  const { url } = await serve();
  const results = new Set<string>();
  for (const { method, params } of callsWithNull) {
    const { _meta, ...others } = params as Json;
    const isNew = era === '2026';
    const request = isNew ? { ...others, _meta: { ...envelope, ...(_meta as Json | null) } } : params;
    const headers = isNew ? modernHeaders('tools/call', 'order_license_list_orders') : {};
    const { status, text } = await post(url, headers, asText({ id: 1, method, params: request }));
    expect(status).toBe(200);
    results.add(text.replace(/"requests_left":\d+/, ''));
  }
  expect(results.size).toBe(1);
  expect([...results][0]).toContain('bestellnummer');
});

const invalid: readonly [Json, string][] = [
  [{ method: 'tools/call', params: { arguments: {} } }, 'tools/call: `params.name` is missing'],
  [{ method: 'tools/call', params: { name: 5 } }, 'tools/call: `params.name` is missing'],
  [{ method: 'tools/call', params: null }, 'tools/call: `params.name` is missing'],
  [
    { method: 'tools/call', params: { name: 'order_license_get_order', arguments: '{"id": 1' } },
    'tools/call: `params.arguments` is missing or has the wrong type',
  ],
  [{ method: 'prompts/get', params: {} }, 'prompts/get: `params.name` is missing'],
  [
    { method: 'prompts/get', params: { name: 'audit', arguments: 'x' } },
    'prompts/get: `params.arguments` is missing or has the wrong type',
  ],
  [{ method: 'prompts/get', params: { name: 'audit', arguments: null } }, 'from: is missing'],
  [{ method: 'resources/read', params: { uri: null } }, 'resources/read: `params.uri` is missing'],
  [{ method: 'resources/read', params: { uri: { toString: null } } }, 'resources/read: `params.uri` is missing'],
  [{ method: 'prompts/get', params: { name: 'erp_sync', arguments: { sinze: '2026-01-01' } } }, 'since: is missing'],
];

onBoth('over %s, an error for missing parameters names the member and quotes no schema', async (_name, send) => {
  const requests = invalid.map(([request], index) => ({ id: index + 1, ...request }));
  const answers = await send([initialize, initialized, ...requests]);
  for (const [index, [, message]] of invalid.entries()) {
    const { error } = answers.get(index + 1) as { error: { code: number; message: string } };
    expect(error).toEqual({ code: -32_602, message: expect.stringContaining(message) });
    expect(error.message).not.toMatch(/invalid_type|Invalid input|expected|Unrecognized/);
  }
});

test('over HTTP, an error for an invalid envelope names the member and quotes no schema', async () => {
  const { url } = await serve();
  const _meta = { ...envelope, 'io.modelcontextprotocol/clientInfo': 5 };
  const { text } = await post(
    url,
    modernHeaders('tools/list'),
    asText({ id: 1, method: 'tools/list', params: { _meta } }),
  );
  expect(text).toContain('io.modelcontextprotocol/clientInfo: is missing or has the wrong type');
});
