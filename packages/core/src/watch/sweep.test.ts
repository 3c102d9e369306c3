import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test } from 'vitest';
import type { OrderList } from '../model/order.ts';
import type { ChangeName } from './events.ts';
import { newSweep, saveState } from './state.ts';
import { createProgram, createWatchedShop, everything, hourMs, idsOf, minuteMs } from './watched-shop.fixture.ts';

const statusChanged = { ...everything, events: ['statusChanged'] as ChangeName[] };

/** Creates orders too old to appear at the head of the list. */
const setUp = async (pending: number, subscription = statusChanged, options = {}) => {
  const shop = createWatchedShop({ orders: 0, ...options });
  const { state } = shop.mock;
  const insert = (count: number, status: 'ausstehend' | 'bezahlt' | 'abgeschlossen') =>
    Array.from({ length: count }, () => {
      shop.pass(1_000);
      return state.insertOrder('business', { status, items: [] }).id;
    });
  const ids = insert(pending, 'ausstehend');
  const paid = insert(60, 'bezahlt');
  insert(60, 'abgeschlossen');
  const program = createProgram(shop, subscription);
  for (let poll = 0; poll < 6; poll++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  return { shop, state, program, ids, paid };
};

test('a poll that notices orders missing from the pending list reads them at once', async () => {
  const { shop, state, program, ids } = await setUp(150);
  const [first = 0, second = 0] = [ids[3], ids[140]];
  state.setStatus(first, 'bezahlt');
  state.setStatus(second, 'storniert');
  const before = shop.sent();
  await program.poll();
  expect(idsOf(program.told).sort()).toEqual([`status:${first}:bezahlt`, `status:${second}:storniert`].sort());
  expect(shop.sent() - before).toBeLessThanOrEqual(14);
});

test('does not individually read orders that moved up a page while the list was being read', async () => {
  const { shop, state, program, ids } = await setUp(150);
  while (program.state().lists.get('ausstehend')?.rows !== 50) await program.poll();
  const gone = ids[140] ?? 0;
  state.setStatus(gone, 'storniert');
  for (let poll = 0; poll < 4; poll++) await program.poll();
  expect(idsOf(program.told)).toEqual([`status:${gone}:storniert`]);
  const read = shop.mock.journal.entries().filter(({ path }) => /orders\/\d/.test(path));
  expect(read.map(({ path }) => path)).toEqual([`/api/v1/orders/${gone}`]);
});

test('finds changes within an hour even if the totals stay the same', async () => {
  const { shop, state, program, ids, paid } = await setUp(150);
  const [leaves = 0, enters = 0] = [ids[70], paid[30]];
  state.setStatus(leaves, 'bezahlt');
  state.setStatus(enters, 'ausstehend');
  for (let minute = 0; minute < 60; minute++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  expect(idsOf(program.told).sort()).toEqual([`status:${leaves}:bezahlt`, `status:${enters}:ausstehend`].sort());
});

test('finds a change in a list of 2,000 orders within the hour, even if the totals stay the same', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const insert = (status: 'bezahlt' | 'storniert') => {
    shop.pass(1_000);
    return shop.mock.state.insertOrder('business', { status, items: [] }).id;
  };
  const ids = Array.from({ length: 2_000 }, (_, n) => insert(n === 500 ? 'storniert' : 'bezahlt'));
  const program = createProgram(shop, statusChanged);
  await program.pollFor(45);
  const left = [200, 1_500].map((index) => ids[index] as number);
  for (const id of left) shop.mock.state.setStatus(id, 'abgeschlossen');
  for (const id of [ids[500] as number, insert('bezahlt')]) shop.mock.state.setStatus(id, 'bezahlt');
  await program.pollFor(60);
  expect(idsOf(program.told).sort()).toEqual(left.map((id) => `status:${id}:abgeschlossen`));
});

test('a sweep that fell behind during an export catches up in the first poll after it', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const insert = (status: 'bezahlt' | 'storniert') => {
    shop.pass(1_000);
    return shop.mock.state.insertOrder('business', { status, items: [] }).id;
  };
  const ids = Array.from({ length: 400 }, (_, n) => insert(n % 50 === 49 ? 'storniert' : 'bezahlt'));
  const program = createProgram(shop, statusChanged);
  await program.pollFor(10);
  while (program.state().lists.get('bezahlt')?.rows !== 0) await program.pollFor(1);
  shop.isExporting = true;
  await program.pollFor(4);
  const left = [110, 210, 360].map((index) => ids[index] as number);
  for (const id of left) shop.mock.state.setStatus(id, 'abgeschlossen');
  // The totals stay the same.
  for (const index of [49, 149, 249]) shop.mock.state.setStatus(ids[index] as number, 'bezahlt');
  shop.isExporting = false;
  await program.pollFor(1);
  expect(idsOf(program.told).sort()).toEqual(left.map((id) => `status:${id}:abgeschlossen`));
});

test.each([false, true])(
  'finds a change in each page if the API returns smaller pages, also if the first sweep takes several polls (%s) [U-02]',
  async (isSlow) => {
    const shop = createWatchedShop({ orders: 0, set: { perPageMax: 20 } });
    const ids = Array.from({ length: 190 }, () => {
      shop.pass(1_000);
      return shop.mock.state.insertOrder('business', { status: 'ausstehend', items: [] }).id;
    });
    for (let n = 0; n < 60; n++) shop.mock.state.insertOrder('business', { status: 'abgeschlossen', items: [] });
    const program = createProgram(shop, statusChanged);
    for (let poll = 0; poll < 12; poll++) {
      await program.poll(isSlow ? { requests: 8 } : {});
      shop.pass(minuteMs);
    }
    expect(program.state().orders.size).toBe(190);
    const changed = [10, 90, 180].map((index) => ids[index] as number);
    for (const id of changed) shop.mock.state.setStatus(id, 'storniert');
    await program.pollFor(12);
    expect(idsOf(program.told).sort()).toEqual(changed.map((id) => `status:${id}:storniert`));
  },
);

test('watching pending orders costs one request per minute, plus one for the head of the list', async () => {
  const { shop, program } = await setUp(150, { ...everything, events: ['paid'] });
  const before = shop.sent();
  for (let minute = 0; minute < 60; minute++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  expect(shop.sent() - before).toBe(120);
});

test('reports payment of a cancelled order only if `watch` is `all`', async () => {
  for (const watch of ['open', 'all'] as const) {
    const { shop, state, program, ids } = await setUp(10, { ...statusChanged, watch });
    const [id = 0] = ids;
    state.setStatus(id, 'storniert');
    await program.poll();
    state.setStatus(id, 'bezahlt');
    for (let poll = 0; poll < 12; poll++) {
      shop.pass(10 * minuteMs);
      await program.poll();
    }
    const seen = [`status:${id}:storniert`, ...(watch === 'all' ? [`status:${id}:bezahlt`] : [])];
    expect(idsOf(program.told)).toEqual(seen);
  }
});

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
  const { shop, state, program, ids } = await setUp(120, statusChanged, { set: { totalIgnoresFilter: 'on' } });
  const [id = 0] = ids;
  state.setStatus(id, 'bezahlt');
  for (let poll = 0; poll < 12; poll++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  expect(idsOf(program.told)).toEqual([`status:${id}:bezahlt`]);
});

test('an order that cannot be read does not block others', async () => {
  const { state, program, ids, shop } = await setUp(20);
  const [broken = 0, whole = 0] = ids;
  shop.mock.faults.add({ ...faultOf('nullData'), operation: 'order', times: 1 });
  state.setStatus(broken, 'bezahlt');
  state.setStatus(whole, 'bezahlt');
  await program.poll();
  expect(program.told).toHaveLength(1);
  expect(program.warnings.join()).toContain('could not be read');
  shop.pass(minuteMs);
  for (let poll = 0; poll < 2; poll++) await program.poll();
  expect(program.told).toHaveLength(2);
});

test('orders for which the API always fails do not block others', async () => {
  const { state, program, ids, shop } = await setUp(20);
  const [one = 0, two = 0, whole = 0] = ids;
  for (const id of [one, two]) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  for (const id of [one, two, whole]) state.setStatus(id, 'bezahlt');
  await program.poll();
  // Three changes are found in the list of their new status, which has all that an event needs.
  expect(idsOf(program.told).sort()).toEqual([one, two, whole].map((id) => `status:${id}:bezahlt`));
});

test('orders with IDs that cannot be requested neither block others nor fail the poll [U-25]', async () => {
  const { state, program, ids, shop } = await setUp(
    20,
    { ...statusChanged, events: ['newOrder', 'statusChanged'] },
    { set: { ids: 'negative' } },
  );
  state.setStatus(ids[0] ?? 0, 'bezahlt');
  const { id } = state.insertOrder('business', { status: 'ausstehend', items: [] });
  expect((await program.poll()).error).toBeUndefined();
  expect(idsOf(program.told)).toEqual([`new-order:-${id}`]);
  expect(program.warnings.join()).toContain(`Order -${ids[0]} could not be read`);
  shop.pass(minuteMs);
  expect((await program.poll()).error).toBeUndefined();
});

test.each(['empty', '404', '400', 'clamp'] as const)(
  'finds all changes in a list that shrinks between polls (page beyond the last: %s) [U-05]',
  async (pageBeyondLast) => {
    const { state, program, ids, shop } = await setUp(170, statusChanged, { set: { pageBeyondLast } });
    for (let poll = 0; poll < 4 && (program.state().lists.get('ausstehend')?.rows ?? 0) < 90; poll++) {
      await program.poll();
      shop.pass(minuteMs);
    }
    const gone = ids.slice(0, 130);
    for (const id of gone) state.setStatus(id, 'storniert');
    for (let poll = 0; poll < 30; poll++) {
      expect((await program.poll()).error).toBeUndefined();
      shop.pass(minuteMs);
    }
    expect(idsOf(program.told).sort()).toEqual(gone.map((id) => `status:${id}:storniert`).sort());
  },
);

test('skips a page that cannot be read, without reading its orders individually', async () => {
  const { program, shop } = await setUp(150);
  const pollOnce = async () => {
    await program.poll();
    shop.pass(minuteMs);
  };
  while (program.state().lists.get('ausstehend')?.rows !== 50) await pollOnce();
  shop.mock.faults.add({ kind: '500', operation: 'list', skip: 1, times: 1 });
  for (let poll = 0; poll < 5; poll++) await pollOnce();
  expect(program.warnings.join()).toContain('Page 2 of the orders with status ausstehend could not be read');
  expect(shop.mock.journal.entries().filter(({ path }) => /orders\/\d/.test(path))).toEqual([]);
});

test('forgets a failed page once the list ends above it, even if `total` ignores the filter [U-11]', async () => {
  const { state, program, shop, ids } = await setUp(270, statusChanged, { set: { totalIgnoresFilter: 'on' } });
  shop.foreign = ({ url }) => (url.includes('page=5&') ? {} : undefined);
  while (program.state().lists.get('ausstehend')?.failedAt === undefined) await program.pollFor(1);
  for (const id of ids.slice(0, 150)) state.setStatus(id, 'storniert');
  await program.pollFor(1);
  shop.foreign = () => undefined;
  await program.pollFor(60);
  expect(program.saved()).toMatchObject({ silentSince: null });
});

test('warns once if more orders need watching than the limit allows, and keeps polling', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const { user_id } = await shop.client.getMe();
  expect(user_id).toBeDefined();
  const first = createProgram(shop, statusChanged);
  await first.poll();
  const before = first.state();
  const ids = Array.from({ length: 27_990 }, (_, n) => String(10_000_000 - n));
  for (const id of ids) before.orders.set(id, { status: 'bezahlt', reached: 1, due: {}, round: 0 });
  before.lists.set('bezahlt', { ...newSweep(), round: 2, pages: 560, isWhole: false });
  for (let n = 0; n < 60; n++) {
    shop.mock.state.insertOrder('business', { status: 'bezahlt', items: [] });
    shop.pass(1_000);
  }
  const program = createProgram(shop, statusChanged, saveState(before));
  for (let poll = 0; poll < 3; poll++) await program.poll();
  expect(program.state().orders.size).toBe(28_000);
  expect(program.warnings.filter((warning) => warning.includes('are not watched'))).toHaveLength(1);
});

test('an order that arrives during a poll is left to the next poll, so that it counts as new', async () => {
  const { shop, state, program } = await setUp(10, { ...everything, events: ['paid'] });
  let id: number | undefined;
  const stop = shop.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') id ??= state.insertOrder('business', { status: 'ausstehend' }).id;
  });
  await program.poll();
  stop();
  state.setStatus(Number(id), 'bezahlt');
  await program.poll();
  expect(idsOf(program.told)).toEqual([`paid:${id}`]);
});

test('the next poll reports an order that arrives as paid during a poll', async () => {
  const { shop, state, program } = await setUp(10, { ...everything, events: ['paid', 'statusChanged'] });
  shop.pass(10 * minuteMs);
  let id: number | undefined;
  const stop = shop.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') id ??= state.insertOrder('business', { status: 'bezahlt' }).id;
  });
  for (let poll = 0; poll < 3; poll++) {
    await program.poll();
    shop.pass(5 * minuteMs);
  }
  stop();
  expect(idsOf(program.told)).toEqual([`paid:${id}`]);
});

test('an order that is paid during the catch-up after an outage is reported once', async () => {
  const { shop, state, program } = await setUp(10, { ...everything, events: ['newOrder', 'paid'] });
  const insert = (status: 'storniert' | 'ausstehend'): number => {
    shop.pass(1_000);
    return state.insertOrder('business', { status, items: [] }).id;
  };
  const cancelled = Array.from({ length: 1_500 }, () => insert('storniert'));
  const pending = Array.from({ length: 10 }, () => insert('ausstehend'));
  for (let poll = 0; poll < 8; poll++) {
    await program.poll({ requests: 20 });
    shop.pass(minuteMs);
    if (poll === 0) for (const id of pending) state.setStatus(id, 'bezahlt');
  }
  const expected = [...cancelled, ...pending].map((id) => `new-order:${id}`);
  expected.push(...pending.map((id) => `paid:${id}`));
  expect(idsOf(program.told).sort()).toEqual(expected.sort());
});

test('tells a completion although the details of orders fail for more than an hour', async () => {
  const events = ['completed', 'licenseCodeAvailable'] as ChangeName[];
  const { shop, state, program, paid } = await setUp(1, { ...everything, events });
  const [completed = 0] = paid;
  shop.mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  state.setStatus(completed, 'abgeschlossen');
  for (let minute = 0; minute < 75; minute++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  shop.mock.faults.clear();
  for (let minute = 0; minute < 75; minute++) {
    await program.poll();
    shop.pass(minuteMs);
  }
  expect(idsOf(program.told)).toEqual([`completed:${completed}`]);
});

test('an order with a status that the API docs do not name is read ever less often', async () => {
  const { shop, state, program, paid } = await setUp(1);
  const [id = 0] = paid;
  let reads = 0;
  shop.mock.journal.subscribe(({ path }) => {
    reads += path === `/api/v1/orders/${id}` ? 1 : 0;
  });
  state.setStatus(id, 'archiviert' as never);
  for (let hour = 0; hour < 20 * 24; hour++) {
    await program.poll();
    shop.pass(hourMs);
  }
  expect(reads).toBeGreaterThan(5);
  expect(reads).toBeLessThan(15);
});

test('an order that can be read, but that no list shows, is read ever less often', async () => {
  const { shop, program, ids } = await setUp(60);
  const [id = 0] = ids;
  const { fetch } = shop.mock;
  let reads = 0;
  shop.mock.fetch = async (...request) => {
    const response = await fetch(...request);
    if (String(request[0]).endsWith(`/orders/${id}`)) reads += 1;
    if (!String(request[0]).includes('status=ausstehend')) return response;
    const { data } = (await response.json()) as { data: OrderList };
    const orders = data.orders.filter((order) => order.id !== id);
    const total = data.pagination.total - 1;
    return Response.json({ status: 200, data: { orders, pagination: { ...data.pagination, total } } });
  };
  await program.pollFor(180);
  expect(reads).toBeGreaterThan(2);
  expect(reads).toBeLessThan(12);
  // It may be in a list that takes hours to read.
  expect(program.state().orders.has(String(id))).toBe(true);
});

test('tells a completion that the list of completed orders shows, although the details of the order always fail', async () => {
  const events = ['completed', 'statusChanged'] as ChangeName[];
  const { shop, state, program, paid } = await setUp(1, { ...everything, events, includeDetails: ['completed'] });
  const [completed = 0] = paid;
  shop.mock.faults.add({ kind: '500', id: completed, times: 'always' });
  state.setStatus(completed, 'abgeschlossen');
  await program.pollFor(90);
  expect(idsOf(program.told).sort()).toEqual([`completed:${completed}`, `status:${completed}:abgeschlossen`]);
  const { sent } = shop;
  const before = sent();
  await program.pollFor(60);
  expect(sent() - before).toBeLessThan(200);
});

test('an order that was reported without its details is not read again', async () => {
  const subscription = { ...everything, events: ['paid', 'completed'] as ChangeName[], includeDetails: true };
  const { shop, state, program, ids, paid } = await setUp(1, subscription);
  const [first = 0, second = 0] = [ids[0], paid[0]];
  for (const id of [first, second]) shop.mock.faults.add({ kind: '500', id, times: 'always' });
  state.setStatus(first, 'bezahlt');
  state.setStatus(second, 'abgeschlossen');
  await program.pollFor(120);
  expect(idsOf(program.told).sort()).toEqual([`completed:${second}`, `paid:${first}`]);
  const before = shop.mock.journal.entries().length;
  await program.pollFor(180);
  const later = shop.mock.journal.entries().slice(before);
  expect(later.filter(({ path }) => /orders\/\d/.test(path))).toEqual([]);
});

test('finds a departure at once, although another order was missing from one response', async () => {
  const { shop, state, program, ids } = await setUp(150);
  while (program.state().lists.get('ausstehend')?.rows !== 0) await program.pollFor(1);
  const [missing = 0, departed = 0] = [ids[148], ids[140]];
  const { fetch } = shop.mock;
  shop.mock.fetch = async (...request) => {
    const response = await fetch(...request);
    if (!String(request[0]).includes('status=ausstehend')) return response;
    const { data } = (await response.json()) as { data: OrderList };
    const orders = data.orders.filter(({ id }) => id !== missing);
    return Response.json({ status: 200, data: { ...data, orders } });
  };
  await program.pollFor(1);
  shop.mock.fetch = fetch;
  state.setStatus(departed, 'storniert');
  await program.pollFor(1);
  expect(idsOf(program.told)).toEqual([`status:${departed}:storniert`]);
});
