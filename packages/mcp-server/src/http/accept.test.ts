import { expect, test } from 'vitest';
import { connect, envelope, getMe, modernHeaders, post, rpc, serve } from '../testing/http-session.fixture.ts';

const name = 'order_license_get_me';
const initialize = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };

test.each([
  [undefined, 'json', 'json'],
  ['', 'json', 'json'],
  ['*/*', 'json', 'json'],
  ['text/html, *; q=.2', 'json', 'json'],
  ['Application/JSON; charset=utf-8', 'json', 'json'],
  ['application/*;q=0.8', 'json', 'json'],
  ['application/json, text/event-stream;q=0', 'json', 'json'],
  ['text/event-stream;q=0.0, */*', 'json', 'json'],
  ['application/json; q=0, */*', 'event-stream', 'event-stream'],
  ['TEXT/EVENT-STREAM', 'event-stream', 'event-stream'],
  ['application/json, text/event-stream', 'event-stream', 'json'],
  ['text/event-stream, */*;q=0.1', 'event-stream', 'json'],
])('a client that accepts %j gets a call as %s, and a list as %s', async (accept, ofCall, ofList) => {
  const { url, mock } = await serve();
  const ask = async (headers: Record<string, string>, body: string) => {
    const answer = await post(url, { ...headers, ...(accept !== undefined && { accept }) }, body, accept === undefined);
    return { ...answer, type: answer.headers['content-type'], json: JSON.parse(answer.text.replace(/^.*data: /s, '')) };
  };
  const modern = rpc('tools/call', { name, arguments: {}, _meta: envelope });
  for (const answer of [await ask({}, getMe), await ask(modernHeaders('tools/call', name), modern)]) {
    expect([answer.status, answer.type]).toEqual([200, expect.stringMatching(`/${ofCall}(;|$)`)]);
    expect(answer.json).toMatchObject({ id: 1, result: { structuredContent: { user_id: 4711 } } });
  }
  const list = await ask(modernHeaders('tools/list'), rpc('tools/list', { _meta: envelope }));
  expect([list.status, list.type]).toEqual([200, expect.stringMatching(`/${ofList}(;|$)`)]);
  expect(mock.journal.violations()).toEqual([]);
});

test('rejects an Accept header that allows neither form, with advice', async () => {
  const { url } = await serve();
  for (const accept of ['text/html', 'text/html,,', '*/*;q=0', 'application/json;q=0']) {
    const { status, text } = await post(url, { accept });
    expect([status, text]).toEqual([406, expect.stringContaining('must allow application/json or text/event-stream')]);
  }
});

test.each([
  ['a slash at its end', '/mcp/'],
  ['a second slash', '//mcp'],
])('an address with %s is served like one without it', async (_what, path) => {
  const { url } = await serve();
  const client = await connect(url.replace('/mcp', path));
  expect((await client.listTools()).tools).toHaveLength(3);
});

test.each(['2026-07-28', '2031-01-01', 'unknown'])(
  'negotiates the revision of a client whose `initialize` request names the revision %s in its header',
  async (version) => {
    const { url } = await serve();
    const body = rpc('initialize', { ...initialize, protocolVersion: version });
    const { status, text } = await post(url, { 'mcp-protocol-version': version }, body);
    expect(status).toBe(200);
    expect(text).toContain('"protocolVersion":"2025-11-25"');
  },
);

test.each([
  ['', 200],
  [' ', 200],
  ['2025-06-18, 2025-06-18', 200],
  ['2025-06-18,2025-06-18', 200],
  ['2025-06-18, 2025-11-25', 400],
])('for a client of an older revision whose revision header is %j, returns %i', async (version, status) => {
  const { url } = await serve();
  expect((await post(url, { 'mcp-protocol-version': version })).status).toBe(status);
});

test('serves a client of revision 2026-07-28 behind a proxy that repeats the revision header', async () => {
  const { url } = await serve();
  const more = { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2026-07-28, 2026-07-28' };
  expect((await post(url, more, rpc('tools/list', { _meta: envelope }))).status).toBe(200);
});

test.each([initialize, {}])('revision 2026-07-28 has no `initialize`, with the parameters %j', async (given) => {
  const { url } = await serve();
  const body = rpc('initialize', { ...given, _meta: envelope });
  const { status, text } = await post(url, modernHeaders('initialize'), body);
  expect([status, JSON.parse(text).error]).toEqual([404, { code: -32_601, message: 'Method not found' }]);
});
