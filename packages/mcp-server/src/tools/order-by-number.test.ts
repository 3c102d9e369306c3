import { expect, test } from 'vitest';
import { errorMetaKey } from '../answers/result.ts';
import { connectToCanned } from '../testing/canned-service.fixture.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool, messagesOf, startSession } from '../testing/mcp-session.fixture.ts';
import { movingService, orderAt, type ServiceOptions, timeText } from '../testing/moving-service.fixture.ts';

const queries = (mock: { journal: { entries(): { path: string; query: string }[] } }) =>
  mock.journal.entries().map(({ path, query }) => path.replace('/api/v1', '') + (query ? `?${query}` : ''));

test('finds an order by its number: list pages of 50, then the order by its internal id [S-56]', async () => {
  const { call, mock } = await startSession();
  const { data } = await call('order_license_list_orders', { page: 60, per_page: 1 });
  const [wanted] = data.orders as [{ id: number; bestellnummer: string }];
  mock.journal.clear();
  const found = await call('order_license_get_order', { order_number: ` ${wanted.bestellnummer} ` });
  expect(found.data).toMatchObject({ id: wanted.id, bestellnummer: wanted.bestellnummer });
  expect(queries(mock)).toEqual(['/orders?page=1&per_page=50', '/orders?page=2&per_page=50', `/orders/${wanted.id}`]);
});

test('if no order has the number, reads the whole list and says so [S-75]', async () => {
  const { call, mock } = await startSession();
  const { text, isError } = await call('order_license_get_order', { order_number: 'B-0000-000000' });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^not_found: No order in this account has the number "B-0000-000000"; all 120 orders were read\. Check the number: this account has numbers such as "B-\d{4}-\d{6}"\.$/,
  );
  expect(mock.journal.total()).toBe(3);
});

test('finds an old order by its number in a long list with few requests [S-56]', async () => {
  const { call, mock } = await startSession({ mock: { orders: 20_000 } });
  const { data } = await call('order_license_list_orders', { page: 17_654, per_page: 1 });
  const [wanted] = data.orders as [{ id: number; bestellnummer: string }];
  mock.journal.clear();
  const found = await call('order_license_get_order', { order_number: wanted.bestellnummer });
  expect(found.data).toMatchObject({ id: wanted.id });
  expect(mock.journal.total()).toBeLessThanOrEqual(12);
});

test('names the neighbors of a number that is missing from a long list', async () => {
  const { call, mock } = await startSession({ mock: { orders: 2_000 } });
  const { text } = await call('order_license_get_order', { order_number: 'B-0000-000000' });
  expect(text).toMatch(
    /^not_located: No order with the number "B-0000-000000" was found where expected in the list, below the oldest order, "B-\d{4}-\d{6}"; \d+ of 2000 orders were searched\. Check the number: this account has numbers such as "B-\d{4}-\d{6}"\. The orders next to the expected position were created at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. .*created_from and created_before\.$/,
  );
  expect(mock.journal.total()).toBeLessThanOrEqual(8);
});

test('searches the newest 700 orders for a number without digits, and says how to continue [U-60]', async () => {
  const { call, mock } = await startSession({ mock: { orders: 2_000 } });
  const { text } = await call('order_license_get_order', { order_number: 'Sonderbestellung' });
  expect(text).toMatch(
    /^not_located: No order with the number "Sonderbestellung" was found among the 700 of 2000 orders that were read, without a gap back to \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. Check the number: this account has numbers such as "B-\d{4}-\d{6}"\. If you know the order's date, call order_license_list_orders with created_from and created_before\. For older orders, call it with created_before \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ: 1 request per 50 orders\.$/,
  );
  expect(mock.journal.total()).toBe(14);
});

test('reports progress after each page, before the result, to clients that ask for it [U-60]', async () => {
  const { client } = await startSession({ mock: { orders: 130 } });
  const received = messagesOf(client);
  await client.callTool(
    { name: 'order_license_get_order', arguments: { order_number: 'B-0000-000000' } },
    { onprogress: () => undefined },
  );
  expect(received).toMatchObject([
    { params: { progress: 1, message: 'Searched 50 of 130 orders.' } },
    { params: { progress: 2, message: 'Searched 100 of 130 orders.' } },
    { params: { progress: 3, message: 'Searched 130 of 130 orders.' } },
    { result: { isError: true } },
  ]);
});

test('if the rate limit is reached during a search, says from which date to continue [S-84]', async () => {
  const { call, mock } = await startSession({ mock: { orders: 2_000, limit: 4 } });
  const { text, isError } = await call('order_license_get_order', { order_number: 'Sonderbestellung' });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^rate_limited: .* Call again in \d+ s\. The order is not among the 200 orders searched so far\. .* with created_before \d{4}-/,
  );
  expect(mock.journal.total()).toBe(5);
});

test('if the rate limit is reached after the search, reports the id that was found [S-84]', async () => {
  const { call, mock } = await startSession();
  const { data } = await call('order_license_list_orders', { per_page: 1 });
  const [{ id, bestellnummer }] = data.orders as [{ id: number; bestellnummer: string }];
  mock.set({ limit: 1 });
  const { text } = await call('order_license_get_order', { order_number: bestellnummer });
  expect(text).toMatch(new RegExp(`^rate_limited: .*The order has id ${id}`));
});

test('does not recommend an id that order_license_get_order rejects [S-56]', async () => {
  let id: number | string = 0;
  const client = await connectToCanned((url) =>
    url.includes('?')
      ? { data: { orders: [{ id, bestellnummer: 'B-1' }], pagination: { pages: 1 } } }
      : { status: 404 },
  );
  for (id of [-5, 0, '0042', '9'.repeat(31), 5]) {
    const { text } = await callTool(client, 'order_license_get_order', { order_number: 'B-1' });
    expect(text.includes('use this id in your next order_license_get_order call'), text).toBe(id === 5);
  }
});

test.each(['10023', 10023])('accepts order_number %o whether the API sends a string or a number', async (given) => {
  let bestellnummer: unknown;
  const client = await connectToCanned((url) => {
    const order = { id: 7, bestellnummer };
    return { data: url.includes('/orders/7') ? order : { orders: [order], pagination: { pages: 1 } } };
  });
  for (bestellnummer of ['10023', 10023]) {
    expect((await callTool(client, 'order_license_get_order', { order_number: given })).data).toEqual({
      id: 7,
      bestellnummer,
    });
  }
});

test('rejects an order number that is not a string or an exact number, before anything is sent', async () => {
  const { call, mock } = await startSession();
  for (const order_number of [2 ** 53, 1.5, true, {}]) {
    expect((await call('order_license_get_order', { order_number })).text).toBe(
      'bad_request: `order_number` must be a string, or a whole number of at most 15 digits.',
    );
  }
  expect(mock.journal.total()).toBe(0);
});

test("the error's fields include `search`, without invisible characters [S-05]", async () => {
  const orders = Array.from({ length: 400 }, (_, index) =>
    orderAt(400 - index, { bestellnummer: `B\u200b-${1_000 - 2 * index}` }),
  );
  const client = await connectInProcess(async () => movingService({ orders }).openClient());
  const { content, _meta } = await client.callTool({
    name: 'order_license_get_order',
    arguments: { order_number: 'B\u200b-701' },
  });
  expect(_meta?.[errorMetaKey]).toMatchObject({
    code: 'not_located',
    search: {
      between: { newer: 'B-702', older: 'B-700', newerAt: timeText(251), olderAt: timeText(250) },
      total: 400,
    },
  });
  expect(JSON.stringify(content)).toContain('between \\"B -702\\" and \\"B -700\\"');
  expect(JSON.stringify(content)).toContain(
    `The orders next to the expected position were created at ${timeText(251)} UTC and ${timeText(250)} UTC.`,
  );
});

test('if the list omits orders that the API counts, does not claim to have read the whole list', async () => {
  const orders = Array.from({ length: 60 }, (_, second) => orderAt(60 - second));
  const distort: ServiceOptions['distort'] = ({ orders, pagination }) => ({ orders: orders.slice(1), pagination });
  const client = await connectInProcess(async () => movingService({ orders, distort }).openClient());
  const { text } = await callTool(client, 'order_license_get_order', { order_number: 'B-0' });
  expect(text).toMatch(/^not_located: .* was found among the 58 of 60 orders that were read\. The API counts orders/);
});

test.each([{ perPageMax: 20 }, { missing: ['pagination.total'] }])(
  'if the API has the setting %j, a search that used up its requests says how to continue [U-60]',
  async (set) => {
    const { call, mock } = await startSession({ mock: { orders: 2_000, set } });
    const { text } = await call('order_license_get_order', { order_number: 'B-0000-000000' });
    expect(text).toMatch(
      /^not_located: .* this account has numbers such as .* call order_license_list_orders with created_from and created_before\./,
    );
    expect(mock.journal.total()).toBe(14);
  },
);

test('after an error in a bisection, names the date back to which it skipped no page', async () => {
  const orders = Array.from({ length: 2_000 }, (_, n) => orderAt(2_000 - n, { bestellnummer: `B-${9_000 - n}` }));
  const beforeAnswer = (request: number): void => {
    if (request > 3) throw new Error('reset');
  };
  const client = await connectInProcess(async () => movingService({ orders, beforeAnswer }).openClient());
  const { text } = await callTool(client, 'order_license_get_order', { order_number: 'B-8930' }); // on page 2
  expect(text).toMatch(
    /^connection: .* not among the 150 orders searched so far\. .* with created_before (\S+): 1 request per 50 orders\.$/,
  );
  expect(text).toContain(
    `created_before ${orders[49]?.created_at.replace(' ', 'T').replace(/\d$/, (digit) => `${Number(digit) + 1}`)}Z`,
  );
});

test('after a bisection that was given up, names the date back to which it skipped no page', async () => {
  // The newest 60 numbers rise with the date, and the others don't.
  const numberOf = (n: number): number => (n < 60 ? 9_000 - n : 1_000 + ((n * n * 7) % 7_919));
  const orders = Array.from({ length: 2_000 }, (_, n) => orderAt(2_000 - n, { bestellnummer: `B-${numberOf(n)}` }));
  const pages: unknown[] = [];
  const distort: ServiceOptions['distort'] = (list) => {
    pages.push(list.pagination.page);
    return list;
  };
  const client = await connectInProcess(async () => movingService({ orders, distort }).openClient());
  const { text } = await callTool(client, 'order_license_get_order', { order_number: 'B-999' });
  expect(pages).not.toContain(13);
  expect(text).toMatch(/^not_located: .* of 2000 orders that were read, without a gap back to /);
  expect(text).toContain(`back to ${orders[599]?.created_at} UTC. `);
});

test('if an unsorted list was read completely, does not claim that the API counts other orders [U-63]', async () => {
  const orders = Array.from({ length: 210 }, (_, n) => orderAt((n * 101) % 211));
  const client = await connectInProcess(async () => movingService({ orders }).openClient());
  const { text } = await callTool(client, 'order_license_get_order', { order_number: 'B-0' });
  expect(text).toMatch(
    /^not_located: .* 210 of 210 orders that were read\. Check the number: .*\. Or call again later\.$/,
  );
});
