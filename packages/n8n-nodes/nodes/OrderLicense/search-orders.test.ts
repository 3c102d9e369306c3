import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { afterEach, expect, test, vi } from 'vitest';
import { readApi, serveEach, service } from '../shared/service.fixture';
import { prepare, type RunOptions, thrownBy } from './run-node.fixture';
import { searchOrders } from './search-orders';

serveEach({ limit: 'off', orders: 1_234 });
afterEach(() => {
  vi.useRealTimers();
});

const searchIn = (options: RunOptions, filter?: string, token?: string) =>
  searchOrders.call(
    prepare(service, 'getOrder', {}, options).context as unknown as ILoadOptionsFunctions,
    filter,
    token,
  );
const search = (filter?: string, token?: string) => searchIn({}, filter, token);

test('opening the list reads the 50 newest orders with one request, and scrolling continues from there', async () => {
  const first = await search();
  expect(first.results).toHaveLength(50);
  expect(first.results[0]?.name).toMatch(/^B-\d{4}-\d+ · \d{4}-\d\d-\d\d · paid · \d+\.\d\d EUR$/);
  expect(first.results[0]?.value).toMatch(/^\d+$/);
  const second = await search(undefined, first.paginationToken);
  expect(second.results).toHaveLength(50);
  expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(100);
  expect(service.journal.entries().map(({ query }) => query)).toEqual(['page=1&per_page=50', 'page=2&per_page=50']);
  expect(service.journal.violations()).toEqual([]);
});

test('typing searches the newest 500 orders, and further typing sends no requests', async () => {
  const { results, paginationToken } = await search('abgeschlossen');
  expect(service.journal.total()).toBe(10);
  expect(results.every(({ name, value }) => name.includes(' · completed · ') && value !== '')).toBe(true);
  expect(results.length).toBeGreaterThan(100);
  expect(paginationToken).toBe('500');
  await search('Bezahlt');
  expect(service.journal.total()).toBe(10);
});

test('a complete order number is found however old the order is; an unknown number has no results', async () => {
  const page = await readApi<{ orders: { id: number; bestellnummer: string }[] }>('/orders?page=24&per_page=50');
  const [, wanted] = page.orders;
  const { results, paginationToken } = await search(` ${wanted?.bestellnummer} `);
  expect(results).toEqual([
    { name: expect.stringContaining(`${wanted?.bestellnummer} · `), value: String(wanted?.id) },
  ]);
  expect(paginationToken).toBeUndefined();
  expect(service.journal.total()).toBeLessThanOrEqual(1 + 10 + 14);
  expect(await search(`${wanted?.bestellnummer}0`)).toEqual({ results: [] });
});

test('finds an old order whose number is shorter than those of the newest orders', async () => {
  const order = { bestellnummer: 'B-2019-7', created_at: '2019-01-02T03:04:05.000Z', items: [] };
  const { id } = service.state.insertOrder('business', order);
  expect((await search('b-2019-7')).results).toMatchObject([{ value: String(id) }]);
});

test('typing an old order number letter by letter finds it within the rate limit', async () => {
  const [oldest] = service.state.orders('business').page(1_233, 1);
  const number = String(oldest?.list.bestellnummer);
  for (let length = 1; length < number.length; length++) await search(number.slice(0, length));
  expect((await search(number)).results).toMatchObject([{ value: String(oldest?.id) }]);
  expect(service.journal.total()).toBeLessThanOrEqual(45);
});

test.each([
  ['20.11.2030', ' · 2030-11-20 · '],
  ['20.11.30', ' · 2030-11-20 · '],
  ['1.119,00 bezahlt', ' · paid · 1119.00 EUR'],
  ['1119,00', ' · 1119.00 EUR'],
  ['1.119,00 €', ' · 1119.00 EUR'],
  ['#B-2030-7“', 'B-2030-7 · '],
])('finds an order by %j', async (typed, shown) => {
  service.state.insertOrder('business', {
    bestellnummer: 'B-2030-7',
    status: 'bezahlt',
    created_at: '2030-11-20T08:00:00Z',
    items: [{ menge: 1, einzelpreis_brutto: '1119.00' }],
  });
  service.state.insertOrder('business', { status: 'ausstehend', created_at: '2030-11-21T08:00:00Z' });
  const { results } = await search(typed);
  expect(results.map(({ name }) => name)).toEqual([expect.stringContaining(shown)]);
});

test('a date or an amount that no order has causes no search by number', async () => {
  for (const typed of ['20.11.1999', '7,77', '1999-11-20']) expect((await search(typed)).results).toEqual([]);
  expect(service.journal.total()).toBe(10);
});

test('concurrent searches read the list once, and a failing search does not affect the next', async () => {
  const searches = await Promise.all(['b', 'b-', 'b-2', 'b-20'].map((typed) => search(typed)));
  expect(service.journal.total()).toBe(10);
  expect(searches.map(({ results }) => results.length)).toEqual([500, 500, 500, 500]);
  service.faults.add({ kind: '401', operation: 'list', page: 11 });
  const settled = await Promise.allSettled([search('b', '500'), search('b-', '500')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect((await search('b', '500')).results).toHaveLength(500);
});

test('scrolling reaches the end of the list and shows each order once', async () => {
  const found: unknown[] = [];
  let token: string | undefined;
  do {
    const { results, paginationToken } = await search('B-', token);
    found.push(...results.map(({ value }) => value));
    token = paginationToken;
  } while (token);
  expect(found).toHaveLength(1_234);
  expect(new Set(found).size).toBe(1_234);
  expect(service.journal.total()).toBe(25);
});

test('rereads the list after a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const before = await search();
  const { id } = service.state.insertOrder('business');
  expect((await search()).results).toEqual(before.results);
  vi.advanceTimersByTime(61_000);
  expect((await search()).results[0]?.value).toBe(String(id));
});

test('two keys never share a list', async () => {
  const own = await search();
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.otherAccount };
  const others = await searchIn({ credential });
  expect(others.results.filter(({ value }) => own.results.some((order) => order.value === value))).toEqual([]);
});

test('a search returns partial results if the rate limit is reached', async () => {
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.businessSecond, requestsPerMinute: 4 };
  const { results, paginationToken } = await searchIn({ credential }, 'B-');
  expect(results).toHaveLength(200);
  expect(paginationToken).toBe('200');
});

test('the list shows no text from a failed response, because the text could contain a license key', async () => {
  service.faults.add('400;times=always');
  const error = await thrownBy(search());
  expect(error).toMatchObject({ httpCode: '400' });
  expect(JSON.stringify([error, error.description])).not.toContain('The API says');
});
