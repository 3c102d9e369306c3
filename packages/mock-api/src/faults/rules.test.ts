import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask, type Json, send } from '../test-client.fixture.ts';
import { drawMs } from './fault.ts';

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

test('each wire fault breaks the connection as described [U-57 U-43]', async () => {
  const whole = await seen();
  expect(whole).toMatch(/^200 \d\d+$/);
  for (const kind of ['resetBefore', 'resetAfter'])
    expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await seen(kind));
  for (const kind of ['emptyReply', 'truncate']) expect(await seen(kind)).toBe('UND_ERR_SOCKET');
  for (const kind of ['badChunk', 'garbage']) expect(await seen(kind)).toBe('HTTPParserError');
  expect(await seen('drip;ms=1')).toBe(whole);
  expect(await seen()).toBe(whole);
});

test('the journal records the status that the client received, or 0 if it received none [U-57]', async () => {
  const noted: Record<string, number | undefined> = {};
  for (const kind of ['resetBefore', 'emptyReply', 'garbage', 'resetAfter', 'truncate']) {
    await seen(kind);
    noted[kind] = mock.journal.entries().at(-1)?.status;
  }
  expect(noted).toEqual({ resetBefore: 0, emptyReply: 0, garbage: 0, resetAfter: 200, truncate: 200 });
});

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

test('each HTTP fault corrupts the response as described [U-41 U-43 U-45 U-58]', async () => {
  const answer = async (fault: string) => {
    const headers = { authorization: `Bearer ${mock.keys.business}`, 'x-mock-fault': fault };
    const response = await fetch(`${mock.baseUrl}/me`, { headers, redirect: 'manual' });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, type: response.headers.get('content-type'), bytes, text: bytes.toString() };
  };
  const body = async (fault: string): Promise<Json> => JSON.parse((await answer(fault)).text);

  for (const status of [500, 502, 503, 504, 418]) {
    expect(await body(String(status))).toEqual({ status, error: expect.any(String) });
  }
  for (const status of [502, 503, 504, 429]) {
    const page = await answer(`html;status=${status}`);
    expect([page.status, page.type]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<h1>${status} `);
  }
  const cut = (await answer('cutJson')).text;
  expect(() => JSON.parse(cut)).toThrow();
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
  const late = createInnerMock({ limit: 'off' });
  late.faults.add({ response: { delayMs: 70 } });
  expect(send(late, '/me')).toMatchObject({ delayMs: 70, status: 200 });
});

test('POST /faults accepts a response, and the list returns it', async () => {
  const rule = { response: { status: 500, body: { error: [] } }, operation: 'me', times: 2 };
  const posted = await fetch(`${mock.controlUrl}/faults`, { method: 'POST', body: JSON.stringify(rule) });
  expect(await posted.json()).toEqual([{ kind: 'response', ...rule, applied: 0 }]);
  expect((await ask(mock, '/me')).body).toEqual({ error: [] });
  expect(mock.faults.list()).toMatchObject([{ applied: 1 }]);
});

test('faults can skip requests, apply to several, and match by operation or key [S-77]', async () => {
  const status = async (path: string, key = mock.keys.business) => (await ask(mock, path, { key })).status;
  mock.faults.add({ kind: 'status', status: 503, times: 2 });
  expect([await status('/me'), await status('/me'), await status('/me')]).toEqual([503, 503, 200]);
  mock.faults.add('500;skip=1');
  expect([await status('/me'), await status('/me'), await status('/me')]).toEqual([200, 500, 200]);
  mock.faults.add('500;operation=list;times=always');
  expect([await status('/me'), await status('/orders'), await status('/orders')]).toEqual([200, 500, 500]);
  mock.faults.clear();
  mock.faults.add({ kind: 'status', key: 'businessSecond' });
  expect([await status('/me'), await status('/me', mock.keys.businessSecond)]).toEqual([200, 500]);
  expect(mock.faults.list()).toEqual([]);
  mock.reset();
  expect(mock.faults.list()).toEqual([]);
});

test('a delay uses the clock of the mock and can be combined with another fault [U-58]', async () => {
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

test('removes a used-up fault from the list, and keeps the others in order', async () => {
  mock.faults.add({ kind: '500', times: 2 });
  mock.faults.add({ kind: '503', operation: 'list' });
  await ask(mock, '/me');
  expect(mock.faults.list()).toMatchObject([{ status: 500, applied: 1 }, { status: 503 }]);
  await ask(mock, '/me');
  expect(mock.faults.list()).toEqual([{ kind: 'status', status: 503, operation: 'list', applied: 0 }]);
});

test('with `frozenAt`, a delay or latency is rejected, because it would never end', async () => {
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
