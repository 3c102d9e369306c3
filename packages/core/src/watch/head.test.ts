import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test } from 'vitest';
import { createProgram, createWatchedShop, dayMs, start } from './watched-shop.fixture.ts';

const newOrders = { events: ['newOrder'] as const };

const setUp = async (options: Parameters<typeof createWatchedShop>[0] = {}, selected = {}) => {
  const shop = createWatchedShop({ orders: 300, ...options });
  const program = createProgram(shop, { ...newOrders, ...selected });
  await program.poll();
  return { shop, program };
};
const news = (...ids: number[]): string[] => ids.map((id) => `new-order:${id}`);

test('the baseline has no events and costs two requests; an idle poll costs one', async () => {
  const { shop, program } = await setUp();
  expect(shop.sent()).toBe(2);
  await program.poll();
  expect(shop.sent()).toBe(3);
  expect(program.told).toEqual([]);
});

test('an empty list in one response delays no later order', async () => {
  const { shop, program } = await setUp({ orders: 3_000 });
  const pagination = { page: 1, per_page: 50, total: 0, pages: 0 };
  shop.rewrite(/orders/, () => JSON.stringify({ status: 200, data: { orders: [], pagination } }));
  await program.poll();
  shop.rewrite();
  const id = shop.insert();
  await program.poll();
  expect(program.eventIds()).toEqual(news(id));
});

interface NewOrders {
  count: number;
  createdAt?: number;
  polls?: number;
  requests?: number;
  /** Whether a catch-up may report its pages newest first. */
  inAnyOrder?: boolean;
  /** Number of requests that all polls may cost. */
  most?: number;
}

test.each<[string, Parameters<typeof setUp>[0], NewOrders]>([
  ['in an empty account', { orders: 0 }, { count: 1, most: 5 }],
  ['on several pages, in few requests', {}, { count: 120, polls: 2, most: 6 }],
  [
    'although the API returns no `total`',
    { set: { missing: ['pagination.total'] } },
    { count: 2_000, polls: 5, most: 120 },
  ],
  ['on pages of 20 [U-02]', { set: { perPageMax: 20 } }, { count: 400, polls: 12, inAnyOrder: true }],
  [
    'without reading past the end of a short list, which an API may reject [U-05]',
    { orders: 60, set: { pageBeyondLast: '404', perPageMax: 20 } },
    { count: 25 },
  ],
  ['of a single second', {}, { count: 1_000, createdAt: start + 500_000, polls: 20, requests: 5, inAnyOrder: true }],
])('reports new orders once each, oldest first: %s', async (_, options, expected) => {
  const { count, createdAt, polls = 1, requests = Infinity, inAnyOrder, most = Infinity } = expected;
  const { shop, program } = await setUp(options);
  const ids = shop.insertMany(count, { createdAt });
  const before = shop.sent();
  for (let poll = 0; poll < polls; poll++) await program.poll({ requests });
  const told = program.eventIds();
  expect(inAnyOrder ? told.sort() : told).toEqual(news(...ids));
  expect(shop.sent() - before).toBeLessThanOrEqual(most);
  expect(program.warnings).toEqual([]);
});

test.each([30, 60, 100])('reports an order older than all others in a list of %i orders', async (orders) => {
  const { shop, program } = await setUp({ orders });
  const id = shop.insert({ createdAt: Date.UTC(2001, 0, 1) });
  await program.poll();
  expect(program.eventIds()).toEqual(orders < 100 ? news(id) : []);
});

test('says once that an order was added too far down the list to be reported as new', async () => {
  const { shop, program } = await setUp();
  shop.insert({ createdAt: Date.UTC(2001, 0, 1) });
  shop.insertMany(2);
  await program.pollFor(90);
  expect(program.told).toHaveLength(2);
  expect(program.warnings).toEqual([expect.stringContaining('1 order has been added to the list below its newest')]);
});

test('an import of old orders far below the newest ones costs a few requests and causes a warning', async () => {
  const { shop, program } = await setUp({ orders: 1_000 });
  shop.insertMany(800, { createdAt: start - 3_000 * dayMs });
  const before = shop.sent();
  await program.poll();
  const id = shop.insert();
  await program.poll();
  expect(shop.sent() - before).toBeLessThanOrEqual(8);
  expect(program.eventIds()).toEqual(news(id));
  expect(program.warnings).toEqual([expect.stringContaining('800 orders have been added to the list below')]);
});

test('says nothing if `total` is older than the rows for some minutes', async () => {
  const { shop, program } = await setUp();
  const ids = shop.insertMany(3);
  shop.rewrite(/orders/, (body) => body.replace('"total":303', '"total":300'));
  await program.pollFor(3);
  shop.rewrite();
  await program.pollFor(3);
  expect(program.eventIds()).toEqual(news(...ids));
  expect(program.warnings).toEqual([]);
});

test('after an outage, reports each new order once, over many polls', async () => {
  const { shop, program } = await setUp();
  const ids = shop.insertMany(1_500);
  for (let poll = 0; poll < 30; poll++) {
    await program.poll({ requests: 6 });
    // More orders arrive while the list is read.
    if (poll < 8) ids.push(...shop.insertMany(3));
  }
  expect(program.eventIds().sort()).toEqual(news(...ids).sort());
  expect(shop.sent()).toBeLessThan(90);
  expect(shop.mock.journal.violations()).toEqual([]);
});

test.each([
  ['one stretch of the list', 0],
  ['two stretches of the list', 250],
])('an old copy of the first page does not end a catch-up that has read %s', async (_, more) => {
  const { shop, program } = await setUp();
  let old = '';
  const servePage = (copy?: string) => shop.rewrite(/page=1&per_page=50$/, (body) => (old = copy ?? body));
  servePage();
  await program.poll();
  shop.rewrite();
  const ids = shop.insertMany(300);
  if (more > 0) {
    await program.poll({ requests: 1 });
    servePage();
    await program.poll({ requests: 1 });
    shop.rewrite();
    ids.push(...shop.insertMany(more));
  }
  await program.poll({ requests: 2 });
  servePage(old);
  await program.poll({ requests: 12 });
  shop.rewrite();
  for (let poll = 0; poll < 4; poll++) await program.poll({ requests: 12 });
  expect(program.eventIds().sort()).toEqual(news(...ids).sort());
  expect(program.warnings).toEqual([]);
});

test('reports each order once if more orders arrive during a catch-up on pages of 20 [U-02]', async () => {
  const { shop, program } = await setUp({ set: { perPageMax: 20 } });
  const ids = shop.insertMany(120);
  await program.poll({ requests: 3 });
  ids.push(...shop.insertMany(30));
  for (let poll = 0; poll < 4; poll++) await program.poll();
  expect(program.eventIds().sort()).toEqual(news(...ids).sort());
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
  expect(program.eventIds().sort()).toEqual(news(...ids).sort());
});

test('a catch-up that stopped within a second skips none of its orders, though they swap places [U-09]', async () => {
  const { shop, program } = await setUp({ set: { tieBreak: 'shuffle' } });
  const ids: number[] = [];
  const insert = (count: number) => {
    for (let n = 0; n < count; n++) {
      if (n % 14 === 0) shop.pass(1_000);
      ids.push(shop.mock.state.insertOrder('business', { status: 'ausstehend', items: [] }).id);
    }
  };
  for (let burst = 0; burst < 5; burst++) {
    insert(160);
    await program.poll({ requests: 2 });
    insert(6);
    await program.poll();
  }
  expect(program.eventIds().sort()).toEqual(news(...ids).sort());
  expect(program.warnings).toEqual([]);
});

test('reports a backdated order that arrives with more than one page of other orders', async () => {
  const { shop, program } = await setUp();
  const [{ createdAt } = { createdAt: 0 }] = shop.mock.state.orders('business').page(22, 1);
  const ids = [shop.insert({ createdAt: createdAt + 1_000 }), ...shop.insertMany(60)];
  await program.poll();
  expect(program.eventIds()).toEqual(news(...ids));
});

test('says how many orders a catch-up missed because it cannot continue without dates [U-24]', async () => {
  const { shop, program } = await setUp({ set: { dates: 'null' } });
  const ids = shop.insertMany(120);
  await program.poll({ requests: 1 });
  await program.poll();
  expect(program.eventIds().sort()).toEqual(news(...ids.slice(70)).sort());
  expect(program.warnings).toEqual([expect.stringContaining('70 orders have been added to the list below')]);
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
  const { orders, removeOrder } = shop.mock.state;
  shop.rewrite(/page=1&/, (body) => {
    removeOrder(orders('business').page(0, 1)[0]?.id ?? 0);
    return body;
  });
  const program = createProgram(shop, newOrders);
  await program.poll();
  shop.rewrite();
  await program.pollFor(2);
  expect(program.told).toEqual([]);
});

test('the next poll continues where a poll ended early', async () => {
  const { shop, program } = await setUp({ orders: 20 }, { includeDetails: true });
  const ids = shop.insertMany(5);
  await program.poll({ requests: 3 });
  expect(program.told).toHaveLength(2);
  await program.poll();
  expect(program.eventIds()).toEqual(news(...ids));
});

const setUpDetails = async () => {
  const { shop, program } = await setUp({ orders: 20 }, { includeDetails: true });
  const [before = 0, broken = 0, after = 0] = shop.insertMany(3);
  const hasDetails = () => program.told.map(({ details }) => details !== undefined);
  return { shop, program, before, broken, after, hasDetails };
};

test.each(['400', '404', '500', 'nullData'] as const)(
  'an order whose details fail with %s delays only itself, and is reported without them after ten minutes',
  async (kind) => {
    const { shop, program, before, broken, after, hasDetails } = await setUpDetails();
    shop.mock.faults.add({ ...faultOf(kind), id: broken, times: 'always' });
    await program.poll();
    expect(program.eventIds()).toEqual(news(before, after));
    await program.pollFor(9);
    expect(program.told).toHaveLength(2);
    await program.pollFor(8);
    expect(program.eventIds()).toEqual(news(before, after, broken));
    expect(hasDetails()).toEqual([true, true, false]);
    expect(program.warnings.join()).toContain(`Order ${broken} is reported without its details`);
  },
);
