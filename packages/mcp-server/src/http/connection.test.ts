import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { envelope, getMe, headers, post, rpc, serve } from '../testing/http-session.fixture.ts';
import { slowService } from '../testing/slow-service.fixture.ts';

test('keeps connections longer than proxies do', async () => {
  const { url } = await serve();
  for (const body of [rpc('tools/list'), getMe, '{']) {
    const { headers } = await post(url, { connection: 'keep-alive' }, body);
    expect(headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=75' });
  }
});

const name = 'order_license_get_me';

test.each([
  [
    '2026-07-28',
    rpc('tools/call', { name, arguments: {}, _meta: envelope }),
    { 'mcp-method': 'tools/call', 'mcp-name': name },
  ],
  ['2025-11-25', getMe, {}],
])("in revision %s, a long call's response starts at once, with keepalive comments", async (revision, body, more) => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await slowService();
  const { url } = await serve({ ORDER_LICENSE_BASE_URL: service.baseUrl });
  const request = { ...headers, ...more, 'mcp-protocol-version': revision };
  const response = await fetch(url, { method: 'POST', headers: request, body });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(15_000);
    expect(await reader?.read()).toEqual({ done: false, value: ': keepalive\n\n' });
  }
  service.answerAll();
  expect((await reader?.read())?.value).toContain('"user_id":7');
  expect((await reader?.read())?.done).toBe(true);
});

test('a stream contains no Unicode line separators, where some clients end a line', async () => {
  const { url, mock } = await serve();
  const license_key = 'AB\u2028CD\u2029EF\u0085GH';
  mock.state.insertOrder('business', { id: 7, status: 'bezahlt', items: [{ license_codes: [{ license_key }] }] });
  const body = rpc('tools/call', { name: 'order_license_get_order', arguments: { id: 7 } });
  const { text } = await post(url, {}, body);
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  const { result } = JSON.parse(text.replace(/^.*data: /s, ''));
  for (const order of [result.structuredContent, JSON.parse(result.content[0].text)]) {
    expect(order.items[0].license_codes[0].license_key).toBe(license_key);
  }
});

const part = 'x'.repeat(64 * 1024);
test.each([
  ['with a declared length', 'content-length: 8388608', part, ''],
  ['in chunks', 'transfer-encoding: chunked', `10000\r\n${part}\r\n`, '0\r\n\r\n'],
])('a client that sends 8 MB %s gets 413 and can continue', async (_name, length, piece, end) => {
  const { url } = await serve();
  const socket = openSocket(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: */*, application/json, text/event-stream\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}${length}\r\n\r\n`);
  for (let i = 0; i < 8; i++) socket.write(piece);
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 413 /);
  for (let i = 8; i < 128; i++) socket.write(piece);
  const ping = rpc('ping');
  socket.write(`${end}${head}content-length: ${ping.length}\r\n\r\n${ping}`);
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that sends 8 MB and closes its connection always gets 413', async () => {
  const { url } = await serve();
  const big = 'x'.repeat(8 * 1024 * 1024);
  for (let i = 0; i < 10; i++) expect((await post(url, { connection: 'close' }, big)).status).toBe(413);
  expect((await post(new URL('/elsewhere', url).href, { connection: 'close' }, big)).status).toBe(404);
});

test('accepts headers of 31 KiB', async () => {
  const { url } = await serve();
  expect((await post(url, { 'x-long': 'x'.repeat(31 * 1024) })).status).toBe(200);
});

test.each([33, 64, 127])('says that headers of %i KiB are too long', async (size) => {
  const { url } = await serve();
  const rejection = await post(url, { authorization: `Bearer ${'x'.repeat(size * 1024)}` });
  expect(rejection).toMatchObject({ status: 431, headers: { 'content-type': 'application/json' } });
  expect(JSON.parse(rejection.text)).toEqual({
    jsonrpc: '2.0',
    error: {
      code: -32_000,
      message: 'The headers are longer than 32 KiB; use an access token with fewer claims, such as groups.',
    },
    id: null,
  });
});
