import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { all, baseUrl, type FetchLike, frozenAt, probeMock, reads } from './in-process.fixture.ts';
import { another } from './kit.ts';
import { type ProbeOptions, probe } from './probe.ts';
import { countFor } from './questions.ts';
import { renderReport } from './render.ts';

const apiKey = 'CANARY-api-key-9f31c7';
const private_ = `CANARY-private-7781 ${apiKey}`;

const probeBad = async (fetch: FetchLike, more: Partial<ProbeOptions> = {}) => {
  const report = await probe({ baseUrl, apiKey, fetch, sleep: async () => {}, timeoutMs: 20, ...all, ...more });
  expect(report.requests).toBeLessThanOrEqual(countFor({ ...all, ...more }));
  const text = renderReport(report) + JSON.stringify(report);
  createMock({ set: report.set });
  expect(text).not.toMatch(/CANARY|77123456|88123456|77,123|undefined|\[object|NaN/);
  return report;
};

const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);
const until = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
const stream = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>): Response =>
  new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));

const privateIn = (...names: string[]) => Object.fromEntries(names.map((name) => [name, private_]));
const everywhere = {
  ...privateIn('id', private_, 'status', 'zahlungsstatus', 'lieferstatus', 'waehrung', 'created_at'),
  gesamtpreis_brutto: private_,
  items: [{ ...privateIn('id', private_, 'menge'), license_codes: [privateIn('license_key', 'code_typ')] }],
  billing_address: privateIn(private_),
};

/** A readable order whose data must not be shown. */
const order = { ...everywhere, id: 77_123_456, status: 'bezahlt', [private_]: everywhere, menge: 88_123_456 };
const pagination = { page: 77_123_456, per_page: 88_123_456, total: 77_123_456, pages: 88_123_456 };

const servers: Record<string, FetchLike> = {
  'returns 500': async () => json({ status: 500, error: private_ }, { status: 500 }),
  'returns 404': async () => json({ status: 404, error: private_ }, { status: 404 }),
  'returns 401': async () => json({ status: 401, error: `The key ${apiKey} is invalid.` }, { status: 401 }),
  'returns 403': async () => json({ status: 403, error: private_ }, { status: 403 }),
  'returns 429 always': async () => json({ status: 429, error: private_ }, { status: 429 }),
  'returns 429 with a Retry-After of a year': async () =>
    json({}, { status: 429, headers: { 'retry-after': '31536000' } }),
  'returns HTML': async () => new Response(`<html>${private_}</html>`, { headers: { 'content-type': 'text/html' } }),
  'returns nothing': async () => new Response(''),
  'returns text': async () => new Response(private_),
  'redirects to itself': async (url) =>
    new Response(null, { status: 302, headers: { location: `${url}?${private_}` } }),
  'cuts the body off': async () =>
    stream((controller) => {
      controller.enqueue(new TextEncoder().encode(`{"status":200,"data":{"id":"${private_}`));
      controller.error(new Error(private_));
    }),
  'drips and never ends': async (_, { signal }) => stream(() => until(signal)),
  hangs: (_, { signal }) => until(signal),
  'breaks the connection': async (url) => {
    throw new TypeError(`fetch failed ${url} ${apiKey}`, { cause: { code: `${private_} ECONNRESET` } });
  },
  'has no certificate': async () => {
    throw new TypeError('fetch failed', { cause: { code: 'CERT_HAS_EXPIRED' } });
  },
  'nests too deep': async () => new Response(`{"status":200,"data":${'['.repeat(200_000)}`),
  'returns an error with 200': async () => json({ status: 200, error: private_ }),
  'has other types everywhere': async () =>
    json({ status: 'ok', data: { user_id: 'x', orders: {}, pagination: [], items: 'x', billing_address: 7 } }),
  'has orders full of private data': async (url) =>
    json({
      status: 200,
      data: url.includes('page') ? { orders: [order, order], pagination } : { ...order, orders: [order], pagination },
    }),
  'puts private data everywhere': async () =>
    json(
      {
        ...privateIn('status', private_),
        data: { ...everywhere, orders: [everywhere], pagination: privateIn('total') },
      },
      {
        headers: {
          'content-type': `application/${private_}`,
          ...privateIn('keep-alive', 'content-encoding', 'retry-after', 'x-ratelimit-limit', 'ratelimit-policy'),
          ...privateIn('etag', 'access-control-allow-origin'),
        },
      },
    ),
};

/** What a report says about each request to a server that never sends a usable response. */
const unusable: Record<string, string> = {
  'returns 404': 'returned 404',
  'returns 500': 'returned 500',
  'returns HTML': 'returned 200, HTML',
  'returns nothing': 'returned 200, no body',
  'returns text': 'returned 200, no JSON',
  'nests too deep': 'returned 200, no JSON',
  'redirects to itself': 'returned 302, no body',
  'cuts the body off': 'returned 200, body cut off',
  'drips and never ends': 'returned 200, no response in time',
  hangs: 'no response in time',
  'breaks the connection': 'no connection',
  'has no certificate': 'no connection, CERT_HAS_EXPIRED',
};

test.each(Object.keys(servers))(
  'if the API %s, the report contains none of its data, and the probe stops after three unusable responses',
  async (name) => {
    const problem = unusable[name];
    const timeoutMs = problem?.endsWith('no response in time') ? 20 : 30_000;
    const { requests, readable, failed, stopped } = await probeBad(servers[name] as FetchLike, { timeoutMs });
    if (problem === undefined) return;
    expect([requests, readable]).toEqual([3, false]);
    expect(failed).toEqual(['/me', '/orders', '/orders?page=1&per_page=50'].map((path) => `GET ${path}: ${problem}`));
    expect(stopped).toMatch(/^3 requests in a row got no usable response\. Check the /);
  },
);

test('suggests no window of more than a day, although a header states it', async () => {
  const mock = createMock({ frozenAt });
  const fetch: FetchLike = async (url, init) => {
    const { status, body } = await mock.fetch(url, init);
    return new Response(body, { status, headers: { 'ratelimit-policy': 'w=99999' } });
  };
  const { points } = await probeMock(mock, reads, { fetch });
  expect(points).toContainEqual(expect.objectContaining({ setting: 'windowMs', found: [another] }));
});

test.each([401, 403])('stops at once if the API returns %i for the key', async (status) => {
  const report = await probeBad(servers[`returns ${status}`] as FetchLike);
  expect([report.requests, report.readable]).toEqual([1, false]);
  expect(report.stopped).toContain(String(status));
});

test.each([
  ['returns 429 always', [1, 61, 1, 61]],
  ['returns 429 with a Retry-After of a year', [1, 120, 1, 120]],
])('if the API %s, repeats each request once after a wait, and stops after three failures', async (name, seconds) => {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms / 1_000);
  const { stopped } = await probeBad(servers[name] as FetchLike, { sleep });
  expect(waits).toEqual(seconds);
  expect(stopped).toContain('whether another program uses the key');
});

test.each(['returns 403', 'returns 404', 'has other types everywhere'])(
  'suggests no settings if the API %s, because no list was read',
  async (name) => {
    const report = await probeBad(servers[name] as FetchLike, { timeoutMs: 30_000 });
    const text = renderReport(report);
    expect([report.set, text.includes('--set')]).toEqual([{}, false]);
    expect(text).toMatch(/No settings are suggested, because no list of orders could be read\.\n$/);
  },
);
