import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { createMock, type MockServer } from '@order-license/mock-api';
import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test, vi } from 'vitest';
import { errorOf } from './client/virtual-client.fixture.ts';
import { type ClientEvent, type ClientOptions, createClient } from './index.ts';
import { startMock } from './serve.fixture.ts';

const clientOf = (mock: MockServer, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, rateLimit: { minGapMs: 0 }, ...options });

test('sends each of the three reads as a plain GET with one Authorization and one Accept header, and accepts compression [S-01 S-02 S-40 S-41 S-59 S-60]', async () => {
  const { mock } = await startMock();
  const client = clientOf(mock);
  await client.getMe();
  const { orders } = await client.listOrders({ perPage: 1 });
  await client.getOrder(orders[0]?.id ?? 0);
  const requests = mock.journal.entries();
  expect(requests.map(({ method, path, query }) => `${method} ${path}${query && '?'}${query}`)).toEqual([
    'GET /api/v1/me',
    'GET /api/v1/orders?per_page=1',
    `GET /api/v1/orders/${orders[0]?.id}`,
  ]);
  for (const { headers, violations } of requests) {
    expect(headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip, br' });
    expect(headers.authorization).toMatch(/^Bearer \S+$/);
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).not.toHaveProperty('content-length');
    expect(violations).toEqual([]);
  }
});

test("sends the client's name and version in `User-Agent` unless the caller overrides it", async () => {
  const { mock } = await startMock();
  await clientOf(mock).getMe();
  await clientOf(mock, { userAgent: 'my-shop/1.0 (orders)' }).getMe();
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  const [own, named] = mock.journal.entries().map(({ headers }) => headers['user-agent']);
  expect(own).toBe(`order-license-core/${version}`);
  expect(named).toBe('my-shop/1.0 (orders)');
  for (const userAgent of ['', ' ', 'a\r\nb', 'ä', 5 as never]) {
    expect(() => clientOf(mock, { userAgent })).toThrow(expect.objectContaining({ code: 'configuration' }));
  }
});

test('a walk returns every order once, newest first [S-17 S-25 S-44 S-45]', async () => {
  const { mock } = await startMock({ orders: 230 });
  const orders = await Array.fromAsync(clientOf(mock).orders());
  expect(orders).toHaveLength(230);
  expect(new Set(orders.map(({ id }) => id)).size).toBe(230);
  const dates = orders.map(({ created_at }) => created_at);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(mock.journal.entries().map(({ query }) => query)).toEqual(
    [1, 2, 3, 4, 5].map((page) => `page=${page}&per_page=50`),
  );
});

test('distinguishes 401 from 403 [S-06 S-67 S-68 S-74]', async () => {
  const { mock } = await startMock();
  const as = (apiKey: string) => errorOf(clientOf(mock, { apiKey }).getMe());
  for (const apiKey of [mock.keys.revoked, mock.keys.inactive, 'nobody-has-this-key'])
    expect(await as(apiKey)).toMatchObject({ code: 'authentication', status: 401, attempts: 1 });
  expect(await as(mock.keys.private)).toMatchObject({ code: 'not_business_account', status: 403, attempts: 1 });
});

test('throws `not_found` without a retry for an unknown order and for another account’s order [S-08 S-57 S-75]', async () => {
  const { mock } = await startMock();
  const other = await clientOf(mock, { apiKey: mock.keys.otherAccount }).listOrders({ perPage: 1 });
  const client = clientOf(mock);
  for (const id of [other.orders[0]?.id ?? 0, 999_999_999]) {
    expect(await errorOf(client.getOrder(id))).toMatchObject({ code: 'not_found', status: 404, attempts: 1 });
  }
});

test('an error names the request that failed, even in a walk', async () => {
  const { mock } = await startMock();
  const client = clientOf(mock);
  const unknown = [41, 42].map((id) => errorOf(client.getOrder(id)));
  expect(await Promise.all(unknown)).toMatchObject([
    { operation: 'getOrder', orderId: '41' },
    { operation: 'getOrder', orderId: '42' },
  ]);
  mock.faults.add({ kind: '401', operation: 'list', page: 2 });
  const error = await errorOf(Array.fromAsync(client.orders()));
  expect(error).toMatchObject({ operation: 'listOrders' });
  expect(error).not.toHaveProperty('orderId');
});

test('a key revoked mid-walk ends the walk, and another key of the account resumes it [S-64]', async () => {
  const { mock } = await startMock({ orders: 200 });
  const given: number[] = [];
  const walked = (async () => {
    for await (const { id } of clientOf(mock).orders()) {
      given.push(id);
      if (given.length === 100) mock.state.revokeKey('business');
    }
  })();
  const error = await errorOf(walked);
  expect(error).toMatchObject({ code: 'authentication' });
  const { createdBefore } = error as { createdBefore: Date };
  const rest = await Array.fromAsync(clientOf(mock, { apiKey: mock.keys.businessSecond }).orders({ createdBefore }));
  // The orders of the last second are returned again.
  expect(new Set([...given, ...rest.map(({ id }) => id)]).size).toBe(200);
});

const canary = 'olk_CANARY_0123456789abcdef';

test.each([
  ['`apiKey` is a string', canary],
  ['`apiKey` is a function', () => canary],
])('if %s, no error, event or inspection of the client contains it or a license key [S-29 S-70]', async (_, apiKey) => {
  const { mock } = await startMock({ keys: { business: canary }, licenseKeyPrefix: 'LICENSE-CANARY-' });
  const events: ClientEvent[] = [];
  const client = clientOf(mock, { apiKey, retries: 0, onEvent: (event) => events.push(event) });
  const seen: unknown[] = [client, events];
  const odd = ['html', 'emptyBody', 'cutJson', 'latin1', 'errorObject', 'resetAfter', 'truncate', 'garbage'] as const;
  for (const kind of odd) {
    mock.faults.add({ ...faultOf(kind), times: 1 });
    seen.push(await errorOf(client.getOrder(10_001)));
  }
  seen.push(await errorOf(client.getOrder('no-number')));
  const output = seen.map((thing) => inspect(thing, { depth: 9, showHidden: true }) + JSON.stringify(thing)).join('\n');
  expect(output).not.toContain('CANARY');
});

test('allows plain HTTP to a listed host and reports it as an event, or as a process warning without `onEvent` [S-04]', async () => {
  const { fetch, keys } = createMock();
  const options = { baseUrl: 'http://mock/api/v1', apiKey: keys.business, fetch };
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const events: ClientEvent[] = [];
  const listed = { ...options, allowHttpHosts: ['mock'] };
  const client = createClient({ ...listed, onEvent: (event) => events.push(event) });
  expect((await client.getMe()).user_id).toBeTypeOf('number');
  expect(events[0]).toEqual({ type: 'plain_http', host: 'mock' });
  expect(warned).not.toHaveBeenCalled();
  createClient(listed);
  expect(warned.mock.calls).toEqual([[expect.stringContaining('mock in clear text'), expect.anything()]]);
  warned.mockRestore();
  expect(() => createClient(options)).toThrow('Use https');
});
