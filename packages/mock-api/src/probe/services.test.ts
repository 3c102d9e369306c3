import { expect, test } from 'vitest';
import { createMock } from '../engine.ts';
import { baseUrl, clockOf, type FetchLike, frozenAt } from './in-process.fixture.ts';
import { type ProbeOptions, probe } from './probe.ts';
import { renderReport } from './render.ts';
import type { ProbeReport } from './report.ts';

const asked = { withMalformed: true, withRateLimit: false };
const days = Array.from({ length: 65 }, (_, n) => new Date(Date.UTC(2026, 4, 1) - n * 86_400_000));
const statuses = ['bezahlt', 'abgeschlossen', 'ausstehend', 'storniert'];
const orders = days.map((day, n) => ({
  id: 500 - n,
  bestellnummer: `X${500 - n}`,
  status: statuses[n % 4] as string,
  zahlungsstatus: ['bezahlt', 'bezahlt', 'offen', 'erstattet'][n % 4] as string,
  gesamtpreis_brutto: '19.90',
  waehrung: 'EUR',
  created_at: day.toISOString().slice(0, 19).replace('T', ' '),
  lieferstatus: n % 4 < 2 ? 'geliefert' : 'offen',
}));

interface Service {
  perPage(text: string | null): number | undefined;
  page(text: string | null, pages: number): number | undefined;
  total(count: number): unknown;
  status(word: string): string;
  error(status: number): Response;
}

const json = (status: number, body: object): Response =>
  Response.json({ status, ...body }, { status, headers: { 'content-type': 'application/json; charset=utf-8' } });
const whole = (min: number, max: number, standard: number) => (text: string | null) => {
  if (text === null) return standard;
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
};

const strict: Service = {
  perPage: whole(1, 50, 20),
  page: whole(1, 1e9, 1),
  total: (count) => count,
  status: (word) => word,
  error: (status) => json(status, { error: 'The API key is invalid, or something else.' }),
};

/** A small server, written without the mock. */
const serve = (changes: Partial<Service> = {}): FetchLike => {
  const service = { ...strict, ...changes };
  const list = (query: URLSearchParams): Response => {
    const filter = query.get('status');
    if (filter !== null && !statuses.includes(filter)) return service.error(400);
    const found = orders.filter(({ status }) => filter === null || status === filter);
    const perPage = service.perPage(query.get('per_page'));
    const pages = Math.ceil(found.length / (perPage ?? 1));
    const page = service.page(query.get('page'), pages);
    if (perPage === undefined || page === undefined) return service.error(400);
    const shown = found
      .slice((page - 1) * perPage, page * perPage)
      .map((entry) => ({ ...entry, status: service.status(entry.status) }));
    return json(200, {
      data: { orders: shown, pagination: { page, per_page: perPage, total: service.total(found.length), pages } },
    });
  };
  const detail = (id: string): Response => {
    if (!/^\d+$/.test(id)) return service.error(400);
    const order = orders.find((one) => String(one.id) === id);
    if (!order) return service.error(404);
    const { zahlungsstatus, lieferstatus, created_at, ...rest } = order;
    const url = `https://shop.example/${id}`;
    const code = {
      id: 1,
      license_key: 'A-B',
      code_typ: 'retail',
      download_url_64: url,
      download_url_32: Number(id) % 3 ? null : url,
      aktivierungen_bestellung: 1,
    };
    const isPaid = ['bezahlt', 'abgeschlossen'].includes(order.status);
    const item = {
      id: 1,
      product_name: 'x',
      menge: 1,
      einzelpreis_brutto: '19.90',
      license_codes: isPaid ? [code] : [],
    };
    return json(200, { data: { ...rest, status: service.status(order.status), items: [item], billing_address: {} } });
  };
  return async (address, { headers }) => {
    const { pathname, searchParams } = new URL(address);
    const key = new Headers(headers).get('authorization') ?? '';
    if (!/^bearer secret$/i.test(key)) return service.error(401);
    const path = pathname.replace('/api/v1', '');
    const user = { user_id: 1, email: 'a@b.example', name: 'A', company: 'B', vat_id: 'C', api_version: '1.0' };
    if (path === '/me') return json(200, { data: user });
    if (path === '/orders') return list(searchParams);
    return path.startsWith('/orders/') ? detail(path.slice(8)) : service.error(404);
  };
};

const probeService = (fetch: FetchLike, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> =>
  probe({ baseUrl, apiKey: 'secret', fetch, clock: clockOf(createMock({ frozenAt })), ...asked, ...more });

type Fields = Record<string, unknown>;
type Body = Fields & { data?: (Fields & { orders?: Fields[] }) | undefined };

/** Probes a server with documented requests only. */
const probeReads = (fetch: FetchLike, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> =>
  probeService(fetch, { withMalformed: false, ...more });

/** Returns a server that changes the response bodies of another server. */
const changing = (change: (body: Body, path: string, count: number) => Body, fetch = serve()): FetchLike => {
  let count = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    return json(response.status, change((await response.json()) as Body, url.slice(baseUrl.length), ++count));
  };
};

const brokenIn = ({ statements }: ProbeReport) => statements.filter(({ broken }) => broken > 0).map(({ id }) => id);

const usual = { billing: 'emptyObject' };
const clamped = (min: number, max: number, standard: number) => (text: string | null) =>
  text === null ? standard : Math.min(max, Math.max(min, Math.trunc(Number.parseInt(text, 10) || 0)));

test('finds the flags for a small strict API', async () => {
  const report = await probeService(serve());
  expect([report.set, report.notCovered]).toEqual([usual, []]);
});

test('finds the flags for an API that casts numbers as PHP does', async () => {
  const report = await probeService(serve({ perPage: clamped(1, 50, 20), page: clamped(1, 1e9, 1) }));
  expect([report.set, report.notCovered]).toEqual([{ ...usual, params: 'clamp' }, []]);
});

test('finds the flags for an API that repeats its last page', async () => {
  const page = (text: string | null, pages: number) => Math.min(pages, strict.page(text, pages) ?? 1);
  const report = await probeService(
    serve({ page: (text, pages) => (strict.page(text, pages) ? page(text, pages) : undefined) }),
  );
  expect([report.set, report.notCovered]).toEqual([{ ...usual, pageBeyondLast: 'clamp' }, []]);
});

test.each<[string, Partial<Service>, RegExp]>([
  [
    'min(50, n ?: 20)',
    { perPage: (text) => Math.min(50, Number.parseInt(text ?? '', 10) || 20), page: clamped(1, 1e9, 1) },
    /per_page/,
  ],
  ['a total that is a string', { total: String }, /"pagination\.total","service":\["a string"/],
  [
    'statuses in capitals',
    { status: (word) => word.toUpperCase() },
    /"orders\[\]\.status","service":\["a word in a different form"/,
  ],
  [
    'errors in HTML',
    { error: (status) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } }) },
    /"body","service":\["HTML"/,
  ],
  ['no pagination', { page: () => 1, perPage: () => 65 }, /"per_page","service":\["65"/],
])('names a difference that no setting covers: %s', async (_, changes, difference) => {
  const { flags, notCovered } = await probeService(serve(changes));
  expect(flags.join()).toContain('--set billing=emptyObject');
  expect(JSON.stringify(notCovered)).toMatch(difference);
});

test('compares only the data of two responses to the same request [S-02]', async () => {
  const report = await probeReads(changing((body, _, count) => ({ ...body, request_id: `r${count}` })));
  expect([report.set, brokenIn(report)]).toEqual([usual, []]);
});

test('accepts errors that name the requested order [S-08]', async () => {
  const named = (textOf: (id: string) => string) =>
    changing((body, path) => ('error' in body ? { status: 404, error: textOf(path.slice('/orders/'.length)) } : body));
  const otherOrder = '77';
  const same = await probeReads(
    named((id) => `No order ${id}.`),
    { otherOrder },
  );
  expect(same.statements.find(({ id }) => id === 'S-08')).toMatchObject({ held: 1, broken: 0 });
  const different = await probeReads(
    named((id) => (id === otherOrder ? 'Not yours.' : 'Not found.')),
    { otherOrder },
  );
  expect(brokenIn(different)).toEqual(['S-08']);
});

test('draws no conclusion from an order request that fails [S-08]', async () => {
  const fetch = serve();
  const failing: FetchLike = (url, init) =>
    url.endsWith('/77') ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init);
  expect(brokenIn(await probeReads(failing, { otherOrder: '77' }))).toEqual([]);
});

/** Returns a server that changes the orders in its lists. */
const listing = (change: (orders: Fields[]) => Fields[]): FetchLike =>
  changing(({ data, ...body }) =>
    data?.orders ? { ...body, data: { ...data, orders: change(data.orders) } } : { ...body, data },
  );

test('reports an undocumented order status as a difference, not as a violation [S-34 S-52 U-54]', async () => {
  const isReturned = (id: unknown): boolean => Number(id) % 9 === 1;
  const report = await probeReads(
    listing((some) => some.map((order) => (isReturned(order.id) ? { ...order, status: 'retour' } : order))),
  );
  expect([report.set, brokenIn(report)]).toEqual([usual, []]);
  expect(report.notCovered.flatMap(({ service }) => service)).toContain('"retour"');
});

test('if an API ignores the filter, reports a violation and suggests no setting [S-34 U-54]', async () => {
  const fetch = serve();
  const report = await probeReads((url, init) => fetch(url.replace(/status=[a-z]+&/, ''), init));
  expect([report.set, brokenIn(report)]).toEqual([usual, ['S-34']]);
});

test('accepts a total that ignores the filter if the pages follow the filter [S-52 U-11]', async () => {
  const report = await probeReads(serve({ total: () => orders.length }));
  expect([report.set.totalIgnoresFilter, brokenIn(report)]).toEqual(['on', []]);
});

test('says that no setting covers a list that starts with the oldest order [S-45]', async () => {
  const dates = orders.map(({ created_at }) => created_at);
  const report = await probeReads(
    changing(({ data, ...body }, path) => {
      const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1);
      const oldest = dates.toReversed().slice((page - 1) * 50);
      return data?.orders
        ? { ...body, data: { ...data, orders: data.orders.map((order, n) => ({ ...order, created_at: oldest[n] })) } }
        : { ...body, data };
    }),
  );
  expect(brokenIn(report)).toEqual(['S-45']);
  expect(report.notCovered.map(({ what }) => what)).toEqual(['orders come oldest first']);
});

test('finds the payment and delivery status of the orders with each order status [U-18 U-19]', async () => {
  const words: Record<string, [string, string]> = {
    ausstehend: ['unbezahlt', 'wartend'],
    bezahlt: ['verbucht', 'versandt'],
    abgeschlossen: ['verbucht', 'versandt'],
    storniert: ['gutgeschrieben', 'wartend'],
  };
  const { set, notCovered } = await probeReads(
    listing((some) =>
      some.map((order) => {
        const [zahlungsstatus, lieferstatus] = words[String(order.status)] ?? [];
        return { ...order, zahlungsstatus, lieferstatus };
      }),
    ),
  );
  expect([set.zahlungsstatus, notCovered]).toEqual(['unbezahlt,verbucht,gutgeschrieben', []]);
  expect(set.lieferstatus).toMatch(/^wartend,\w+,versandt$/);
});

test('distinguishes the fields of a list entry from undocumented fields in an order [U-16 U-20]', async () => {
  const { zahlungsstatus, lieferstatus, created_at } = orders[0] as (typeof orders)[0];
  const withFields = (fields: Fields) =>
    changing(({ data, ...body }) => ({ ...body, data: data?.items ? { ...data, ...fields } : data }));
  const all = await probeReads(withFields({ zahlungsstatus, lieferstatus, created_at, rechnungsnummer: 'R1' }));
  const one = await probeReads(withFields({ created_at }));
  expect([all.set.extraFields, one.set.extraFields]).toEqual(['summary', undefined]);
  expect(all.notCovered.map(({ service }) => service)).toEqual([
    ['created_at, lieferstatus, zahlungsstatus', 'undocumented fields'],
  ]);
  expect(one.notCovered.map(({ service }) => service)).toEqual([['created_at']]);
});

test('says whether dates in ISO 8601 have an offset [U-24]', async () => {
  const inIso = (zone: string) =>
    listing((some) =>
      some.map((order) => ({ ...order, created_at: String(order.created_at).replace(' ', 'T') + zone })),
    );
  const [utc, offset] = [await probeReads(inIso('Z')), await probeReads(inIso('+02:00'))];
  expect([utc.set.dates, utc.notCovered, offset.set.dates]).toEqual(['iso', [], 'iso']);
  expect(offset.notCovered).toMatchObject([{ service: ['an offset'], mock: ['Z'] }]);
});

test('distinguishes rejected from accepted requests, whatever the errors look like [U-01 U-04 U-26]', async () => {
  const error = (status: number) =>
    Response.json({ message: 'The given data was invalid.' }, { status: status === 400 ? 422 : status });
  const { set, notCovered } = await probeService(serve({ error }));
  expect(set).toEqual(usual);
  expect(notCovered.map(({ service, mock }) => `${service} ${mock}`)).toContain('422 400');
});

test('reports an object in place of a list, and an ID that is not a number, as differences [U-25 U-59]', async () => {
  const { set, notCovered } = await probeReads(
    changing(({ data, ...body }) => ({
      ...body,
      data: Array.isArray(data?.items) ? { ...data, id: `order-${data.id}`, items: { 1: data.items[0] } } : data,
    })),
  );
  expect(set).toEqual(usual);
  expect(notCovered).toMatchObject([
    { what: 'order.id', service: ['a string'], mock: ['an integer'] },
    { what: 'order.items', service: ['an object'], mock: ['a list'] },
  ]);
});

/** Returns a server that adds headers to each response. */
const sending =
  (headersOf: (text: string) => Record<string, string>, fetch = serve()): FetchLike =>
  async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const headers = new Headers([...response.headers, ...Object.entries(headersOf(text))]);
    return new Response(text, { status: response.status, headers });
  };

test('notices an API that compresses only long responses [U-56]', async () => {
  const gzip = sending((text): Record<string, string> => (text.length > 1000 ? { 'content-encoding': 'gzip' } : {}));
  const { notCovered } = await probeReads(gzip);
  expect(notCovered).toMatchObject([{ what: 'content-encoding', service: ['gzip'], mock: ['absent'] }]);
});

test('reads a limit other than 60 from an X-RateLimit-Limit header [U-39 U-40]', async () => {
  const { set, notCovered } = await probeReads(
    sending(() => ({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '871' })),
  );
  expect([set, notCovered]).toEqual([{ ...usual, rateHeaders: 'x', limit: '1000' }, []]);
});

test('for an account with one delivered order, reports no difference in the license codes', async () => {
  const fetch = serve({ total: () => 1 });
  const { notCovered } = await probeReads(
    changing(({ data, ...body }, path) => {
      const isListed = !path.includes('page=2') && !path.includes('page=1000') && !/=a|=s/.test(path);
      const pagination = { ...(data?.pagination as Fields), total: Number(isListed), pages: Number(isListed) };
      return { ...body, data: data?.orders ? { orders: isListed ? data.orders.slice(0, 1) : [], pagination } : data };
    }, fetch),
  );
  expect(notCovered.filter(({ what }) => what.includes('license_codes'))).toEqual([]);
});

test('says that another program may have caused a 429', async () => {
  let count = 0;
  const fetch = serve();
  const report = await probeReads(async (url, init) =>
    ++count === 20 ? json(429, { error: 'Too many requests.' }) : fetch(url, init),
  );
  expect([report.rejected, report.set.limit]).toEqual([1, '19']);
  expect(renderReport(report)).toContain('If another program uses the key, ignore window,');
});

/** Probes a server that rejects requests over a limit per window, which starts with its first request. */
const probeLimit = async (limit: number, windowMs: number, status: number): Promise<ProbeReport> => {
  const fetch = serve();
  const { clock } = createMock({ frozenAt });
  let [since, used] = [0, 0];
  const limited: FetchLike = async (url, init) => {
    if (clock.now() >= since + windowMs) [since, used] = [clock.now(), 0];
    return ++used > limit ? json(status, { error: 'Too many requests.' }) : fetch(url, init);
  };
  return probeReads(limited, { clock: clockOf({ clock }), withRateLimit: true });
};

test('finds the limit of an API that returns 503 when the limit is exceeded, and names the status [U-39 U-41]', async () => {
  const { set, stopped, notCovered } = await probeLimit(50, 60_000, 503);
  expect([set, stopped]).toEqual([{ ...usual, limit: '50', window: 'fixed' }, undefined]);
  expect(notCovered).toMatchObject([{ what: 'status', service: ['503'], mock: ['429'] }]);
});

test('names each window length that fits, and a limit that the probe cannot reach [U-38 U-39]', async () => {
  const { settings } = await probeLimit(60, 3_600_000, 429);
  const { value, alike } = settings.find(({ name }) => name === 'windowMs') ?? {};
  expect([value, ...(alike ?? [])]).toEqual(['300000', '600000', '900000', '1800000', '3600000']);
  const unlimited = await probeLimit(1000, 60_000, 429);
  const limit = unlimited.settings.find(({ name }) => name === 'limit');
  expect([limit?.value, limit?.alike]).toEqual(['off', [String(unlimited.questions + 1)]]);
});

/** Writes numbers as strings, and empty objects as empty lists. */
const asPhp = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asPhp);
  const entries = Object.entries(value).map(([name, inner]) => [name, asPhp(inner)]);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
};

test('finds the flags for an API written in PHP, and says what the flags do not cover', async () => {
  const fetch = serve({
    perPage: (text) => Math.min(50, Number.parseInt(text ?? '', 10) || 20),
    page: clamped(1, 1e9, 1),
  });
  const report = await probeService(async (url, init) => {
    const response = await fetch(url, init);
    const { data, ...body } = (await response.json()) as Record<string, unknown>;
    return json(response.status, { ...body, ...(data === undefined ? {} : { data: asPhp(data) }) });
  });
  expect(report.set).toMatchObject({ ids: 'string', billing: 'emptyArray' });
  const strings = report.notCovered.filter(({ service, mock }) => `${service} ${mock}` === 'a string an integer');
  const fields = ['page', 'per_page', 'total', 'pages'].map((field) => `pagination.${field}`);
  expect(strings.map(({ what }) => what)).toEqual(expect.arrayContaining(['me.user_id', 'items[].menge', ...fields]));
  const sizes = report.notCovered.filter(({ what }) => what === 'per_page');
  expect(sizes.flatMap(({ where }) => where)).toContain('GET /orders?per_page=0');
});

test('finds the flag for an API that redirects to HTTPS', async () => {
  const report = await probeService(async (url) => Response.redirect(url.replace('http:', 'https:'), 308));
  expect(report.set).toEqual({ httpsOnly: 'redirect' });
});

test('says that no setting covers a 429 from a proxy', async () => {
  let count = 0;
  const fetch = serve();
  const report = await probeService(async (url, init) => {
    if (++count === 20)
      return new Response('<html>429</html>', {
        status: 429,
        headers: { 'content-type': 'text/html', 'retry-after': '1' },
      });
    return fetch(url, init);
  });
  expect(JSON.stringify(report.notCovered)).toMatch(
    /"body","service":\["HTML"\],"mock":\[.*the first request over the limit/,
  );
});
