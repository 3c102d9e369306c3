import { expect, test } from 'vitest';
import { errorMetaKey } from '../answers/result.ts';
import { startSession } from '../testing/mcp-session.fixture.ts';
import { connectToService, orderAt, type ServiceOptions, timeText } from '../testing/moving-service.fixture.ts';

/** Returns orders a second apart, the newest first. By default, their numbers rise with the date. */
const numbered = (count: number, numberOf = (n: number) => `B-${9_000 - n}`) =>
  Array.from({ length: count }, (_, n) => orderAt(count - n, { bestellnummer: numberOf(n) }));

test('finds an order by its number: list pages of 50, then the order by its internal id [S-56]', async () => {
  const { call, mock } = await startSession();
  const { data } = await call('list_orders', { page: 60, per_page: 1 });
  const [{ id, bestellnummer }] = data.orders as [{ id: number; bestellnummer: string }];
  mock.journal.clear();
  const found = await call('get_order', { order_number: ` ${bestellnummer} ` });
  expect(found.data).toMatchObject({ id, bestellnummer });
  const asked = mock.journal.entries().map(({ path, query }) => `${path}?${query}`);
  const pages = [1, 2].map((page) => `/api/v1/orders?page=${page}&per_page=50`);
  expect(asked).toEqual([...pages, `/api/v1/orders/${id}?`]);
});

const withoutFirstRow: ServiceOptions['distort'] = ({ orders, pagination }) => ({
  orders: orders.slice(1),
  pagination,
});

const failAfter = (requests: number) => (request: number) => {
  if (request > requests) throw new Error('reset');
};

test.each<[string, ServiceOptions & { rateLimit?: object }, string, number, RegExp]>([
  [
    'reads a short list completely and says so [S-75]',
    { orders: numbered(120) },
    'B-1',
    3,
    /^not_found: No order in this account has the number "B-1"; all 120 orders were read\. Check the number: this account has numbers such as "B-9000"\.$/,
  ],
  [
    'names the neighbors of a number that is missing from a long list',
    { orders: numbered(2_000) },
    'B-1',
    8,
    /^not_located: No order with the number "B-1" was found where expected in the list, below the oldest order, "B-7001"; \d+ of 2000 orders were searched\. Check the number: this account has numbers such as "B-9000"\. The orders next to the expected position were created at 2026-01-01 00:00:01 UTC\. If order numbers .*created_from and created_before\.$/,
  ],
  [
    'searches the newest 700 orders for a number without digits, and says how to continue [U-60]',
    { orders: numbered(2_000) },
    'Sonderbestellung',
    14,
    /^not_located: No order with the number "Sonderbestellung" was found among the 700 of 2000 orders that were read, without a gap back to 2026-01-01 00:21:41 UTC\. Check the number: .* "B-9000"\. If you know the order's date, call order_license_list_orders with created_from and created_before\. For older orders, call it with created_before 2026-01-01T00:21:42Z: 1 request per 40 orders\.$/,
  ],
  [
    'names the date back to which a bisection that was given up skipped no page',
    // The newest 60 numbers rise with the date, and the others don't.
    { orders: numbered(2_000, (n) => `B-${n < 60 ? 9_000 - n : 1_000 + ((n * n * 7) % 7_919)}`) },
    'B-999',
    14,
    /^not_located: .* of 2000 orders that were read, without a gap back to 2026-01-01 00:23:21 UTC\. /,
  ],
  [
    'does not claim to have read the whole list if it omits orders that the API counts',
    { orders: numbered(60), distort: withoutFirstRow },
    'B-1',
    3,
    /^not_located: .* was found among the 58 of 60 orders that were read\. The API counts orders that it does not list\. Check/,
  ],
  [
    'does not claim that the API counts other orders if an unsorted list was read completely [U-63]',
    { orders: Array.from({ length: 210 }, (_, n) => orderAt((n * 101) % 211)) },
    'B-0',
    5,
    /^not_located: .* 210 of 210 orders that were read\. Check the number: .*\. You can also call again later\.$/,
  ],
  [
    'says from which date to continue if the rate limit is reached [S-84]',
    { orders: numbered(2_000), rateLimit: { requests: 4, minGapMs: 0 } },
    'Sonderbestellung',
    4,
    /^rate_limited: .* Call again in at least 61 s\. The order is not among the 200 orders searched so far\. .* with created_before 2026-01-01T00:30:52Z:/,
  ],
  [
    'names the date back to which a bisection skipped no page before an error',
    { orders: numbered(2_000), beforeAnswer: failAfter(3) },
    'B-8930', // on page 2
    4,
    /^connection: .* not among the 150 orders searched so far\. .* with created_before 2026-01-01T00:32:32Z: 1 request per 40 orders\.$/,
  ],
])('a search without a result %s', async (_, { rateLimit, ...options }, order_number, most, text) => {
  const { call, requests } = await connectToService(options, rateLimit && { rateLimit, maxWaitMs: 0 });
  const found = await call('get_order', { order_number });
  expect(found).toMatchObject({ isError: true, text: expect.stringMatching(text) });
  expect(requests()).toBeLessThanOrEqual(most);
});

test('if the rate limit is reached after the search, reports the id that was found [S-84]', async () => {
  const orders = numbered(1);
  const { call } = await connectToService({ orders }, { rateLimit: { requests: 1, minGapMs: 0 }, maxWaitMs: 0 });
  const { text } = await call('get_order', { order_number: 'B-9000' });
  expect(text).toMatch(new RegExp(`^rate_limited: .*The order has id ${orders[0]?.id}`));
});

test('does not recommend an id that order_license_get_order rejects [S-56]', async () => {
  let id: number | string = 0;
  const list = () => ({ orders: [{ id, bestellnummer: 'B-1' }], pagination: { pages: 1 } });
  const { call } = await connectToService({ respond: (url) => (url.includes('?') ? list() : 404) });
  for (id of [-5, 0, '0042', '9'.repeat(31), 5]) {
    const { text } = await call('get_order', { order_number: 'B-1' });
    expect(text.includes('use this id in your next order_license_get_order call'), text).toBe(id === 5);
  }
});

test.each(['10023', 10023])('accepts order_number %o whether the API sends a string or a number', async (given) => {
  for (const bestellnummer of ['10023', 10023]) {
    const order = { id: 7, bestellnummer };
    const list = { orders: [order], pagination: { pages: 1 } };
    const { call } = await connectToService({ respond: (url) => (url.includes('/orders/7') ? order : list) });
    expect((await call('get_order', { order_number: given })).data).toEqual(order);
  }
});

test("the error's fields include `search`, without invisible characters [S-05]", async () => {
  const orders = numbered(400, (n) => `B\u200b-${1_000 - 2 * n}`);
  const { client } = await connectToService({ orders });
  const { content, _meta } = await client.callTool({
    name: 'order_license_get_order',
    arguments: { order_number: 'B\u200b-701' },
  });
  const between = { newer: 'B-702', older: 'B-700', newerAt: timeText(251), olderAt: timeText(250) };
  expect(_meta?.[errorMetaKey]).toMatchObject({ code: 'not_located', search: { between, total: 400 } });
  expect(JSON.stringify(content)).toContain('between \\"B -702\\" and \\"B -700\\"');
  expect(JSON.stringify(content)).toContain(
    `The orders next to the expected position were created at ${timeText(251)} UTC and ${timeText(250)} UTC.`,
  );
});
