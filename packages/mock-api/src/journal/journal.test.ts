import fc from 'fast-check';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen, type MockServer } from '../server/listen.ts';
import { ask, newestPoints, send, walk } from '../test-client.fixture.ts';
import type { JournalEntry } from './journal-entry.ts';

let mock: MockServer;

beforeAll(async () => {
  mock = await listen({ limit: 'off' });
});
beforeEach(() => mock.journal.clear());
afterAll(() => mock.close());

const points = (): string[] =>
  mock.journal.violations().flatMap(({ violations }) => violations.map(({ point }) => point));

test('the journal records method, path, query, status and key name, and no violation for a correct client [S-02 S-59 S-60]', async () => {
  const [order] = await walk(mock, 'status=bezahlt&per_page=50');
  await ask(mock, `/orders/${order.id}`, { key: mock.keys.businessSecond });
  await ask(mock, '/me');
  const told = mock.journal
    .entries()
    .map(({ number, method, path, query, status, key }) => ({ number, method, path, query, status, key }));
  expect(told).toEqual([
    {
      number: 1,
      method: 'GET',
      path: '/api/v1/orders',
      query: 'page=1&status=bezahlt&per_page=50',
      status: 200,
      key: 'business',
    },
    { number: 2, method: 'GET', path: `/api/v1/orders/${order.id}`, query: '', status: 200, key: 'businessSecond' },
    { number: 3, method: 'GET', path: '/api/v1/me', query: '', status: 200, key: 'business' },
  ]);
  expect(mock.journal.violations()).toEqual([]);
});

test('every violation is recorded with its ID [S-02 S-03 S-40 S-41 S-48 S-56 S-59 S-60 U-01 U-03 U-04 U-07 U-08 U-27]', async () => {
  const marked = async (path: string, options: Parameters<typeof ask>[2] = {}) => {
    mock.journal.clear();
    await ask(mock, path, options);
    return points();
  };
  expect(await marked('/me', { method: 'DELETE' })).toEqual(['S-02']);
  expect(await marked('/../../me')).toEqual(['S-03']);
  expect(await marked('/users')).toEqual(['S-01']);
  expect(await marked('/me?x=1')).toEqual(['S-40']);
  expect(await marked('/me', { method: 'POST', headers: { 'content-length': '0' } })).toEqual(['S-02']);
  expect(await marked('/orders?per_page=51')).toEqual(['S-48']);
  expect(await marked('/orders?page=0')).toEqual(['U-01']);
  expect(await marked('/orders?page=x')).toEqual(['U-03']);
  expect(await marked('/orders?status=x')).toEqual(['U-04']);
  expect(await marked('/orders?page=1&page=1')).toEqual(['U-07']);
  expect(await marked('/orders?sort=asc')).toEqual(['U-08']);
  expect(await marked('/orders/abc')).toEqual(['S-56']);
  expect(await marked('/orders/1?full=1')).toEqual(['U-08']);
  expect(await marked('/orders/')).toEqual(['U-27']);
  expect(await marked('/me', { key: null })).toEqual(['S-59']);
  expect(await marked('/me', { key: null, headers: { authorization: `bearer ${mock.keys.business}` } })).toEqual([
    'S-59',
  ]);
  expect(await marked('/me', { headers: { accept: 'text/html' } })).toEqual(['S-60']);
  await request(`${mock.baseUrl}/me`, {
    method: 'GET',
    headers: { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' },
    body: '{}',
  });
  expect(points()).toContain('S-41');
});

test('every invalid parameter is recorded, whatever else the query contains [S-48 U-01 U-03 U-04 U-07 U-08]', () => {
  const own = createInnerMock();
  const points = (query: string) => {
    send(own, `/orders?${query}`);
    return newestPoints(own);
  };
  expect(points('per_page=100&sort=asc')).toEqual(['U-08', 'S-48']);
  expect(points('page=0&per_page=100&status=x')).toEqual(['U-01', 'S-48', 'U-04']);
  expect(points('page=1&per_page=abc&page=0')).toEqual(['U-07', 'U-01', 'U-03']);
});

test('a relative download URL is a violation only with the API key [U-50]', () => {
  const own = createInnerMock({ set: { downloadUrls: 'relative' } });
  const path = `/api/v1/orders/${own.samples.manyCodes.id}`;
  const authorization = ['Authorization', `Bearer ${own.keys.business}`, 'Accept', 'application/json'];
  const { response } = own.answer({ method: 'GET', target: path, rawHeaders: authorization, secure: false });
  const [{ license_codes }] = JSON.parse(response.body as string).data.items;
  for (const rawHeaders of [[], authorization])
    own.answer({ method: 'GET', target: license_codes[0].download_url_64, rawHeaders, secure: false });
  expect(own.journal.entries().map(({ violations }) => violations.map(({ point }) => point))).toEqual([
    [],
    [],
    ['U-50'],
  ]);
});

test('page and per_page are violations only if out of range [S-48 U-01]', () => {
  const own = createInnerMock({ limit: 'off', journalSize: 1 });
  const number = fc.oneof(
    fc.integer({ min: 0, max: 60 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, 999_999_999_999_999),
  );
  fc.assert(
    fc.property(number, fc.option(number), (page, perPage) => {
      const target = `/orders?page=${page}${perPage === null ? '' : `&per_page=${perPage}`}`;
      send(own, target);
      const wrongSize = perPage !== null && (perPage < 1 || perPage > 50);
      const expected = [...(page < 1 ? ['U-01'] : []), ...(wrongSize ? ['S-48'] : [])];
      expect([target, newestPoints(own)]).toEqual([target, expected]);
    }),
  );
});

test('journal, state and control responses contain no key, wherever a client sends it [S-65 S-66 S-70]', async () => {
  const canary = 'canary-KEY-91c2/+=&?x';
  const own = await listen({ keys: { business: canary, businessSecond: 'tiny' }, licenseKeyPrefix: 'CANARY-LICENSE-' });
  const origin = new URL(own.baseUrl).origin;
  const made = own.state.createKey('business').key;
  for (const key of [canary, made, 'tiny']) {
    const encoded = encodeURIComponent(key);
    const headers = {
      authorization: `Bearer ${key}`,
      'x-api-key': key,
      cookie: `session=${key}`,
      'proxy-authorization': key,
      'user-agent': `client ${key}`,
    };
    await fetch(`${own.baseUrl}/orders/${encoded}?api_key=${encoded}&status=${encoded}`, { headers });
    await fetch(`${own.baseUrl}/${encoded}`, { headers: { authorization: key } });
    await fetch(`${own.baseUrl}/me?page=${encoded}`, { headers: { 'x-api-key': key, 'user-agent': `client ${key}` } });
  }
  for (const { id } of (await ask(own, '/orders', { key: 'tiny' })).body.data.orders) {
    await ask(own, `/orders/${id}`, { key: 'tiny' });
  }
  const texts = [JSON.stringify([own.journal.entries(), own.state.keys()])];
  for (const path of ['/__mock/journal', '/__mock/overview', '/__mock/keys', '/__mock/settings', '/__mock']) {
    texts.push(await (await fetch(origin + path)).text());
  }
  const all = texts.join();
  expect(all).toContain('orders'); // so that the checks below cannot pass on empty texts
  for (const key of [canary, made, own.keys.otherAccount, 'CANARY-LICENSE-']) expect(all).not.toContain(key);
  expect(all).not.toMatch(/\btiny\b/);
  expect(own.journal.entries()[0]).toMatchObject({ path: '/api/v1/orders/***', query: 'api_key=***&status=***' });
  await own.close();
});

test('the journal contains no key from any part of a request [S-70]', async () => {
  const own = createInnerMock({ keys: { business: 'sekret', businessSecond: 'Se-kr.et/2' } });
  const long = own.state.createKey('business').key;
  const shown = ['accept', 'accept-language', 'accept-encoding', 'origin', 'if-none-match', 'cache-control', 'te'];
  const others = ['content-type', 'host', 'user-agent', 'x-mock-fault', 'x-other', 'connection'];
  const authorizations = [[], ['Authorization', 'Basic abc'], ['Authorization', `Bearer ${own.keys.otherAccount}`]];
  let requests = 0;
  const send = (target: string, rawHeaders: string[]): void => {
    for (const sent of authorizations) {
      own.answer({ method: 'GET', target, rawHeaders: [...rawHeaders, ...sent], secure: false });
      requests += 1;
    }
  };
  for (const key of ['sekret', 'Se-kr.et/2', long]) {
    for (const name of [...shown, ...others]) {
      for (const value of [key, `foo ${key}`, `${key};q=1, x`, `a=${key}`, `"${key}"`])
        send('/api/v1/me', [name, value]);
    }
    send('/api/v1/me', [key, 'x']);
    const text = encodeURIComponent(key);
    for (const path of [
      text,
      `orders/${text}`,
      `orders?status=${text}`,
      `me?x=${text}`,
      `me?${text}`,
      `me?${text}=1`,
    ]) {
      send(`/api/v1/${path}`, []);
    }
  }
  for (const key of ['sekret', long]) {
    send('/api/v1/me', ['user-agent', `foo/${key};a=1 (${key})`]);
    send('/api/v1/me', ['x-mock-fault', `{"response":{"headers":{"location":"http://x/${key}"}}}`]);
    for (const path of [`${key}.json`, `${key};v=1`, `id:${key}`]) send(`/api/v1/orders/${path}`, []);
    send(`/api/v1/orders?status=bezahlt,${key}`, []);
  }
  const entries = own.journal.entries();
  expect(entries).toHaveLength(requests);
  for (const { path, query, headers } of entries) {
    for (const key of ['sekret', 'Se-kr.et/2', long, own.keys.otherAccount]) {
      const written = JSON.stringify([path, query, headers]).toLowerCase();
      for (const form of [key, encodeURIComponent(key)]) expect(written).not.toContain(form.toLowerCase());
    }
  }
});

test('the journal keeps common headers and queries readable [S-70]', () => {
  const own = createInnerMock();
  const sent = {
    accept: 'application/json, text/plain;q=0.9, */*',
    'accept-encoding': 'gzip, deflate, br',
    host: '127.0.0.1:8080',
    origin: 'http://localhost:5678',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.6478.126',
    'x-mock-fault': '{"response":{"status":308,"headers":{"location":"http://127.0.0.1:1/x"}}}',
  };
  send(own, '/orders?status=bezahlt', { key: null, headers: sent });
  expect(own.journal.entries()).toMatchObject([{ headers: sent, query: 'status=bezahlt' }]);
});

test('a key that looks like a page number is also redacted in the URL [S-70]', () => {
  const own = createInnerMock({ keys: { business: '1234' } });
  for (const path of ['/orders?per_page=50&page=1234', '/orders/1234', '/orders?page=5']) send(own, path);
  expect(own.journal.entries().map(({ path, query }) => `${path}?${query}`)).toEqual([
    '/api/v1/orders?per_page=50&page=***',
    '/api/v1/orders/***?',
    '/api/v1/orders?page=5',
  ]);
});

test('the journal has a maximum size and notifies listeners [S-66]', async () => {
  const own = createInnerMock({ journalSize: 10, limit: 'off' });
  const seen: number[] = [];
  const end = own.journal.subscribe(({ number }) => seen.push(number));
  for (let n = 0; n < 35; n++) send(own, '/me');
  expect(own.journal.entries().map(({ number }) => number)).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  expect([own.journal.total(), seen.length]).toEqual([35, 35]);
  end();
  send(own, '/me');
  expect(seen.length).toBe(35);
});

test('later requests do not push an early violation out of the journal', async () => {
  const own = createInnerMock({ journalSize: 10, limit: 'off' });
  send(own, '/me', { key: null });
  for (let n = 0; n < 1_100; n++) send(own, '/me');
  expect(own.journal.violations().map(({ number }) => number)).toEqual([1]);
  expect(own.journal.count({ violations: true })).toBe(1);
  expect(own.journal.violations({ after: 1 })).toEqual([]);
  expect(own.journal.counts()).toEqual({ total: 1_101, held: 11, dropped: 1_090, droppedViolations: 0 });
  for (let n = 0; n < 1_100; n++) send(own, '/me', { key: null });
  expect(own.journal.violations().length).toBe(1_010);
  expect(own.journal.counts()).toMatchObject({ total: 2_201, held: 1_010, droppedViolations: 91 });
  expect(() => own.journal.count({ violations: true })).toThrow(/larger journalSize/);
  own.journal.clear();
  expect(own.journal.counts()).toEqual({ total: 0, held: 0, dropped: 0, droppedViolations: 0 });
});

test('the journal returns copies', async () => {
  const own = createInnerMock();
  const heard: JournalEntry[] = [];
  own.journal.subscribe((entry) => heard.push(entry));
  await own.fetch('/api/v1/me');
  for (const entry of [...own.journal.entries(), ...own.journal.violations(), ...heard]) {
    entry.status = 1;
    entry.headers.host = 'changed';
    entry.violations.length = 0;
  }
  expect(own.journal.entries()).toMatchObject([{ status: 401, headers: { host: 'localhost' } }]);
  expect(own.journal.violations().length).toBe(1);
});

test('a long user agent stays readable, except for the keys in it', async () => {
  const own = createInnerMock();
  const seen = async (agent: string) => {
    await own.fetch('/api/v1/me', { headers: { 'user-agent': agent } });
    return own.journal.entries().at(-1)?.headers['user-agent'];
  };
  const agent = 'OrderLicenseSynchronisationService/1.0';
  expect(await seen(agent)).toBe(agent);
  expect(await seen(`${agent} ${own.keys.business}`)).toBe(`${agent} ***`);
});
