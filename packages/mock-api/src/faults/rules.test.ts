import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask, type Json, send } from '../test-client.fixture.ts';
import { drawMs } from './fault.ts';
import type { FaultInput } from './rule.ts';

const mock = await listen({ limit: 'off' });
const pool: Pool = new Pool(new URL(mock.baseUrl).origin, { connections: 1, pipelining: 1, bodyTimeout: 5000 });
beforeEach(() => mock.reset());
afterAll(async () => {
  await pool.destroy();
  await mock.close();
});

/** Returns what a client sees: the status and length of a response, or the code or name of an error. */
const seen = async (fault?: string): Promise<string> => {
  const headers = { authorization: `Bearer ${mock.keys.business}`, ...(fault ? { 'x-mock-fault': fault } : {}) };
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/api/v1/me', headers });
    return `${statusCode} ${(await body.text()).length}`;
  } catch (error) {
    const { code, name } = error as { code?: string; name: string };
    return code ?? name;
  }
};

test.each<[fault: string, seen: string[], status: number]>([
  ['resetBefore', ['ECONNRESET', 'UND_ERR_SOCKET'], 0],
  ['resetAfter', ['ECONNRESET', 'UND_ERR_SOCKET'], 200],
  ['emptyReply', ['UND_ERR_SOCKET'], 0],
  ['truncate', ['UND_ERR_SOCKET'], 200],
  ['badChunk', ['HTTPParserError'], 200],
  ['garbage', ['HTTPParserError'], 0],
  ['drip;ms=1', ['the whole response'], 200],
])(
  'the wire fault %s breaks the connection, and the journal records the received status [U-57 U-43]',
  async (fault, expected, status) => {
    const whole = await seen();
    expect(whole).toMatch(/^200 \d\d+$/);
    expect(expected.map((one) => (one === 'the whole response' ? whole : one))).toContain(await seen(fault));
    expect(mock.journal.entries().at(-1)?.status).toBe(status);
    expect(await seen()).toBe(whole);
  },
);

test('idleReset responds, then resets the next request on that connection [U-57]', async () => {
  const whole = await seen();
  expect(await seen('idleReset')).toBe(whole);
  expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await seen());
  expect(mock.journal.entries().at(-1)).toMatchObject({ status: 0, fault: 'idleReset' });
  expect(await seen()).toBe(whole);
});

test('a `hang` fault sends no response until the client gives up [U-43]', async () => {
  const headers = { authorization: `Bearer ${mock.keys.business}`, 'x-mock-fault': 'hang' };
  const patience = new AbortController();
  const end = mock.journal.subscribe(() => patience.abort(new Error('gave up')));
  await expect(fetch(`${mock.baseUrl}/me`, { headers, signal: patience.signal })).rejects.toThrow('gave up');
  end();
  expect(mock.journal.entries().at(-1)).toMatchObject({ status: 0, fault: 'hang' });
  expect(await seen()).toMatch(/^200/);
});

test.each<[fault: string, status: number]>([
  ...[500, 502, 503, 504, 418].map((status): [string, number] => [String(status), status]),
  ['html', 502],
  ...[503, 504, 429].map((status): [string, number] => [`html;status=${status}`, status]),
])('the fault %s is a response with the status %i [U-41 U-43 U-45 U-58]', async (fault, status) => {
  const { text, body, headers } = await ask(mock, '/me', { headers: { 'x-mock-fault': fault } });
  const isPage = fault.startsWith('html');
  expect(headers.get('content-type')).toBe(`${isPage ? 'text/html' : 'application/json'}; charset=utf-8`);
  if (isPage) expect(text).toContain(`<h1>${status} `);
  else expect(body).toEqual({ status, error: expect.any(String) });
});

test('the fault cutJson sends the first half of the JSON [U-43]', async () => {
  const usual = await ask(mock, '/me');
  const cut = await ask(mock, '/me', { headers: { 'x-mock-fault': 'cutJson' } });
  expect([cut.body, cut.text]).toEqual([undefined, usual.text.slice(0, usual.text.length / 2)]);
});

test('a fault can change the status, headers, body and delay of the usual response [U-43 U-45]', async () => {
  const usual = await ask(mock, '/me');
  const changed = async (response: object) =>
    ask(mock, '/me', { headers: { 'x-mock-fault': JSON.stringify({ response }) } });
  expect(await changed({ status: 502, body: '' })).toMatchObject({ status: 502, text: '' });
  expect(await changed({ body: { status: 200, data: null } })).toMatchObject({ status: 200, body: { data: null } });
  expect((await changed({ body: ['failed'] })).body).toEqual(['failed']);
  const typed = await changed({ headers: { 'Content-Type': 'application/octet-stream' } });
  expect([typed.text, typed.headers.get('content-type')]).toEqual([usual.text, 'application/octet-stream']);
  const moved = await changed({ status: 308, headers: { location: 'http://127.0.0.1:9/x' }, body: '' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, 'http://127.0.0.1:9/x']);
  mock.faults.add({ response: { body: (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)) } });
  const latin1 = Buffer.from(await (await fetch(`${mock.baseUrl}/me`)).arrayBuffer());
  expect(latin1.toString('latin1')).toContain('API key');
  mock.faults.add({ response: { body: () => undefined } });
  expect((await ask(mock, '/me')).text).toBe(usual.text);
  const late = createInnerMock({ limit: 'off' });
  late.faults.add({ response: { delayMs: 70 } });
  expect(send(late, '/me')).toMatchObject({ delayMs: 70, status: 200 });
});

test.each<[rule: FaultInput | string, paths: string[], statuses: number[]]>([
  [{ kind: 'status', status: 503, times: 2 }, ['/me', '/me', '/me'], [503, 503, 200]],
  ['500;skip=1', ['/me', '/me', '/me'], [200, 500, 200]],
  [{ response: { status: 500 }, operation: 'list', times: 'always' }, ['/me', '/orders', '/orders'], [200, 500, 500]],
])('with the fault %j, requests for %j return %j [S-77]', async (rule, paths, statuses) => {
  mock.faults.add(rule);
  const answers: number[] = [];
  for (const path of paths) answers.push((await ask(mock, path)).status);
  expect(answers).toEqual(statuses);
  mock.reset();
  expect(mock.faults.list()).toEqual([]);
});

test("a delay on the mock's clock can be combined with another fault [U-58]", async () => {
  mock.clock.freeze();
  mock.faults.add('delay;ms=3600000');
  mock.faults.add('500');
  let status = 0;
  const asked = ask(mock, '/me').then((answer) => {
    status = answer.status;
  });
  await mock.journal.waitFor({ operation: 'me' }, { timeoutMs: 30_000 });
  await pause(30);
  expect(status).toBe(0);
  mock.clock.advance(3_599_999);
  await pause(30);
  expect(status).toBe(0);
  mock.clock.advance(1);
  await asked;
  expect(status).toBe(500);
  mock.clock.resume();
});

test('a delay can be a number or a range [U-58]', () => {
  expect([drawMs(70, 0), drawMs('70', 0)]).toEqual([70, 70]);
  expect([drawMs('50..300', 0), drawMs('50..300', 0.999)]).toEqual([50, 300]);
  const late = createInnerMock({ latency: '50..60', limit: 'off' });
  const delays = Array.from({ length: 50 }, () => send(late, '/me').delayMs);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...delays)).toBeLessThanOrEqual(60);
  expect(new Set(delays).size).toBeGreaterThan(3);
});

test('removes a used-up fault from the list, and keeps the others in order', () => {
  const own = createInnerMock();
  own.faults.add({ kind: '500', times: 2 });
  own.faults.add({ kind: '503', operation: 'list' });
  send(own, '/me');
  expect(own.faults.list()).toMatchObject([{ status: 500, applied: 1 }, { status: 503 }]);
  send(own, '/me');
  expect(own.faults.list()).toEqual([{ kind: 'status', status: 503, operation: 'list', applied: 0 }]);
});

test('rejects a delay or a latency with `frozenAt`, because it would never end', async () => {
  const frozen = createInnerMock({ frozenAt: 0 });
  const sentence = /would never end, since frozenAt stops the clock; remove frozenAt, or call clock\.resume\(\) first/;
  for (const fault of ['delay', 'drip;ms=5'] as const) {
    expect(() => frozen.faults.add(fault)).toThrow(sentence);
    const asked = await frozen.fetch('/api/v1/me', { headers: { 'x-mock-fault': fault } });
    expect([asked.status, ((await asked.json()) as Json).error]).toEqual([400, expect.stringMatching(sentence)]);
  }
  expect(() => createInnerMock({ frozenAt: 0, latency: 100 })).toThrow(/^a latency would never end/);
  frozen.clock.resume();
  frozen.faults.add('delay;ms=1');
  expect((await frozen.fetch('/api/v1/me')).status).toBe(401);
});
