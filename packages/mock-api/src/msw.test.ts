import https from 'node:https';
import { setupServer } from 'msw/node';
import { Agent, Pool, request, fetch as undiciFetch } from 'undici';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from './fetch.ts';
import { innerOf } from './mock.ts';
import { handlers, mockNetwork } from './msw.ts';
import { headersFor, type Json } from './test-client.fixture.ts';

const baseUrl = 'https://shop.example.test/service/api/v1';
let mock: Mock;
let headers: Record<string, string>;

beforeEach(() => {
  mock = createMock({ limit: 'off' });
  headers = headersFor(mock);
});

/** Serves the mock under a base URL until the end of the test. */
const intercept = async (base: string) => {
  const network = mockNetwork(mock, base);
  await network.enable();
  onTestFinished(() => network.disable());
};

test('Mock.fetch responds like the server [S-01]', async () => {
  const response = await mock.fetch('http://localhost/api/v1/orders?per_page=3', { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const { data } = (await response.json()) as Json;
  expect(data.orders.length).toBe(3);
  const order = await mock.fetch(new Request(`https://any.test/api/v1/orders/${data.orders[0].id}`, { headers }));
  expect(await order.json()).toMatchObject({ data: { id: data.orders[0].id } });
  expect((await mock.fetch('/api/v1/me')).status).toBe(401);
  expect(mock.journal.total()).toBe(3);
});

test('Mock.fetch applies HTTP faults and rejects connection faults [U-43]', async () => {
  mock.faults.add('html;status=502');
  expect((await mock.fetch('/api/v1/me', { headers })).status).toBe(502);
  mock.faults.add('truncate');
  await expect(mock.fetch('/api/v1/me', { headers })).rejects.toThrow(
    /"truncate" breaks the connection, which createMock\(\)\.fetch cannot simulate/,
  );
  mock.faults.add('delay;ms=60000');
  const stopped = mock.fetch('/api/v1/me', { headers, signal: AbortSignal.timeout(10) });
  await expect(stopped).rejects.toThrow(/timeout/);
  expect(await (await mock.fetch('/api/v1/me', { headers, method: 'HEAD' })).text()).toBe('');
});

test('mockNetwork serves undici, fetch and node:https, and blocks requests to other hosts [S-01 S-54]', async () => {
  await intercept(baseUrl);
  const url = `${baseUrl}/orders?status=bezahlt&per_page=2`;
  const expected = await (await mock.fetch('/api/v1/orders?status=bezahlt&per_page=2', { headers })).text();
  const agent = new Agent();
  for (const dispatcher of [undefined, agent])
    expect(await (await request(url, { headers, ...(dispatcher && { dispatcher }) })).body.text()).toBe(expected);
  await agent.close();
  for (const send of [undiciFetch, fetch]) expect(await (await send(url, { headers })).text()).toBe(expected);
  const pool = new Pool('https://shop.example.test', { connections: 1 });
  const { pathname, search } = new URL(url);
  const { body } = await pool.request({ method: 'GET', path: pathname + search, headers });
  expect(await body.text()).toBe(expected);
  await pool.close();
  const viaNode = new Promise<number | undefined>((resolve, reject) => {
    https.get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  expect(await viaNode).toBe(200);
  await expect(request('http://elsewhere.example.test/')).rejects.toThrow();
});

test("the handlers work with msw's setupServer [S-01]", async () => {
  const server = setupServer(...handlers(mock, `${baseUrl}/`));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  const { data } = (await (await fetch(`${baseUrl}/me`, { headers })).json()) as Json;
  expect(data.company).toBe('Müller & Söhne GmbH');
  expect((await fetch(`${baseUrl}/orders/1`, { headers })).status).toBe(404);
  expect((await fetch(`${baseUrl}/me`, { headers, method: 'POST' })).status).toBe(405);
});

test.each(['https://shop.example.test:443/api/v1', 'https://müller.example.test/api/v1'])(
  'mockNetwork serves the base URL %s, which requests write differently [S-03]',
  async (base) => {
    await intercept(base);
    expect((await fetch(`${base}/me`, { headers })).status).toBe(200);
  },
);

test('msw rejects new and pending connection faults [U-43]', () => {
  handlers(mock, baseUrl);
  expect(() => mock.faults.add('resetBefore')).toThrow(
    'the fault "resetBefore" breaks the connection, which msw cannot simulate; use listen()',
  );
  const rawHeaders = ['Authorization', `Bearer ${mock.keys.business}`, 'x-mock-fault', 'hang'];
  const { response } = innerOf(mock).answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: true });
  expect([response.status, response.body]).toEqual([400, expect.stringContaining('which msw cannot simulate')]);
  mock.faults.add('500');
  const other = createMock();
  other.faults.add({ kind: 'hang' });
  expect(() => handlers(other, baseUrl)).toThrow(/which msw cannot simulate/);
  expect(() => handlers(createMock(), 'https://shop.example.test')).toThrow(/baseUrl must end in \/api\/v1/);
});
