import { growth } from '@order-license/testing/growth';
import { faultOf } from '@order-license/testing/odd-responses';
import { describe, expect, test } from 'vitest';
import type { Order } from '../model/order.ts';
import { compare } from './compare.ts';
import { type ChangeName, selectionOf } from './events.ts';
import { type Known, newSweep, saveState } from './state.ts';
import { createProgram, createWatchedShop, dayMs, everything, hourMs, minuteMs } from './watched-shop.fixture.ts';

const licenseCodes = { ...everything, events: ['licenseCodeAvailable'] as ChangeName[] };
/** No list field shows whether an order has new codes. */
const hidesDelivery = { lieferstatus: ['-', '-', '-'] };

/** @param minutes after ten of them, the codes of the first reads are old */
const setUp = async (subscription: Partial<typeof everything> = {}, minutes = 12) => {
  const shop = createWatchedShop({ orders: 30 });
  const program = createProgram(shop, { ...licenseCodes, ...subscription });
  for (let poll = 0; poll < 5; poll++) await program.poll();
  await program.pollFor(minutes);
  expect(program.told).toEqual([]);
  const insert = (codes: number, delivered: number) => shop.insert({ status: 'bezahlt', codes, delivered });
  return { shop, program, insert };
};

test('reports codes that arrive one at a time once each, then stops reading the order', async () => {
  const { shop, program, insert } = await setUp();
  const id = insert(3, 1);
  await program.poll();
  expect(program.told).toHaveLength(1);
  for (let code = 0; code < 2; code++) {
    shop.deliver(id, 1);
    await program.pollFor(3);
  }
  expect(program.told).toHaveLength(3);
  expect(new Set(program.eventIds()).size).toBe(3);
  await program.pollFor(10);
  const reads = shop.readsOf(id);
  await program.pollFor(60);
  expect(shop.readsOf(id)).toBe(reads);
});

test('reports a code that exceeds the quantity of its line item after the list shows a status change [U-14]', async () => {
  const { shop, program } = await setUp();
  const ids = shop.insertMany(2, { status: 'bezahlt', codes: 2, pieces: 1, delivered: 1 });
  const [delivered = 0, completed = 0] = ids;
  await program.pollFor(20);
  expect(program.told).toHaveLength(2);
  shop.deliver(delivered, 1);
  shop.mock.set(hidesDelivery);
  await program.pollFor(10);
  shop.deliver(completed, 1);
  shop.setStatus(completed, 'abgeschlossen');
  await program.pollFor(20);
  expect(program.orderIds().sort()).toEqual([...ids, ...ids].sort());
  expect(new Set(program.eventIds()).size).toBe(4);
  // A record stays an hour after the last list showed its order.
  await program.pollFor(70);
  expect(program.awaited()).not.toContain(String(completed));
});

test.each(['500', 'nullData'] as const)(
  'an order that always fails with %s does not block the codes of other orders',
  async (kind) => {
    const { shop, program, insert } = await setUp();
    const broken = [insert(1, 1), insert(1, 1)];
    for (const id of broken) shop.mock.faults.add({ ...faultOf(kind), id, times: 'always' });
    const whole = insert(1, 1);
    await program.pollFor(2);
    expect(program.orderIds()).toEqual([whole]);
    expect(program.warnings.join()).toContain(`Order ${broken[0]} could not be read`);
    shop.mock.faults.clear();
    await program.pollFor(10);
    expect(program.orderIds().sort()).toEqual([...broken, whole].sort());
  },
);

test('a poll reads at most four orders for which the API fails, and the next polls read the others', async () => {
  const { shop, program } = await setUp();
  const ids = shop.insertMany(8, { status: 'bezahlt', codes: 1 });
  shop.mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  const before = shop.sent();
  expect((await program.poll()).error).toBeUndefined();
  expect(shop.sent() - before).toBeLessThan(8);
  shop.mock.faults.clear();
  await program.pollFor(3);
  expect(program.orderIds().sort()).toEqual(ids);
});

test('sixty failing orders do not keep a healthy one from being read during an export', async () => {
  const { shop, program, insert } = await setUp({}, 0);
  shop.mock.set(hidesDelivery);
  const failing = shop.insertMany(60, { status: 'bezahlt', codes: 2, delivered: 1 });
  const healthy = insert(2, 1);
  await program.pollFor(10);
  const state = program.state();
  for (const id of failing) {
    shop.mock.faults.add({ kind: '500', id, times: 'always' });
    const known = state.orders.get(String(id)) as Known;
    const failed = { since: state.now, retryAt: state.now };
    state.orders.set(String(id), { ...known, failed });
  }
  shop.deliver(healthy, 1);
  shop.isExporting = true;
  shop.pass(20 * minuteMs);
  const next = createProgram(shop, licenseCodes, saveState(state));
  await next.poll();
  expect(next.orderIds()).toEqual([healthy]);
});

test('orders paid before the baseline do not displace a new order without codes', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const order = { status: 'bezahlt', codes: 1, delivered: 0 } as const;
  shop.insertMany(60, order);
  const first = createProgram(shop, licenseCodes);
  await first.poll({ requests: 4 });
  const id = shop.insert(order);
  await first.poll({ requests: 1 });
  const state = first.state();
  expect(first.awaited()).toEqual([String(id)]);
  const now = Math.floor(shop.mock.clock.now() / 1000);
  for (let n = 1; n < 2_000; n++) {
    const codes = { since: now + 3_600, known: [] };
    const later: Known = { status: 'abgeschlossen', reached: 2, codes, codesAt: now + 7_200 };
    state.orders.set(String(9_000_000 + n), later);
  }
  shop.pass(2 * hourMs);
  const program = createProgram(shop, licenseCodes, saveState(state));
  await program.poll();
  expect(program.awaited()).toContain(String(id));
});

test('reports codes of a new order without a date even if a status list shows it first [U-24]', async () => {
  const shop = createWatchedShop({ orders: 30, set: { dates: 'null' } });
  const program = createProgram(shop, licenseCodes);
  await program.settle(3);
  shop.pass(10 * minuteMs);
  const ids: number[] = [];
  const stop = shop.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') ids.push(shop.mock.state.insertOrder('business', { status: 'bezahlt' }).id);
  });
  await program.settle(8);
  stop();
  await program.settle(2);
  expect(program.orderIds()).toEqual(ids);
});

test('finds codes within seven minutes on the first day even if no list field shows them', async () => {
  const { shop, program, insert } = await setUp();
  shop.mock.set(hidesDelivery);
  const id = insert(1, 0);
  await program.pollFor(300);
  const reads = shop.readsOf(id);
  await program.pollUntil(() => shop.readsOf(id) > reads);
  shop.deliver(id, 1);
  await program.pollFor(7);
  expect(program.orderIds()).toEqual([id]);
});

test('if an order never gets codes, reads it less and less often, and stops after 90 days', async () => {
  const { shop, program, insert } = await setUp();
  const id = insert(1, 0);
  const before = shop.sent();
  for (let poll = 0; poll < 91 * 6; poll++) {
    shop.pass(dayMs / 6);
    await program.poll();
  }
  expect(shop.sent() - before).toBeGreaterThan(500);
  expect(shop.readsOf(id)).toBeLessThan(120);
  expect(program.awaited()).toEqual([]);
  expect(program.warnings.join()).toContain('Stopped waiting');
});

test('reads a paid order at most once a day if its codes are reported only on completion', async () => {
  const { shop, program, insert } = await setUp({ statuses: ['abgeschlossen'] });
  const id = insert(2, 2);
  await program.pollFor(60);
  expect(program.told).toEqual([]);
  expect(shop.readsOf(id)).toBe(1);
  shop.setStatus(id, 'abgeschlossen');
  await program.pollFor(5);
  expect(program.orderIds()).toEqual([id, id]);
});

test('if the details of an order that was completed have no status at first, reads it again within an hour', async () => {
  const { shop, program, insert } = await setUp({ statuses: ['abgeschlossen'] });
  const id = insert(1, 1);
  shop.pass(minuteMs);
  shop.insertMany(60, { status: 'storniert' });
  await program.pollFor(5);
  shop.mock.set({ nulls: ['order.status'] });
  shop.setStatus(id, 'abgeschlossen');
  await program.pollFor(5);
  shop.mock.set({ nulls: [] });
  await program.pollFor(60);
  expect(program.orderIds()).toEqual([id]);
});

test('reads an order only once if codes are not reported for orders with its status', async () => {
  const { shop, program, insert } = await setUp({ statuses: ['bezahlt'] });
  const [paid, completed] = [insert(1, 1), insert(1, 1)];
  shop.setStatus(completed, 'abgeschlossen');
  await program.pollFor(60);
  expect(program.orderIds()).toEqual([paid]);
  expect(shop.readsOf(completed)).toBe(1);
});

test('stops waiting for the codes of a cancelled order', async () => {
  const { shop, program, insert } = await setUp();
  const id = insert(2, 1);
  await program.poll();
  shop.setStatus(id, 'storniert');
  await program.pollFor(5);
  expect(program.awaited()).not.toContain(String(id));
});

test('reading orders whose details have no status does not end the wait for the codes of others [U-59]', async () => {
  const shop = createWatchedShop({ orders: 0, set: { missing: ['order.status'], lieferstatus: ['offen'] } });
  const waiting = shop.insert({ status: 'bezahlt', codes: 1, delivered: 0 });
  shop.insertMany(100, { status: 'bezahlt', codes: 1, delivered: 1 });
  const program = createProgram(shop, licenseCodes);
  await program.pollFor(30);
  shop.deliver(waiting, 1);
  await program.pollFor(30);
  expect(program.orderIds()).toEqual([waiting]);
});

describe('orders paid before the baseline', () => {
  const setUpPaid = (waiting: number, delivered: number) => {
    const shop = createWatchedShop({ orders: 0 });
    const ids = shop.insertMany(waiting, { status: 'bezahlt', codes: 2, delivered: 0 });
    shop.insertMany(delivered, { status: 'bezahlt', codes: 2, delivered: 2 });
    return { ids, shop, program: createProgram(shop, licenseCodes) };
  };

  test('reports codes as new even if the order is completed before a list shows their delivery', async () => {
    const { ids, shop, program } = setUpPaid(60, 100);
    await program.poll({ requests: 12 });
    shop.deliver(ids, 2);
    shop.setStatus(ids, 'abgeschlossen');
    await program.pollFor(90);
    expect(new Set(program.eventIds()).size).toBe(120);
  });

  test('reports codes as new if they arrive before and after the first read, and the order is then completed', async () => {
    const { ids, shop, program } = setUpPaid(100, 0);
    await program.poll();
    shop.deliver(ids, 1);
    for (let poll = 0; poll < 3; poll++) {
      shop.pass(1_000);
      await program.poll();
    }
    shop.deliver(ids, 1);
    shop.setStatus(ids, 'abgeschlossen');
    await program.pollFor(90);
    expect(new Set(program.eventIds()).size).toBe(200);
    expect(program.told).toHaveLength(200);
  });

  test('reports codes as new if they arrive and the order is completed in the hours between two polls', async () => {
    const shop = createWatchedShop({ orders: 0 });
    const id = shop.insert({ status: 'bezahlt', codes: 3, delivered: 1 });
    shop.insertMany(60, { status: 'bezahlt', codes: 1, delivered: 1 });
    const program = createProgram(shop, licenseCodes);
    for (let poll = 0; poll < 8; poll++) await program.poll();
    shop.pass(2 * hourMs);
    shop.deliver(id, 2);
    shop.setStatus(id, 'abgeschlossen');
    for (let poll = 0; poll < 6; poll++) {
      await program.poll();
      shop.pass(2 * hourMs);
    }
    expect(program.orderIds().filter((of) => of === id)).toHaveLength(3);
    expect(program.warnings).toEqual([]);
  });

  test('orders that always fail do not keep older ones from being read', async () => {
    const shop = createWatchedShop({ orders: 0, set: { lieferstatus: ['-', '-', '-'] } });
    const waiting = shop.insert({ status: 'bezahlt', codes: 2, delivered: 0 });
    const failing = shop.insertMany(5, { status: 'bezahlt', codes: 1, delivered: 1 });
    for (const id of failing) shop.mock.faults.add({ kind: '500', id, times: 'always' });
    const program = createProgram(shop, licenseCodes);
    await program.poll();
    await program.pollFor(15);
    shop.deliver(waiting, 2);
    await program.pollFor(15);
    expect(program.orderIds()).toEqual([waiting, waiting]);
    const before = shop.readsOf();
    await program.pollFor(6 * 60);
    expect(shop.readsOf() - before).toBeLessThan(10 * failing.length);
  });

  test('existing codes are not new if the order is cancelled and then restored', async () => {
    const { shop, program } = setUpPaid(0, 3);
    await program.poll();
    await program.pollFor(12);
    const [id = 0] = program.state().orders.keys();
    shop.setStatus(Number(id), 'storniert');
    await program.pollFor(3);
    shop.setStatus(Number(id), 'bezahlt');
    await program.pollFor(60);
    expect(program.told).toEqual([]);
  });

  test('codes are new if they arrive after the program selects `licenseCodeAvailable`', async () => {
    const shop = createWatchedShop({ orders: 0 });
    const waiting = shop.insert({ status: 'bezahlt', codes: 2, delivered: 0 });
    const complete = shop.insert({ status: 'bezahlt', codes: 2, delivered: 2 });
    const before = createProgram(shop, { events: ['statusChanged'] });
    await before.settle(3);
    const program = createProgram(shop, { events: ['statusChanged', 'licenseCodeAvailable'] }, before.saved());
    await program.settle(3);
    shop.deliver(waiting, 2);
    shop.setStatus(complete, 'abgeschlossen');
    await program.settle(8);
    const codes = program.told.filter(({ event }) => event === 'licenseCodeAvailable');
    expect(codes.map(({ order }) => order.id)).toEqual([waiting, waiting]);
  });

  test('existing codes are not new if the order is read again because it seemed to be missing from a page', async () => {
    const { ids, shop, program } = setUpPaid(3, 3);
    await program.poll();
    await program.pollFor(12);
    const state = program.state();
    const delivered = [...state.orders.keys()].filter((id) => !ids.includes(Number(id)));
    expect(delivered).toHaveLength(3);
    for (const id of delivered) state.orders.set(id, { ...(state.orders.get(id) as Known), readAt: 1 });
    const next = createProgram(shop, licenseCodes, saveState(state));
    await next.pollFor(3);
    expect(next.told).toEqual([]);
    expect(next.state().orders.get(String(delivered[0]))?.readAt).toBeUndefined();
  });

  test('reports codes of the oldest of more than 2,000 if their delivery status is rare', async () => {
    const { ids, shop, program } = setUpPaid(3, 2_010);
    await program.poll();
    shop.deliver(ids, 2);
    await program.pollFor(45);
    expect(program.orderIds().toSorted()).toEqual(ids.flatMap((id) => [id, id]));
  });

  test('reads the codes of the newest 2,000', async () => {
    const { shop, program } = setUpPaid(0, 2_010);
    await program.poll();
    const isDue = [...program.state().orders.values()].map(({ codesAt }) => codesAt !== undefined);
    // The first poll has read the codes of some.
    const read = shop.readsOf();
    expect(isDue.lastIndexOf(true)).toBe(1_999);
    expect(isDue.filter(Boolean)).toHaveLength(2_000 - read);
  });
});

/** Inserts an order that a search by number does not find, because its number is out of sequence. */
const insertHidden = (
  { insert, mock }: ReturnType<typeof createWatchedShop>,
  index: number,
  status: 'ausstehend' | 'bezahlt',
) => {
  const [{ createdAt } = { createdAt: 0 }] = mock.state.orders('business').page(index, 1);
  return insert({ status, codes: 2, createdAt: createdAt + 1_000 });
};

test('if no search finds an order for ten minutes, reports its codes without list fields', async () => {
  const shop = createWatchedShop({ orders: 300 });
  const program = createProgram(shop, { ...licenseCodes, watch: 'open' });
  await program.pollFor(12);
  const id = insertHidden(shop, 200, 'ausstehend');
  await program.pollFor(12);
  shop.setStatus(id, 'abgeschlossen');
  await program.pollFor(20);
  expect(program.told.map(({ order }) => [order.id, order.created_at])).toEqual([
    [id, null],
    [id, null],
  ]);
});

test('if no search finds an order paid before the baseline, drops its codes with a warning and stops searching', async () => {
  const shop = createWatchedShop({ orders: 3_000 });
  const id = insertHidden(shop, 2_000, 'bezahlt');
  const program = createProgram(shop, licenseCodes);
  await program.poll();
  const state = program.state();
  expect(state.orders.has(String(id))).toBe(true);
  const codes = { since: state.now, delivery: 'x', undecidedSince: 0 };
  state.orders.set(String(id), { status: 'bezahlt', reached: 1, codes, codesAt: state.now });
  shop.setStatus(id, 'abgeschlossen');
  const next = createProgram(shop, licenseCodes, saveState(state));
  await next.pollFor(75);
  expect(next.told).toEqual([]);
  expect(next.warnings.filter((warning) => warning.includes(`codes of order ${id} are not reported`))).toHaveLength(1);
  expect(next.state().orders.has(String(id))).toBe(false);
});

test('reports the codes of one order in linear time', async () => {
  let eventIds = (): string[] => [];
  const work = await growth(500, async (size) => {
    const shop = createWatchedShop({ orders: 0 });
    const program = createProgram(shop, licenseCodes);
    await program.poll();
    shop.insert({ status: 'bezahlt', codes: size, delivered: size });
    ({ eventIds } = program);
    return () => program.pollFor(1);
  });
  expect(work).toBeLessThan(2.5);
  expect(new Set(eventIds()).size).toBe(4_000);
});

test('an order with more codes than the state may hold does not end the wait for the codes of others', async () => {
  const { shop, program, insert } = await setUp();
  const older = insert(2, 1);
  await program.pollFor(3);
  const items = [1, 2, 3].map(() => ({ menge: 7_000, license_codes: 7_000 }));
  shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: 20_500 });
  await program.pollFor(3);
  shop.deliver(older, 1);
  await program.pollFor(10);
  expect(program.orderIds().filter((id) => id === older)).toHaveLength(2);
});

test('finds 200,000 new codes in one order', () => {
  const license_codes = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  const order = { id: 1, status: 'bezahlt', items: [{ id: 2, license_codes }] } as unknown as Order;
  const known: Known = { status: 'bezahlt', reached: 1, codes: { since: 0, known: [] } };
  const state = { now: 7, lists: new Map([['bezahlt', newSweep(0)]]) };
  const terms = { state, selection: selectionOf(licenseCodes) };
  expect(compare(known, { id: '1', order }, terms).events).toHaveLength(200_000);
});

test('an order whose read failed once is read again, even if more orders are due than one poll can read', async () => {
  const { shop, program } = await setUp();
  shop.mock.set(hidesDelivery);
  const [id = 0] = shop.insertMany(100, { status: 'bezahlt', codes: 2, delivered: 1 });
  await program.pollFor(30);
  shop.broken.add(id);
  await program.pollUntil(() => program.warnings.join().includes(`Order ${id} could not be read`));
  shop.broken.clear();
  shop.deliver(id, 1);
  const before = program.told.length;
  await program.pollFor(30);
  expect(program.orderIds().slice(before)).toEqual([id]);
});
