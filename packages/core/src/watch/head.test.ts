import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test, vi } from 'vitest';
import { createProgram, createWatchedShop, everything, idsOf, minuteMs, start } from './watched-shop.fixture.ts';

const newOrders = { ...everything, events: ['newOrder' as const] };

const setUp = async (options: Parameters<typeof createWatchedShop>[0] = {}) => {
  const shop = createWatchedShop({ orders: 300, ...options });
  const program = createProgram(shop, newOrders);
  await program.poll();
  const insert = (count = 1, createdAt?: number): number[] =>
    Array.from({ length: count }, () => {
      shop.pass(1_000);
      return shop.mock.state.insertOrder('business', {
        status: 'ausstehend',
        items: [],
        ...(createdAt && { created_at: new Date(createdAt).toISOString() }),
      }).id;
    });
  return { shop, program, insert };
};
const eventIds = (ids: number[]): string[] => ids.map((id) => `new-order:${id}`);

test('the baseline has no events and costs two requests', async () => {
  const { shop, program } = await setUp();
  expect(program.told).toEqual([]);
  expect(shop.sent()).toBe(2);
});

test('an idle poll sends one request', async () => {
  const { shop, program } = await setUp();
  const before = shop.sent();
  await program.poll();
  expect(shop.sent() - before).toBe(1);
});

test('an empty list in one response delays no later order', async () => {
  const { shop, program, insert } = await setUp({ orders: 3_000 });
  const { fetch } = shop.mock;
  const pagination = { page: 1, per_page: 50, total: 0, pages: 0 };
  shop.mock.fetch = async () => Response.json({ status: 200, data: { orders: [], pagination } });
  await program.poll();
  shop.mock.fetch = fetch;
  const ids = insert();
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
});

test('reports new orders once, oldest first', async () => {
  const { program, insert } = await setUp();
  const ids = insert(7);
  await program.poll();
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
});

test('the first order in an empty account is new', async () => {
  const { program, insert } = await setUp({ orders: 0 });
  const ids = insert();
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
});

test('reads the list down to the first known order', async () => {
  const { shop, program, insert } = await setUp();
  const ids = insert(120);
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
  expect(shop.sent()).toBeLessThanOrEqual(7);
});

test.each([30, 60, 100])('reports an order older than all others in a list of %i orders', async (orders) => {
  const { program, insert } = await setUp({ orders });
  const ids = insert(1, Date.UTC(2001, 0, 1));
  await program.poll();
  expect(idsOf(program.told)).toEqual(orders < 100 ? eventIds(ids) : []);
});

test('says once that an order was added too far down the list to be reported as new', async () => {
  const { program, insert } = await setUp();
  insert(1, Date.UTC(2001, 0, 1));
  insert(2);
  await program.pollFor(90);
  expect(program.told).toHaveLength(2);
  expect(program.warnings).toEqual([expect.stringContaining('1 order has been added to the list below its newest')]);
});

test('an import of old orders far below the newest ones costs a few requests, and is said', async () => {
  const { shop, program, insert } = await setUp({ orders: 1_000 });
  insert(800, start - 3_000 * 86_400_000);
  const before = shop.sent();
  await program.poll();
  const [id] = insert();
  await program.poll();
  expect(shop.sent() - before).toBeLessThanOrEqual(8);
  expect(idsOf(program.told)).toEqual([`new-order:${id}`]);
  expect(program.warnings).toEqual([expect.stringContaining('800 orders have been added to the list below')]);
});

test('says nothing if `total` is older than the rows for some minutes', async () => {
  const { shop, program, insert } = await setUp();
  const { fetch } = shop.mock;
  const ids = insert(3);
  shop.mock.fetch = async (...request) => {
    const response = await fetch(...request);
    return new Response((await response.text()).replace('"total":303', '"total":300'), response);
  };
  await program.pollFor(3);
  shop.mock.fetch = fetch;
  await program.pollFor(3);
  expect(idsOf(program.told)).toEqual(eventIds(ids));
  expect(program.warnings).toEqual([]);
});

test('finds the last known order after an outage even if the API returns no `total`', async () => {
  const { shop, program, insert } = await setUp({ set: { missing: ['pagination.total'] } });
  const ids = insert(2_000);
  const before = shop.sent();
  await program.pollFor(5);
  expect(idsOf(program.told)).toEqual(eventIds(ids));
  expect(shop.sent() - before).toBeLessThan(120);
});

test('after an outage, reports each new order once, over many polls', async () => {
  const { shop, program, insert } = await setUp();
  const ids = insert(1_500);
  for (let poll = 0; poll < 30; poll++) {
    await program.poll({ requests: 6 });
    // More orders arrive while the list is read.
    if (poll < 8) ids.push(...insert(3));
  }
  expect(idsOf(program.told).sort()).toEqual(eventIds(ids).sort());
  expect(shop.sent()).toBeLessThan(90);
  expect(shop.mock.journal.violations()).toEqual([]);
});

test.each([
  ['the API returns no `total`', { missing: ['pagination.total'] }],
  ['the API returns smaller pages [U-02]', { perPageMax: 20 }],
  ['orders of the same second swap places [U-09]', { tieBreak: 'shuffle' as const }],
])('skips no order after an outage if %s', async (_name, set) => {
  const { program, insert } = await setUp({ set });
  const ids = insert(400);
  for (let poll = 0; poll < 12; poll++) await program.poll();
  expect(idsOf(program.told).sort()).toEqual(eventIds(ids).sort());
});

test('skips no order after an outage if orders of one second swap places, and others arrive [U-09]', async () => {
  const { shop, program } = await setUp({ set: { tieBreak: 'shuffle' } });
  const insert = () => shop.mock.state.insertOrder('business', { status: 'ausstehend', items: [] }).id;
  const ids = Array.from({ length: 400 }, (_, index) => {
    if (index % 20 === 0) shop.pass(1_000);
    return insert();
  });
  shop.foreign = () => {
    if (ids.length < 430) ids.push(insert(), insert());
    return undefined;
  };
  for (let poll = 0; poll < 5; poll++) await program.poll();
  expect(idsOf(program.told).sort()).toEqual(eventIds(ids).sort());
});

test('reports a backdated order that arrives with more than one page of other orders', async () => {
  const { shop, program, insert } = await setUp();
  const [, , createdAt] = shop.mock.state
    .orders('business')
    .page(20, 3)
    .map((order) => order.createdAt);
  const ids = [...insert(1, (createdAt as number) + 1_000), ...insert(60)];
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
});

test('reads no page past the end of a short list, because an API may reject such a page [U-05]', async () => {
  const { program, insert } = await setUp({ orders: 60, set: { pageBeyondLast: '404', perPageMax: 20 } });
  const ids = insert(25);
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
  expect(program.warnings).toEqual([]);
});

test('the baseline includes orders with the same date that swap places while its pages are read [U-09]', async () => {
  const shop = createWatchedShop({ orders: 0, set: { tieBreak: 'shuffle' } });
  for (let order = 0; order < 120; order++) {
    if (order % 10 === 5) shop.pass(60_000);
    shop.mock.state.insertOrder('business', { items: [] });
  }
  const program = createProgram(shop, newOrders);
  for (let poll = 0; poll < 20; poll++) await program.poll();
  expect(program.told).toEqual([]);
});

test('the baseline includes an order that moves up because another is removed while its pages are read', async () => {
  const shop = createWatchedShop({ orders: 300 });
  const [first] = shop.mock.state.orders('business').page(0, 1);
  const { fetch } = shop.mock;
  vi.spyOn(shop.mock, 'fetch').mockImplementation(async (...request) => {
    const response = await fetch(...request);
    if (String(request[0]).includes('page=1&') && first) shop.mock.state.removeOrder(first.id);
    return response;
  });
  const program = createProgram(shop, newOrders);
  await program.poll();
  vi.restoreAllMocks();
  await program.pollFor(2);
  expect(program.told).toEqual([]);
});

test('if a thousand orders were created in the same second, reports each order once', async () => {
  const { program, insert } = await setUp();
  const ids = insert(1_000, start + 500_000);
  for (let poll = 0; poll < 20; poll++) await program.poll({ requests: 5 });
  expect(idsOf(program.told).sort()).toEqual(eventIds(ids).sort());
});

test('the next poll continues where a poll ended early', async () => {
  const shop = createWatchedShop({ orders: 20 });
  const program = createProgram(shop, { ...newOrders, includeDetails: true });
  await program.poll();
  const ids = Array.from({ length: 5 }, () => shop.mock.state.insertOrder('business', {}).id);
  await program.poll({ requests: 3 });
  expect(program.told).toHaveLength(2);
  await program.poll();
  expect(idsOf(program.told)).toEqual(eventIds(ids));
});

const setUpDetails = async () => {
  const shop = createWatchedShop({ orders: 20 });
  const program = createProgram(shop, { ...newOrders, includeDetails: true });
  await program.poll();
  const [before, broken, after] = [0, 0, 0].map(() => shop.mock.state.insertOrder('business', {}).id);
  const hasDetails = () => program.told.map(({ details }) => details !== undefined);
  return { shop, program, before, broken: broken as number, after, hasDetails };
};

test.each(['400', 'nullData'] as const)(
  'an order whose details always fail with %s is reported without them, and does not block others',
  async (kind) => {
    const { shop, program, before, broken, after, hasDetails } = await setUpDetails();
    shop.mock.faults.add({ ...faultOf(kind), id: broken, times: 'always' });
    await program.poll();
    expect(idsOf(program.told)).toEqual(eventIds([before, broken, after] as number[]));
    expect(hasDetails()).toEqual([true, false, true]);
    expect(program.warnings.join()).toContain(`Order ${broken} is reported without its details`);
  },
);

test.each(['500', '404'])(
  'an order whose details fail with %s delays only itself, and is reported without them after ten minutes',
  async (kind) => {
    const { shop, program, before, broken, after, hasDetails } = await setUpDetails();
    shop.mock.faults.add({ kind: kind as '404', id: broken, times: 'always' });
    await program.poll();
    expect(idsOf(program.told)).toEqual(eventIds([before, after] as number[]));
    await program.pollFor(9);
    expect(program.told).toHaveLength(2);
    await program.pollFor(8);
    expect(idsOf(program.told)).toEqual(eventIds([before, after, broken] as number[]));
    expect(hasDetails()).toEqual([true, true, false]);
  },
);

test('reports orders with details once the API recovers', async () => {
  const { shop, program, hasDetails } = await setUpDetails();
  shop.mock.faults.add({ kind: '500', operation: 'order', times: 3 });
  for (let poll = 0; poll < 5; poll++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  expect(hasDetails()).toEqual([true, true, true]);
});
