import { afterAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask, headersFor, send, sendRaw, walk } from '../test-client.fixture.ts';

const mock = await listen();
const paths: string[] = ['/me', '/orders', `/orders/${(await walk(mock, 'per_page=50'))[0].id}`];
beforeEach(() => mock.setProfile('strict', { limit: 'off' }));
afterAll(() => mock.close());

const statusOf = async (path: string, options?: Parameters<typeof ask>[2]) => (await ask(mock, path, options)).status;

test('unknown paths return 404 inside and outside /api/v1 [S-01 S-03 S-85]', async () => {
  for (const path of ['/me', '/orders', '/', '/api/me', '/api/v2/me', '/api/v1x/me', '/API/V1/me']) {
    const { status, text } = await sendRaw(mock, path, { headers: headersFor(mock) });
    expect(status, path).toBe(404);
    expect(JSON.parse(text)).toEqual({ status: 404, error: expect.stringContaining('starts at /api/v1') });
  }
  for (const path of ['', '/', '/users', '/me/1', '/orders/1/items', '/order', '/ME']) {
    expect(await statusOf(path), path).toBe(404);
  }
});

test('repeated GETs return the same bytes, and other methods change nothing [S-02 S-36]', async () => {
  for (const path of [...paths, '/orders?per_page=50']) {
    const before = await ask(mock, path);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await ask(mock, path, { method });
    expect((await ask(mock, path)).text).toBe(before.text);
  }
});

test('every response is valid UTF-8 JSON [S-05]', async () => {
  for (const path of [...paths, '/orders?page=x', '/nowhere']) {
    expect((await ask(mock, path)).body).toBeDefined(); // ask() rejects invalid UTF-8
  }
  expect((await ask(mock, '/me')).body.data.company).toBe('Müller & Söhne GmbH');
  expect((await ask(mock, '/me', { key: mock.keys.otherAccount })).body.data.name).toBe('Zoë Strøm 山田');
});

test('401 takes precedence over 403, 403 over 429, and 429 over 404, 405 and 400 [S-81 U-35]', async () => {
  const own = createInnerMock({ limit: 1, frozenAt: 0 });
  const status = (target: string, key: string, method = 'GET') => send(own, target, { key, method }).status;
  expect(status('/nowhere?page=0', own.keys.revoked, 'POST')).toBe(401);
  expect(status('/nowhere', own.keys.private, 'POST')).toBe(403);
  expect(status('/me', own.keys.business)).toBe(200);
  expect(status('/nowhere', own.keys.business, 'POST')).toBe(429);
  expect(status('/orders?page=0', own.keys.business)).toBe(429);
  expect(status('/nowhere?page=0', own.keys.otherAccount)).toBe(404);
  own.clock.advance(60_000);
  expect(status('/orders?page=0', own.keys.otherAccount, 'POST')).toBe(405);
});

test.each([
  [10_000, 'Try again in 10 seconds.'],
  [1, 'Try again in 1 second.'],
])('the error text of a 429 states a wait of %i ms in seconds [S-80]', (windowMs, sentence) => {
  const own = createInnerMock({ limit: 1, windowMs, frozenAt: 0 });
  send(own, '/me');
  expect(send(own, '/me').body).toEqual({ status: 429, error: `The rate limit is exceeded. ${sentence}` });
});

test('a path with extra slashes returns 404, and a setting controls the response to unknown paths [U-27 U-28]', async () => {
  expect([await statusOf('/orders/'), await statusOf('//me')]).toEqual([404, 404]);
  expect((await ask(mock, '/nowhere')).body.status).toBe(404);
  mock.set({ unknownPath: 'html' });
  const page = await ask(mock, '/nowhere');
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('other methods return 405 with Allow, without CORS headers [U-29]', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
    const { status, headers } = await ask(mock, '/me', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  }
  expect((await ask(mock, '/me')).headers.get('access-control-allow-origin')).toBeNull();
});

test('the response to a preflight request says that web pages cannot call the API [U-29]', async () => {
  const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' };
  for (const headers of [preflight, {}]) {
    const response = await fetch(`${mock.baseUrl}/me`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await response.json()).toEqual({
      status: 405,
      error: 'This method is not allowed; use GET. A web page cannot call this API; call it from a server.',
    });
  }
});

test('the body of a GET request is ignored [U-30]', async () => {
  const headers = { ...headersFor(mock), 'content-length': 2 };
  expect((await sendRaw(mock, '/api/v1/me', { headers, body: '{}' })).status).toBe(200);
});

test('settings reject plain HTTP or redirect it to HTTPS [U-31]', async () => {
  mock.set({ httpsOnly: 'reject' });
  expect(await statusOf('/me')).toBe(403);
  mock.set({ httpsOnly: 'redirect' });
  const { status, headers } = await ask(mock, '/me?x=1');
  expect(status).toBe(308);
  expect(headers.get('location')).toBe(`${mock.baseUrl.replace('http:', 'https:')}/me?x=1`);
});

test('settings decide which Accept and Authorization headers are accepted [U-32 U-33 U-34]', async () => {
  const html = { headers: { accept: 'text/html' } };
  const lower = { key: null, headers: { authorization: `bearer ${mock.keys.business}` } };
  expect([await statusOf('/me', html), await statusOf('/me', lower)]).toEqual([200, 200]);
  mock.set({ accept: '406', authScheme: 'exact' });
  expect([await statusOf('/me', html), await statusOf('/me', lower), await statusOf('/me')]).toEqual([406, 401, 200]);
  expect(await statusOf('/me', { headers: { accept: 'Application/JSON' } })).toBe(200);
  expect((await ask(mock, '/me', lower)).headers.get('www-authenticate')).toBeNull();
  mock.set({ accept: 'html' });
  expect((await ask(mock, '/me', html)).text).toMatch(/^<!doctype html>/);
});

test('`invalidId` makes a non-integer ID return 404, or reads only its leading digits [U-26]', async () => {
  const id = paths[2]?.split('/')[2];
  mock.set({ invalidId: '404' });
  expect(await statusOf('/orders/abc')).toBe(404);
  mock.set({ invalidId: 'coerce' });
  expect([await statusOf('/orders/abc'), await statusOf(`/orders/${id}abc`)]).toEqual([404, 200]);
});

test('error texts, the body status and the content type are configurable [U-42 U-44 U-45]', async () => {
  mock.set({ errorText: 'Computer says no' });
  expect((await ask(mock, '/orders/1')).body.error).toBe('Computer says no');
  mock.set({ looseStatus: 'string', contentType: 'html' });
  const { body, headers } = await ask(mock, '/me');
  expect([body.status, headers.get('content-type')]).toEqual(['200', 'text/html; charset=utf-8']);
  mock.set({ looseStatus: 'missing', contentType: 'bare' });
  expect(Object.keys((await ask(mock, '/me')).body)).toEqual(['data']);
});

test('responses are compressed only if a setting enables it, and never have caching or Date headers [U-55 U-56 U-57 U-62]', async () => {
  const answerFor = async (coding: string) => {
    const { status, headers } = await ask(mock, '/me', { headers: { 'accept-encoding': coding } });
    return { status, headers, coding: headers.get('content-encoding') };
  };
  const { headers } = await answerFor('gzip, br');
  for (const name of ['etag', 'content-encoding', 'date', 'cache-control']) expect(headers.get(name)).toBeNull();
  expect(headers.get('keep-alive')).toBe('timeout=5');
  for (const compress of ['gzip', 'br'] as const) {
    mock.set({ compress });
    expect(await answerFor(compress)).toMatchObject({ status: 200, coding: compress });
    expect(await answerFor('identity')).toMatchObject({ status: 200, coding: null });
  }
});

test('no source file of the mock can open an outgoing connection [S-71]', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const folder = new URL('../', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!test|fixture)\.ts$/.test(name),
  );
  expect(sources.length).toBeGreaterThan(30);
  for (const name of sources) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    expect(text, name).not.toMatch(/https?\.(request|get)\(|net\.connect|createConnection|(?<![.\w])fetch\(\s*['"`h]/);
  }
});
