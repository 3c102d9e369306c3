import { expect, test } from 'vitest';
import type { OrderList } from '../model/order.ts';
import type { ChangeName } from './events.ts';
import {
  createProgram,
  createWatchedShop,
  everything,
  hourMs,
  minuteMs,
  type WatchedShop,
} from './watched-shop.fixture.ts';

const statusChanged = { ...everything, events: ['statusChanged'] as ChangeName[] };
const changes = (status: string, ...ids: number[]): string[] => ids.map((id) => `status:${id}:${status}`);

/** Creates orders too old to appear at the head of the list. */
const setUp = async (pending: number, subscription: Partial<typeof everything> = {}, options = {}) => {
  const shop = createWatchedShop({ orders: 0, ...options });
  const ids = shop.insertMany(pending);
  const paid = shop.insertMany(60, { status: 'bezahlt' });
  shop.insertMany(60, { status: 'abgeschlossen' });
  const program = createProgram(shop, { ...statusChanged, ...subscription });
  await program.poll();
  await program.pollFor(5);
  shop.pass(minuteMs);
  const sweepIsAt = (page: number) => () => program.state().lists.get('ausstehend')?.page === page;
  return { shop, program, ids, paid, sweepIsAt };
};
/** Changes the responses for the list of pending orders. */
const rewritePending = ({ rewrite }: WatchedShop, change: (data: OrderList) => OrderList): void =>
  rewrite(/status=ausstehend/, (body) => JSON.stringify({ status: 200, data: change(JSON.parse(body).data) }));

test('a poll that notices orders missing from the pending list reads them at once', async () => {
  const { shop, program, ids } = await setUp(150);
  const [first = 0, second = 0] = [ids[3], ids[140]];
  shop.setStatus(first, 'bezahlt');
  shop.setStatus(second, 'storniert');
  const before = shop.sent();
  await program.poll();
  expect(program.eventIds().sort()).toEqual([...changes('bezahlt', first), ...changes('storniert', second)].sort());
  expect(shop.sent() - before).toBeLessThanOrEqual(14);
});

test('new orders cost few requests even if `total` is ten minutes old', async () => {
  const { shop, program } = await setUp(1_200);
  const started = shop.mock.clock.now();
  const counts = new Map<number, number>();
  rewritePending(shop, ({ orders, pagination }) => {
    const period = Math.floor((shop.mock.clock.now() - started) / (10 * minuteMs));
    const total = counts.get(period) ?? pagination.total;
    counts.set(period, total);
    return { orders, pagination: { ...pagination, total, pages: Math.ceil(total / 50) } };
  });
  const before = shop.sent();
  for (let minute = 0; minute < 60; minute++) {
    shop.insert();
    await program.pollFor(1);
  }
  expect(shop.sent() - before).toBeLessThan(60 * 10);
});

test('does not individually read orders that moved up a page while the list was being read', async () => {
  const { shop, program, ids, sweepIsAt } = await setUp(150);
  await program.pollUntil(sweepIsAt(2));
  const gone = ids[140] ?? 0;
  shop.setStatus(gone, 'storniert');
  await program.pollFor(4);
  expect(program.eventIds()).toEqual(changes('storniert', gone));
  expect([shop.readsOf(gone), shop.readsOf()]).toEqual([1, 1]);
});

test('finds a change in a list of 2,000 orders within the hour, even if the totals stay the same', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(2_000, { status: 'bezahlt' });
  const enters = ids[500] as number;
  shop.setStatus(enters, 'storniert');
  const program = createProgram(shop, statusChanged);
  await program.pollFor(45);
  const left = [200, 1_500].map((index) => ids[index] as number);
  shop.setStatus(left, 'abgeschlossen');
  shop.setStatus([enters, shop.insert()], 'bezahlt');
  await program.pollFor(60);
  expect(program.eventIds().sort()).toEqual(changes('abgeschlossen', ...left));
});

test('a sweep that fell behind during an export catches up in the first poll after it', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(400, { status: 'bezahlt' });
  // The totals stay the same.
  const enter = [49, 149, 249].map((index) => ids[index] as number);
  shop.setStatus(enter, 'storniert');
  const program = createProgram(shop, statusChanged);
  await program.pollFor(10);
  await program.pollUntil(() => program.state().lists.get('bezahlt')?.page === 1);
  shop.isExporting = true;
  await program.pollFor(4);
  const left = [110, 210, 360].map((index) => ids[index] as number);
  shop.setStatus(left, 'abgeschlossen');
  shop.setStatus(enter, 'bezahlt');
  shop.isExporting = false;
  await program.pollFor(1);
  expect(program.eventIds().sort()).toEqual(changes('abgeschlossen', ...left));
});

test.each([false, true])(
  'finds a change in each page if the API returns smaller pages, even if the first sweep takes several polls (%s) [U-02]',
  async (isSlow) => {
    const shop = createWatchedShop({ orders: 0, set: { perPageMax: 20 } });
    const ids = shop.insertMany(190);
    shop.insertMany(60, { status: 'abgeschlossen' });
    const program = createProgram(shop, statusChanged);
    for (let poll = 0; poll < 12; poll++) {
      await program.poll(isSlow ? { requests: 8 } : {});
      shop.pass(minuteMs);
    }
    expect(program.state().orders.size).toBe(190);
    const changed = [10, 90, 180].map((index) => ids[index] as number);
    shop.setStatus(changed, 'storniert');
    await program.pollFor(12);
    expect(program.eventIds().sort()).toEqual(changes('storniert', ...changed));
  },
);

test('watching pending orders costs one request per minute, plus one for the head of the list', async () => {
  const { shop, program } = await setUp(150, { events: ['paid'] });
  await program.pollFor(1);
  const before = shop.sent();
  await program.pollFor(60);
  expect(shop.sent() - before).toBe(120);
});

test.each(['open', 'all'] as const)(
  'reports payment of a cancelled order only if `watch` is `all` (%s)',
  async (watch) => {
    const { shop, program, ids } = await setUp(10, { watch });
    const [id = 0] = ids;
    shop.setStatus(id, 'storniert');
    await program.poll();
    shop.setStatus(id, 'bezahlt');
    for (let poll = 0; poll < 12; poll++) {
      shop.pass(10 * minuteMs);
      await program.poll();
    }
    expect(program.eventIds()).toEqual([
      ...changes('storniert', id),
      ...(watch === 'all' ? changes('bezahlt', id) : []),
    ]);
  },
);

test('reads an order individually while its status is undocumented [U-54]', async () => {
  const { shop, program, ids } = await setUp(9);
  const later = ids.filter((id) => id % 3 === 0);
  shop.mock.set({ futureValues: 'on' });
  for (let poll = 0; poll < 4; poll++) await program.poll();
  expect(program.told.map(({ order }) => order.status)).toEqual(later.map(() => 'in_pruefung'));
  shop.mock.set({ futureValues: 'off' });
  for (let poll = 0; poll < 3; poll++) {
    shop.pass(hourMs);
    await program.poll();
  }
  const back = program.told.slice(later.length);
  expect(back.map(({ order }) => order.status)).toEqual(later.map(() => 'ausstehend'));
});

test('finds a change even if `total` ignores the filter [U-11]', async () => {
  const { shop, program, ids } = await setUp(120, {}, { set: { totalIgnoresFilter: 'on' } });
  const [id = 0] = ids;
  shop.setStatus(id, 'bezahlt');
  await program.pollFor(12);
  expect(program.eventIds()).toEqual(changes('bezahlt', id));
});

test('orders for which the API always fails do not block others', async () => {
  const { program, ids, shop } = await setUp(20);
  const three = ids.slice(0, 3);
  for (const id of three.slice(0, 2)) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  shop.setStatus(three, 'bezahlt');
  await program.poll();
  // Three changes are found in the list of their new status, which has all that an event needs.
  expect(program.eventIds().sort()).toEqual(changes('bezahlt', ...three));
});

test('orders with IDs that cannot be requested neither block others nor fail the poll [U-25]', async () => {
  const events: ChangeName[] = ['newOrder', 'statusChanged'];
  const { shop, program, ids } = await setUp(20, { events }, { set: { ids: 'negative' } });
  shop.setStatus(ids[0] ?? 0, 'storniert');
  const id = shop.insert();
  expect((await program.poll()).error).toBeUndefined();
  expect(program.eventIds()).toEqual([`new-order:-${id}`]);
  expect(program.warnings.join()).toContain(`Order -${ids[0]} could not be read`);
  shop.pass(minuteMs);
  expect((await program.poll()).error).toBeUndefined();
});

test.each(['empty', '404', '400', 'clamp'] as const)(
  'finds all changes in a list that shrinks between polls (page beyond the last: %s) [U-05]',
  async (pageBeyondLast) => {
    const { shop, program, ids } = await setUp(170, {}, { set: { pageBeyondLast } });
    for (let poll = 0; poll < 4 && (program.state().lists.get('ausstehend')?.page ?? 0) < 3; poll++) {
      await program.pollFor(1);
    }
    const gone = ids.slice(0, 130);
    shop.setStatus(gone, 'storniert');
    for (let poll = 0; poll < 30; poll++) {
      expect((await program.poll()).error).toBeUndefined();
      shop.pass(minuteMs);
    }
    expect(program.eventIds().sort()).toEqual(changes('storniert', ...gone).sort());
  },
);

test('skips a page that cannot be read, without reading its orders individually', async () => {
  const { shop, program, sweepIsAt } = await setUp(150);
  await program.pollUntil(sweepIsAt(2));
  shop.mock.faults.add({ kind: '500', operation: 'list', skip: 1, times: 1 });
  await program.pollFor(5);
  expect(program.warnings.join()).toContain('Page 2 of the orders with status ausstehend could not be read');
  expect(shop.readsOf()).toBe(0);
});

test('does not individually read the orders of a skipped page, even if a later page fails once', async () => {
  const { shop, program } = await setUp(250);
  const fail = (page: number) => {
    shop.foreign = ({ url }) => (url.includes(`page=${page}&`) && url.includes('ausstehend') ? {} : undefined);
  };
  fail(3);
  await program.pollUntil(() => program.state().lists.get('ausstehend')?.page === 4);
  fail(4);
  await program.pollFor(1);
  shop.foreign = () => undefined;
  await program.pollFor(8);
  expect(program.warnings.join()).toContain('Page 4 of the orders with status ausstehend');
  expect(shop.readsOf()).toBe(0);
});

test.each(['ausstehend', 'bezahlt'] as const)(
  'an order that arrives as %s during a poll is left to the next poll, so that it counts as new',
  async (status) => {
    const { shop, program } = await setUp(10, { events: ['paid'] });
    shop.pass(10 * minuteMs);
    let id = 0;
    const stop = shop.mock.journal.subscribe(({ query }) => {
      if (query === 'page=1&per_page=50') id ||= shop.mock.state.insertOrder('business', { status }).id;
    });
    await program.poll();
    stop();
    shop.setStatus(id, 'bezahlt');
    await program.pollFor(2);
    expect(program.eventIds()).toEqual([`paid:${id}`]);
  },
);

test('reports each new order once if a status list shows it while its page of the whole list fails', async () => {
  const { shop, program } = await setUp(10, { events: ['newOrder'] as ChangeName[] });
  const watching = createProgram(shop, { events: ['newOrder', 'statusChanged'] }, program.saved());
  const ids = shop.insertMany(80, { status: 'bezahlt' });
  shop.foreign = ({ url }) => (/orders\?page=2&per_page=50$/.test(url) ? {} : undefined);
  await watching.pollFor(8);
  shop.foreign = () => undefined;
  await watching.pollFor(8);
  expect(watching.eventIds().sort()).toEqual(ids.map((id) => `new-order:${id}`).sort());
});

test('an order that is paid during the catch-up after an outage is reported once', async () => {
  const { shop, program } = await setUp(10, { events: ['newOrder', 'paid'] });
  const cancelled = shop.insertMany(1_500, { status: 'storniert' });
  const pending = shop.insertMany(10);
  for (let poll = 0; poll < 8; poll++) {
    await program.poll({ requests: 20 });
    shop.pass(minuteMs);
    if (poll === 0) shop.setStatus(pending, 'bezahlt');
  }
  const expected = [...cancelled, ...pending].map((id) => `new-order:${id}`);
  expected.push(...pending.map((id) => `paid:${id}`));
  expect(program.eventIds().sort()).toEqual(expected.sort());
});

test('reports a completion although reads of single orders fail for more than an hour', async () => {
  const { shop, program, paid } = await setUp(1, { events: ['completed', 'licenseCodeAvailable'] });
  const [completed = 0] = paid;
  shop.mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  shop.setStatus(completed, 'abgeschlossen');
  await program.pollFor(75);
  shop.mock.faults.clear();
  await program.pollFor(75);
  expect(program.eventIds()).toEqual([`completed:${completed}`]);
});

test('one 404 hides no completion, even if a read of the order failed days before', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const id = shop.insert();
  // So many that the order is not found in its new list.
  shop.insertMany(520, { status: 'abgeschlossen' });
  const program = createProgram(shop, { events: ['paid', 'completed'] });
  await program.poll();
  shop.setStatus(id, 'bezahlt');
  shop.mock.faults.add({ kind: '500', id, times: 1 });
  await program.pollFor(5);
  expect(program.eventIds()).toEqual([`paid:${id}`]);
  await program.settle(48);
  shop.setStatus(id, 'abgeschlossen');
  shop.mock.faults.add({ kind: '404', id, times: 1 });
  await program.pollFor(10);
  expect(program.eventIds()).toEqual([`paid:${id}`, `completed:${id}`]);
});

test('an order that was reported without its details is not read again', async () => {
  const events: ChangeName[] = ['paid', 'completed', 'statusChanged'];
  const { shop, program, ids, paid } = await setUp(1, { events, includeDetails: ['paid', 'completed'] });
  const [first = 0, second = 0] = [ids[0], paid[0]];
  for (const id of [first, second]) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  shop.setStatus(first, 'bezahlt');
  shop.setStatus(second, 'abgeschlossen');
  await program.pollFor(120);
  const expected = [...changes('bezahlt', first), ...changes('abgeschlossen', second)];
  expect(program.eventIds().sort()).toEqual([`completed:${second}`, `paid:${first}`, ...expected].sort());
  const before = shop.readsOf();
  await program.pollFor(180);
  expect(shop.readsOf()).toBe(before);
});

test('an order with a status that the API docs do not name is read ever less often', async () => {
  const { shop, program, paid } = await setUp(1);
  const [id = 0] = paid;
  shop.setStatus(id, 'archiviert' as never);
  for (let hour = 0; hour < 20 * 24; hour++) {
    await program.poll();
    shop.pass(hourMs);
  }
  expect(shop.readsOf(id)).toBeGreaterThan(5);
  expect(shop.readsOf(id)).toBeLessThan(15);
});

test('an order that can be read, but that no list shows, is read ever less often', async () => {
  const { shop, program, ids } = await setUp(60);
  const [id = 0] = ids;
  rewritePending(shop, ({ orders, pagination }) => ({
    orders: orders.filter((order) => order.id !== id),
    pagination: { ...pagination, total: pagination.total - 1 },
  }));
  await program.pollFor(180);
  expect(shop.readsOf(id)).toBeGreaterThan(2);
  expect(shop.readsOf(id)).toBeLessThan(12);
  // It may be in a list that takes hours to read.
  expect(program.state().orders.has(String(id))).toBe(true);
});

test('one empty page of the pending list does not cause reads of the known pending orders', async () => {
  const { shop, program, ids } = await setUp(150);
  await program.pollUntil(() => program.state().lists.get('ausstehend')?.page === 1);
  rewritePending(shop, () => {
    shop.rewrite();
    return { orders: [], pagination: { page: 1, per_page: 50, total: 0, pages: 0 } };
  });
  await program.pollFor(5);
  expect(shop.readsOf()).toBe(0);
  shop.setStatus(ids, 'storniert');
  await program.pollFor(10);
  expect(program.eventIds().sort()).toEqual(changes('storniert', ...ids).sort());
});

test('notices at once that an order is gone from its list, even if another was missing from one response', async () => {
  const { shop, program, ids, sweepIsAt } = await setUp(150);
  await program.pollUntil(sweepIsAt(1));
  const [missing = 0, departed = 0] = [ids[148], ids[140]];
  rewritePending(shop, (data) => ({ ...data, orders: data.orders.filter(({ id }) => id !== missing) }));
  await program.pollFor(1);
  shop.rewrite();
  shop.setStatus(departed, 'storniert');
  await program.pollFor(1);
  expect(program.eventIds()).toEqual(changes('storniert', departed));
});

test('reads an order that left the page just read, without reading the rest of the list first', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(2_000, { status: 'bezahlt' });
  shop.insertMany(60, { status: 'abgeschlossen' });
  const program = createProgram(shop, statusChanged);
  await program.pollFor(5);
  const hasRead = (pages: number) => () => Number(program.state().lists.get('bezahlt')?.page) > pages;
  await program.pollUntil(hasRead(10));
  const id = ids.at(-1_010) as number;
  shop.setStatus(id, 'storniert');
  await program.pollUntil(hasRead(21));
  expect(program.eventIds()).toEqual(changes('storniert', id));
  expect(shop.readsOf()).toBe(1);
});

test('finds an order that left a late page, even while another leaves page 1 every minute', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const ids = shop.insertMany(600);
  shop.insertMany(60, { status: 'abgeschlossen' });
  const program = createProgram(shop, statusChanged);
  await program.pollFor(20);
  const [deep = 0] = ids.splice(20, 1);
  shop.setStatus(deep, 'storniert');
  for (let minute = 0; minute < 20; minute++) {
    shop.setStatus(ids.splice(-20, 1), 'bezahlt');
    await program.pollFor(1);
  }
  expect(program.eventIds()).toContain(changes('storniert', deep)[0]);
});
