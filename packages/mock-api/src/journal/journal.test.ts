import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { type Ask, ask, headersFor, newestPoints, send, sendRaw, started, walk } from '../test-client.fixture.ts';
import type { JournalEntry } from './journal-entry.ts';

const mock = await listen({ limit: 'off' });
beforeEach(() => mock.journal.clear());
afterAll(() => mock.close());

test('the journal records method, path, query, status and key name, and no violation for a correct client [S-02 S-59 S-60]', async () => {
  const [order] = await walk(mock, 'status=bezahlt&per_page=50');
  await ask(mock, `/orders/${order.id}`, { key: mock.keys.businessSecond });
  await ask(mock, '/me');
  const expected = [
    { method: 'GET', path: '/api/v1/orders', query: 'page=1&status=bezahlt&per_page=50', status: 200, key: 'business' },
    { method: 'GET', path: `/api/v1/orders/${order.id}`, query: '', status: 200, key: 'businessSecond' },
    { method: 'GET', path: '/api/v1/me', query: '', status: 200, key: 'business' },
  ];
  expect(mock.journal.entries()).toMatchObject(expected.map((entry, n) => ({ number: n + 1, ...entry })));
  expect(mock.journal.violations()).toEqual([]);
});

test.each<[points: string[], path: string, options?: Ask]>([
  [['S-02'], '/me', { method: 'DELETE' }],
  [['S-02'], '/me', { method: 'POST', headers: { 'content-length': '0' } }],
  [['S-03'], '/../../me'],
  [['S-01'], '/users'],
  [['S-40'], '/me?x=1'],
  [['S-48'], '/orders?per_page=51'],
  [['U-01'], '/orders?page=0'],
  [['U-03'], '/orders?page=x'],
  [['U-04'], '/orders?status=x'],
  [['U-07'], '/orders?page=1&page=1'],
  [['U-08'], '/orders?sort=asc'],
  [['U-08'], '/orders/1?full=1'],
  [['S-56'], '/orders/abc'],
  [['U-27'], '/orders/'],
  [['S-59'], '/me', { key: null }],
  [['S-59'], '/me', { key: null, headers: { authorization: `bearer ${mock.keys.business}` } }],
  [['S-60'], '/me', { headers: { accept: 'text/html' } }],
  // every invalid parameter, whatever else the query contains
  [['U-08', 'S-48'], '/orders?per_page=100&sort=asc'],
  [['U-01', 'S-48', 'U-04'], '/orders?page=0&per_page=100&status=x'],
  [['U-07', 'U-01', 'U-03'], '/orders?page=1&per_page=abc&page=0'],
])(
  'records the violations %j of %s %j [S-02 S-03 S-40 S-48 S-56 S-59 S-60 U-01 U-03 U-04 U-07 U-08 U-27]',
  async (points, path, options) => {
    await ask(mock, path, options);
    expect(newestPoints(mock)).toEqual(points);
  },
);

test.each<[path: string, count: number, init?: RequestInit]>([
  ['/', 0],
  ['/?x', 0],
  ['/favicon.ico', 0],
  ['/', 0, { method: 'HEAD' }],
  ['/', 1, { headers: { authorization: 'Bearer k', accept: 'application/json' } }],
  ['/', 4, { method: 'POST' }],
  ['/other', 3],
])(
  'only the requests that browsers and health checks send by themselves violate no rule: %s violates %i with %j',
  async (path, count, init) => {
    const own = createInnerMock();
    await own.fetch(path, init);
    expect(own.journal.entries()[0]?.violations).toHaveLength(count);
  },
);

test('a request with a body is a violation [S-41]', async () => {
  await sendRaw(mock, '/api/v1/me', { headers: { ...headersFor(mock), 'content-length': 2 }, body: '{}' });
  expect(newestPoints(mock)).toEqual(['S-41']);
});

test('a relative download URL is a violation only with the API key [U-50]', () => {
  const own = createInnerMock({ set: { downloadUrls: 'relative' } });
  const [{ license_codes }] = send(own, `/orders/${own.samples.manyCodes.id}`).body.data.items;
  const target = license_codes[0].download_url_64;
  const points = Object.entries(headersFor(own)).map(([name, value]) => {
    own.answer({ method: 'GET', target, rawHeaders: [name, value], secure: false });
    return newestPoints(own);
  });
  expect(points).toEqual([['U-50'], []]);
});

test('journal, state and control responses contain neither API keys nor license keys [S-65 S-66 S-70]', async () => {
  const canary = 'canary-KEY-91c2/+=&?x';
  const own = await started({
    keys: { business: canary, businessSecond: 'tiny-key' },
    licenseKeyPrefix: 'CANARY-LICENSE-',
  });
  const made = own.state.createKey('business').key;
  for (const key of [canary, made, 'tiny-key']) {
    const encoded = encodeURIComponent(key);
    await ask(own, `/orders/${encoded}?api_key=${encoded}`, { key, headers: { cookie: `session=${key}` } });
    await ask(own, `/orders/${own.samples.manyCodes.id}`, { key });
  }
  const texts = [JSON.stringify([own.journal.entries(), own.state.keys()])];
  for (const path of ['/journal', '/overview', '/keys', '/settings', ''])
    texts.push(await (await fetch(own.controlUrl + path)).text());
  expect(own.journal.entries()[0]).toMatchObject({ path: '/api/v1/orders/***', query: 'api_key=***', status: 400 });
  for (const key of [canary, made, 'tiny-key', own.keys.otherAccount, 'CANARY-LICENSE-'])
    expect(texts.join()).not.toContain(key);
});

/** The ways in which clients encode a key in a URL. */
const encoders: ((key: string) => string)[] = [
  String,
  encodeURIComponent,
  (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  (key) => encodeURI(key).replaceAll('+', '%2B'),
  (key) => new URLSearchParams({ key }).toString().slice(4),
  (key) => key.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
];

test('the journal contains no key, whichever part of a request has it and however a client encodes it [S-65 S-70]', () => {
  const letter = fc.constantFrom(...'!"#$%&()*+,-./:;=?@[]~azAZ09');
  const place = fc.record({
    path: fc.constantFrom('me?', 'me?x=', 'me?a=%26&x=', 'orders?status=', 'orders/', 'orders/id:', ''),
    encode: fc.constantFrom(...encoders),
    header: fc.constantFrom('accept', 'cookie', 'x-mock-fault', 'user-agent', 'proxy-authorization'),
    around: fc.constantFrom(['', ''], ['a=', ';q=1'], ['"', '"'], ['foo/', '.json'], ['bezahlt,', '']),
    others: fc.constantFrom([], ['Authorization', 'Basic abc'], ['Authorization', 'Bearer someone-else']),
  });
  fc.assert(
    fc.property(fc.string({ unit: letter, minLength: 8, maxLength: 20 }), place, (business, place) => {
      const { path, encode, header, around, others } = place;
      const own = createInnerMock({ keys: { business, otherAccount: `${business}/other` }, orders: 0 });
      const made = own.state.createKey('business').key;
      for (const key of [business, own.keys.otherAccount, made]) {
        const target = `/api/v1/${path}${around.join(encode(key))}`;
        own.answer({
          method: 'GET',
          target,
          rawHeaders: [header, around.join(key), key, 'x', ...others],
          secure: false,
        });
      }
      for (const { path, query, headers } of own.journal.entries()) {
        expect([path + query, headers[header], headers['***']]).toEqual([
          expect.stringContaining('***'),
          around.join('***'),
          'x',
        ]);
        const written = [path, query, ...Object.entries(headers).flat()].join(' ').toLowerCase();
        for (const key of [business, made])
          for (const encode of encoders) expect(written).not.toContain(encode(key).toLowerCase());
      }
    }),
    { numRuns: 300 },
  );
});

test('the journal keeps common headers and queries readable [S-70]', () => {
  const own = createInnerMock();
  const sent = {
    accept: 'application/json, text/plain;q=0.9, */*',
    'accept-encoding': 'gzip, deflate, br',
    origin: 'http://localhost:5678',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 OrderLicenseSynchronisationService/1.0',
    'x-mock-fault': '{"response":{"status":308,"headers":{"location":"http://127.0.0.1:1/x"}}}',
  };
  send(own, '/orders?status=bezahlt', { key: null, headers: sent });
  expect(own.journal.entries()).toMatchObject([{ headers: sent, query: 'status=bezahlt' }]);
});

test('a key that looks like a page number is also redacted in the URL [S-70]', () => {
  const own = createInnerMock({ keys: { business: '12345678' } });
  for (const path of ['/orders?per_page=50&page=12345678', '/orders/12345678', '/orders?page=5']) send(own, path);
  expect(own.journal.entries().map(({ path, query }) => `${path}?${query}`)).toEqual([
    '/api/v1/orders?per_page=50&page=***',
    '/api/v1/orders/***?',
    '/api/v1/orders?page=5',
  ]);
});

test.each(['1', 'me', 'orders', 'api'])(
  'the key %s, which is shorter than 8 characters, is hidden only in Authorization [S-70]',
  (key) => {
    const own = createInnerMock();
    send(own, '/orders?page=1', { key });
    const [entry] = own.journal.entries();
    expect(entry).toMatchObject({ path: '/api/v1/orders', query: 'page=1', headers: { authorization: 'Bearer ***' } });
  },
);

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
    delete entry.answer?.error;
  }
  expect(own.journal.entries()).toMatchObject([
    { status: 401, headers: { host: 'localhost' }, answer: { error: 'unauthorized' } },
  ]);
  expect(own.journal.violations().length).toBe(1);
});
