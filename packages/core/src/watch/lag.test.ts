import { createRandom } from '@order-license/testing/random';
import { expect, test } from 'vitest';
import {
  createProgram,
  createWatchedShop,
  everything,
  minuteMs,
  type WatchedShop,
  type WatchingProgram,
} from './watched-shop.fixture.ts';

const codesOf = ({ eventIds }: WatchingProgram) => eventIds().filter((eventId) => eventId.startsWith('license-code'));

/** @param polls number of polls, half an hour apart, that have recorded the baseline */
const setUp = async (polls = 3, options = everything) => {
  const shop = createWatchedShop({ orders: 0 });
  const items = [{ menge: 2, license_codes: 2 }];
  const created_at = new Date(shop.mock.clock.now()).toISOString();
  const insert = (status: 'ausstehend' | 'bezahlt', delivered = 0): number =>
    shop.change((state) => state.insertOrder('business', { status, items, delivered, created_at })).id;
  const ids = Array.from({ length: 5 }, () => insert('ausstehend'));
  const program = createProgram(shop, options);
  await program.settle(polls);
  const codes = () => codesOf(program);
  return { shop, program, id: ids[0] as number, insert, codes };
};

test('reports codes although the first read of the order has no items', async () => {
  const { shop, program, id, codes } = await setUp();
  shop.setStatus(id, 'bezahlt');
  shop.deliver(id, 2);
  shop.rewrite(/orders\/\d/, (body) => body.replace(/"items":\[.*?\}\]\}\]/, '"items":[]'));
  await program.poll();
  shop.rewrite();
  shop.pass(minuteMs);
  await program.pollFor(10);
  expect(codes()).toHaveLength(2);
});

test('reports new codes although some later responses lack them', async () => {
  const { shop, program, id, codes } = await setUp();
  shop.change((state) => state.setStatus(id, 'bezahlt'));
  await program.pollFor(1);
  shop.pass(4 * minuteMs);
  shop.change((state) => state.deliverCodes(id, 1));
  await program.pollFor(2);
  let turn = 0;
  shop.lag('details', () => (turn++ % 2 === 0 ? 0.1 : 0.9));
  shop.change((state) => state.deliverCodes(id, 1));
  await program.pollFor(20);
  expect(codes()).toHaveLength(2);
  expect(new Set(program.eventIds()).size).toBe(program.told.length);
});

test.each([
  ['when a list shows another delivery status', 20],
  ['when a list shows the order for the first time', 0],
])('reports a code above the quantity although the read %s is older than the code [U-14]', async (_when, minutes) => {
  const { shop, program, codes } = await setUp();
  const created_at = new Date(shop.mock.clock.now()).toISOString();
  const items = [{ menge: 1, license_codes: 2 }];
  const id = shop.change((state) =>
    state.insertOrder('business', { status: 'bezahlt', items, delivered: 1, created_at }),
  ).id;
  await program.pollFor(minutes);
  shop.pass(2 * minuteMs);
  shop.lag('details', () => 0.1);
  shop.change((state) => state.deliverCodes(id, 1));
  await program.poll();
  expect(codes()).toHaveLength(1);
  shop.lag('none', () => 1);
  await program.pollFor(20);
  expect(codes()).toHaveLength(2);
});

test('reports a step back in status only after a read ten minutes after its first sighting', async () => {
  const { shop, program, insert } = await setUp(3, { ...everything, watch: 'all' });
  const id = insert('bezahlt');
  await program.pollFor(2);
  shop.setStatus(id, 'ausstehend');
  await program.pollFor(9);
  const steps = () => program.eventIds().filter((eventId) => eventId === `status:${id}:ausstehend`);
  expect(steps()).toEqual([]);
  await program.pollFor(4);
  expect(steps()).toHaveLength(1);
});

test('remembers an order for an hour after the last list showed it', async () => {
  const { shop, program, id } = await setUp();
  for (const status of ['bezahlt', 'abgeschlossen'] as const) {
    shop.setStatus(id, status);
    await program.pollFor(2);
  }
  shop.deliver(id, 2);
  await program.pollFor(50);
  const has = () => program.state().orders.has(String(id));
  expect(has()).toBe(true);
  await program.pollFor(20);
  expect(has()).toBe(false);
});

test('statuses in another letter case count as the documented ones', async () => {
  const { shop, program, id } = await setUp();
  shop.rewrite(/orders/, (body) => body.replace(/"(ausstehend|bezahlt)"/g, (status) => status.toUpperCase()));
  await program.pollFor(3);
  expect(program.told).toEqual([]);
  shop.setStatus(id, 'bezahlt');
  await program.pollFor(2);
  expect(program.eventIds()).toEqual([`status:${id}:bezahlt`, `paid:${id}`]);
  expect(program.told[0]).toMatchObject({ order: { status: 'bezahlt' }, previousStatus: 'ausstehend' });
});

test('no order of the newest second counts as new, even if no response holds them all and their sequence changes [U-09]', async () => {
  const shop = createWatchedShop({ orders: 30, set: { tieBreak: 'shuffle' } });
  for (let n = 0; n < 120; n++) shop.mock.state.insertOrder('business', { items: [] });
  const program = createProgram(shop, { events: ['newOrder'] });
  await program.pollFor(30);
  expect(program.told).toEqual([]);
  const { id } = shop.mock.state.insertOrder('business', { items: [] });
  await program.pollFor(1);
  expect(program.eventIds()).toEqual([`new-order:${id}`]);
});

test('finds a change on a later page even if the first page and `total` stay the same', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(300, { status: 'bezahlt' });
  const [leaves = 0, enters = 0] = [ids[100], ids[150]];
  shop.setStatus(enters, 'storniert');
  const program = createProgram(shop, { events: ['statusChanged'] });
  await program.settle(4);
  shop.setStatus(leaves, 'abgeschlossen');
  shop.setStatus(enters, 'bezahlt');
  await program.pollFor(6);
  expect(program.eventIds()).toEqual([`status:${leaves}:abgeschlossen`]);
});

test('if an order paid before the baseline gets codes within ten minutes of its first read, the codes are new', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const id = shop.insert({ status: 'bezahlt', codes: 2, delivered: 1 });
  const program = createProgram(shop, everything);
  await program.pollFor(2);
  shop.deliver(id, 1);
  await program.pollFor(30);
  expect(program.told).toHaveLength(2);
});

test('reports each event of a backdated order once, even if an old copy of the list lacks it for some minutes', async () => {
  const { shop, program } = await setUp();
  shop.insert();
  await program.pollFor(5);
  let old = '';
  shop.rewrite(/\/orders\?page=1&per_page=50$/, (body) => (old ||= body));
  await program.pollFor(1);
  const before = program.told.length;
  const id = shop.insert({ createdAt: shop.mock.clock.now() - 20 * minuteMs });
  await program.pollFor(2);
  shop.setStatus(id, 'bezahlt');
  await program.pollFor(2);
  shop.rewrite();
  await program.pollFor(3);
  const expected = [`new-order:${id}`, `paid:${id}`, `status:${id}:bezahlt`];
  expect(program.eventIds().slice(before).sort()).toEqual(expected);
});

test('reports each event once for an order that only a status list shows at the baseline', async () => {
  const { shop, program } = await setUp(0);
  let old = '';
  shop.rewrite(/\/orders\?page=1&per_page=50$/, (body) => (old ||= body));
  await shop.client.listOrders({ page: 1, perPage: 50 });
  const id = shop.insert({ codes: 1 });
  await program.poll();
  shop.setStatus(id, 'bezahlt');
  shop.deliver(id, 1);
  await program.pollFor(1);
  shop.rewrite();
  await program.pollFor(3);
  expect(new Set(program.eventIds()).size).toBe(program.told.length);
  expect(program.eventIds()).toContain(`paid:${id}`);
  expect(codesOf(program)).toHaveLength(1);
});

/** Adds orders, some in each second, and passes `gapMs` before each of these seconds. */
const arrive = ({ pass, change, mock }: WatchedShop, count: number, perSecond = 1, gapMs = 1_000): number[] =>
  Array.from({ length: count }, (_, index) => {
    if (index % perSecond === 0) pass(gapMs);
    const created_at = new Date(mock.clock.now()).toISOString();
    return change((state) => state.insertOrder('business', { items: [], created_at })).id;
  });

// With each sequence of copies, an order was lost before pages overlapped, or before a page 1 from another copy counted.
test.each([3, 6, 7, 9, 21, 23])(
  'a catch-up loses no order even if its pages come from copies of different ages (%d)',
  async (seed) => {
    const { shop, program } = await setUp(3, { events: ['newOrder'] });
    const old = arrive(shop, 100);
    await program.pollFor(5);
    const ids = [...old, ...arrive(shop, 400)];
    shop.lag('lists', createRandom(seed));
    for (let poll = 0; poll < 10; poll++) {
      await program.poll({ requests: 3 });
      ids.push(...arrive(shop, 10));
      // So `total` stays the same.
      for (const id of old.splice(0, 10)) shop.change((state) => state.removeOrder(id));
    }
    shop.lag('none', createRandom(seed));
    await program.pollFor(15);
    expect(program.orderIds().toSorted()).toEqual(ids);
  },
);

// With each sequence of copies, an order was lost for another reason: a partly read second counted as read, a break
// between two pages went unnoticed, or the reader lost its place because another copy had shown the same orders before.
test.each([261, 1170, 1715])(
  'a catch-up loses no order even if ten share each second, their sequence changes and copies have different ages (%d)',
  async (seed) => {
    const shop = createWatchedShop({ orders: 0, set: { tieBreak: 'shuffle' } });
    const program = createProgram(shop, { events: ['newOrder'] });
    arrive(shop, 120, 10, 5_000);
    await program.pollFor(5);
    const ids = arrive(shop, 500, 10, 5_000);
    shop.lag('lists', createRandom(seed));
    await program.poll();
    await program.pollFor(10);
    shop.lag('none', createRandom(seed));
    await program.pollFor(15);
    expect(program.orderIds().toSorted()).toEqual(ids);
  },
);
