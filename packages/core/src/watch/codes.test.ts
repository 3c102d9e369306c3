import { growth } from '@order-license/testing/growth';
import { faultOf } from '@order-license/testing/odd-responses';
import { describe, expect, test } from 'vitest';
import type { Order } from '../model/order.ts';
import { compare } from './compare.ts';
import { type ChangeName, selectionOf } from './events.ts';
import { type Known, saveState } from './state.ts';
import {
  createProgram,
  createWatchedShop,
  dayMs,
  everything,
  hourMs,
  idsOf,
  minuteMs,
} from './watched-shop.fixture.ts';

const licenseCodes = { ...everything, events: ['licenseCodeAvailable'] as ChangeName[] };

/** @param minutes after ten of them, the codes of the first reads are old */
const setUp = async (subscription = licenseCodes, minutes = 12) => {
  const shop = createWatchedShop({ orders: 30 });
  const program = createProgram(shop, subscription);
  for (let poll = 0; poll < 5; poll++) await program.poll();
  await program.pollFor(minutes);
  const insert = (codes: number, delivered: number) =>
    shop.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: codes, license_codes: codes }],
      delivered,
    }).id;
  const pollFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      shop.pass(minuteMs);
      await program.poll();
    }
  };
  return { shop, program, insert, pollFor };
};

test('does not report codes that an order had before it was watched', async () => {
  const { program } = await setUp();
  expect(program.told).toEqual([]);
});

test('if codes arrive one at a time, reports each code once, with its own event ID', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  const id = insert(3, 1);
  await program.poll();
  expect(program.told).toHaveLength(1);
  shop.mock.state.deliverCodes(id, 1);
  await pollFor(3);
  shop.mock.state.deliverCodes(id, 1);
  await pollFor(3);
  expect(program.told).toHaveLength(3);
  expect(new Set(idsOf(program.told)).size).toBe(3);
  await pollFor(10);
  const reads = shop.mock.journal.count({ id });
  await pollFor(60);
  expect(shop.mock.journal.count({ id })).toBe(reads);
});

test('reports a code that exceeds the quantity of its line item after the list shows a status change [U-14]', async () => {
  const { shop, program, pollFor } = await setUp();
  const insert = () =>
    shop.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: 1, license_codes: 2 }],
      delivered: 1,
    }).id;
  const [delivered, completed] = [insert(), insert()];
  await pollFor(20);
  expect(program.told).toHaveLength(2);
  shop.mock.state.deliverCodes(delivered, 1);
  shop.mock.set({ lieferstatus: ['-', '-', '-'] });
  await pollFor(10);
  shop.mock.state.deliverCodes(completed, 1);
  shop.mock.state.setStatus(completed, 'abgeschlossen');
  await pollFor(20);
  const ofOrder = (id: number) => program.told.filter(({ order }) => order.id === id).length;
  expect([ofOrder(delivered), ofOrder(completed)]).toEqual([2, 2]);
  expect(new Set(idsOf(program.told)).size).toBe(4);
  // A record stays an hour after the last list showed its order.
  await pollFor(70);
  expect(program.awaited()).not.toContain(String(completed));
});

test('reports two codes with the same ID under distinct event IDs', async () => {
  const { shop, program, pollFor } = await setUp();
  const license_codes = [1, 2, 3].map((n) => ({ id: 7, license_key: `KEY-${n}` }));
  const { id } = shop.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ menge: 3, license_codes }],
    delivered: 2,
  });
  await pollFor(2);
  shop.mock.state.deliverCodes(id, 1);
  await pollFor(10);
  const keys = program.told.map((event) => event.event === 'licenseCodeAvailable' && event.code.license_key);
  expect(keys).toEqual(['KEY-1', 'KEY-2', 'KEY-3']);
  expect(new Set(idsOf(program.told)).size).toBe(3);
});

test.each(['500', 'nullData'] as const)(
  'an order that always fails with %s does not block the codes of other orders',
  async (kind) => {
    const { shop, program, insert, pollFor } = await setUp();
    const broken = [insert(1, 1), insert(1, 1)];
    for (const id of broken) shop.mock.faults.add({ ...faultOf(kind), id, times: 'always' });
    const whole = insert(1, 1);
    await pollFor(2);
    expect(program.told.map(({ order }) => order.id)).toEqual([whole]);
    expect(program.warnings.join()).toContain(`Order ${broken[0]} could not be read`);
    shop.mock.faults.clear();
    await pollFor(10);
    expect(program.told.map(({ order }) => order.id).sort()).toEqual([...broken, whole].sort());
  },
);

test('an order for which the API temporarily returns 404 stays watched, and its codes are reported', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  const id = insert(2, 1);
  await pollFor(2);
  expect(program.told).toHaveLength(1);
  shop.mock.state.deliverCodes(id, 1);
  shop.mock.faults.add({ kind: '500', id, times: 3 });
  shop.mock.faults.add({ kind: '404', id, times: 4 });
  await pollFor(130);
  expect(program.told).toHaveLength(2);
});

test('a poll reads at most four orders for which the API fails, and the next polls read the others', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  const ids = Array.from({ length: 8 }, () => insert(1, 1));
  shop.mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  const before = shop.sent();
  expect((await program.poll()).error).toBeUndefined();
  expect(shop.sent() - before).toBeLessThan(8);
  shop.mock.faults.clear();
  await pollFor(3);
  expect(program.told.map(({ order }) => order.id).sort()).toEqual(ids);
});

test('sixty failing orders do not keep a healthy one from being read during an export', async () => {
  const { shop, program, insert, pollFor } = await setUp(licenseCodes, 0);
  shop.mock.set({ lieferstatus: ['-', '-', '-'] });
  const failing = Array.from({ length: 60 }, () => insert(2, 1));
  const healthy = insert(2, 1);
  await pollFor(10);
  const state = program.state();
  for (const id of failing) {
    shop.mock.faults.add({ kind: '500', id, times: 'always' });
    const known = state.orders.get(String(id)) as Known;
    const failed = { tries: 6, since: state.now, retryAt: state.now };
    state.orders.set(String(id), { ...known, failed });
  }
  shop.mock.state.deliverCodes(healthy, 1);
  shop.isExporting = true;
  shop.pass(20 * minuteMs);
  const next = createProgram(shop, licenseCodes, saveState(state));
  await next.poll();
  expect(next.told.map(({ order }) => order.id)).toEqual([healthy]);
});

test('orders paid before the baseline do not displace a new order without codes', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const insert = () => {
    shop.pass(1_000);
    const items = [{ menge: 1, license_codes: 1 }];
    return shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: 0 }).id;
  };
  for (let n = 0; n < 60; n++) insert();
  const first = createProgram(shop, licenseCodes);
  await first.poll({ requests: 4 });
  const id = insert();
  await first.poll({ requests: 1 });
  const state = first.state();
  expect(first.awaited()).toEqual([String(id)]);
  const now = Math.floor(shop.mock.clock.now() / 1000);
  for (let n = 1; n < 2_000; n++) {
    const later = String(9_000_000 + n);
    state.orders.set(later, {
      status: 'abgeschlossen',
      reached: 2,
      codes: { since: now + 3_600, known: [] },
      due: { codes: now + 7_200 },
    });
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
  expect(program.told.map(({ order }) => order.id)).toEqual(ids);
});

test('finds codes within seven minutes on the first day even if no list field shows them', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  shop.mock.set({ lieferstatus: ['-', '-', '-'] });
  const id = insert(1, 0);
  await pollFor(300);
  const reads = shop.mock.journal.count({ id });
  while (shop.mock.journal.count({ id }) === reads) await pollFor(1);
  shop.mock.state.deliverCodes(id, 1);
  await pollFor(7);
  expect(idsOf(program.told)).toHaveLength(1);
});

test('if an order never gets codes, reads it less and less often, and stops after 90 days', async () => {
  const { shop, program, insert } = await setUp();
  insert(1, 0);
  const before = shop.sent();
  for (let day = 0; day < 91; day++) {
    for (let poll = 0; poll < 6; poll++) {
      shop.pass(dayMs / 6);
      await program.poll();
    }
  }
  const reads = shop.mock.journal.entries().filter(({ path }) => /orders\/\d/.test(path)).length;
  expect(shop.sent() - before).toBeGreaterThan(500);
  expect(reads).toBeLessThan(120);
  expect(program.awaited()).toEqual([]);
  expect(program.warnings.join()).toContain('Stopped waiting');
});

test('reports codes once their order reaches a selected status', async () => {
  const { shop, program, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['abgeschlossen'] });
  const id = insert(2, 2);
  await pollFor(3);
  expect(program.told).toEqual([]);
  shop.mock.state.setStatus(id, 'abgeschlossen');
  await pollFor(10);
  expect(program.told).toHaveLength(2);
});

test('reads a paid order at most once a day if its codes are reported only on completion', async () => {
  const { shop, program, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['abgeschlossen'] });
  const id = insert(1, 1);
  await pollFor(60);
  expect(shop.mock.journal.count({ id })).toBe(1);
  shop.mock.state.setStatus(id, 'abgeschlossen');
  await pollFor(5);
  expect(program.told.map(({ order }) => order.id)).toEqual([id]);
});

test('if the details of an order that was completed have no status at first, reads it again within an hour', async () => {
  const { shop, program, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['abgeschlossen'] });
  const id = insert(1, 1);
  shop.pass(minuteMs);
  for (let n = 0; n < 60; n++) shop.mock.state.insertOrder('business', { status: 'storniert' });
  await pollFor(5);
  shop.mock.set({ nulls: ['order.status'] });
  shop.mock.state.setStatus(id, 'abgeschlossen');
  await pollFor(5);
  shop.mock.set({ nulls: [] });
  await pollFor(60);
  expect(program.told.map(({ order }) => order.id)).toEqual([id]);
});

test('reads an order once if codes of its status are not reported', async () => {
  const { shop, program, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['bezahlt'] });
  const [paid, completed] = [insert(1, 1), insert(1, 1)];
  shop.mock.state.setStatus(completed, 'abgeschlossen');
  await pollFor(60);
  expect(program.told.map(({ order }) => order.id)).toEqual([paid]);
  expect(shop.mock.journal.count({ id: completed })).toBe(1);
});

test('stops waiting for the codes of a cancelled order', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  const id = insert(2, 1);
  await program.poll();
  shop.mock.state.setStatus(id, 'storniert');
  await pollFor(5);
  expect(program.awaited()).not.toContain(String(id));
});

test('among thousands of orders paid before the baseline, reads those without codes first', async () => {
  const shop = createWatchedShop({ orders: 0 });
  const insert = (delivered: number) =>
    shop.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: 1, license_codes: 1 }],
      delivered,
    }).id;
  const waiting = insert(0);
  for (let n = 0; n < 1_600; n++) insert(1);
  const program = createProgram(shop, licenseCodes);
  await program.poll();
  expect(program.awaited()).toContain(String(waiting));
  shop.mock.state.deliverCodes(waiting, 1);
  shop.pass(2 * minuteMs);
  await program.poll();
  expect(program.told.map(({ order }) => order.id)).toEqual([waiting]);
});

test('reading orders whose details have no status does not end the wait for the codes of others [U-59]', async () => {
  const shop = createWatchedShop({ orders: 0, set: { missing: ['order.status'], lieferstatus: ['offen'] } });
  const insert = (delivered: number): number => {
    shop.pass(1_000);
    const items = [{ menge: 1, license_codes: 1 }];
    return shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered }).id;
  };
  const waiting = insert(0);
  for (let n = 0; n < 100; n++) insert(1);
  const program = createProgram(shop, licenseCodes);
  await program.pollFor(30);
  shop.mock.state.deliverCodes(waiting, 1);
  await program.pollFor(30);
  expect(program.told.map(({ order }) => order.id)).toEqual([waiting]);
});

describe('orders paid before the baseline', () => {
  const setUpPaid = (waiting: number, delivered: number, lieferstatus?: string[]) => {
    const shop = createWatchedShop({ orders: 0, ...(lieferstatus && { set: { lieferstatus } }) });
    const insert = (count: number, codes: number) =>
      Array.from({ length: count }, () => {
        shop.pass(1_000);
        const items = [{ menge: 2, license_codes: 2 }];
        return shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: codes }).id;
      });
    const ids = insert(waiting, 0);
    insert(delivered, 2);
    const program = createProgram(shop, licenseCodes);
    const pollFor = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        shop.pass(minuteMs);
        await program.poll();
      }
    };
    return { ids, shop, program, pollFor, state: shop.mock.state };
  };

  test('codes that arrive before the first read of the order are new', async () => {
    const { ids, program, pollFor, state } = setUpPaid(100, 0);
    await program.poll();
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(program.told)).size).toBe(200);
    expect(program.told).toHaveLength(200);
  });

  test('codes that arrive while n8n is down are new, even if n8n did not save the state of earlier polls', async () => {
    const { ids, program, pollFor, state } = setUpPaid(100, 100);
    await program.poll();
    await pollFor(20);
    await program.poll({ die: 'afterSave' });
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(program.told)).size).toBe(200);
  });

  test('reports codes as new even if the order is completed before a list shows their delivery', async () => {
    const { ids, program, pollFor, state } = setUpPaid(60, 100);
    await program.poll({ requests: 12 });
    for (const id of ids) {
      state.deliverCodes(id, 2);
      state.setStatus(id, 'abgeschlossen');
    }
    await pollFor(90);
    expect(new Set(idsOf(program.told)).size).toBe(120);
  });

  test('reports codes as new if they arrive before and after the first read, and the order is then completed', async () => {
    const { ids, shop, program, pollFor, state } = setUpPaid(100, 0);
    await program.poll();
    for (const id of ids) state.deliverCodes(id, 1);
    for (let poll = 0; poll < 3; poll++) {
      shop.pass(1_000);
      await program.poll();
    }
    for (const id of ids) {
      state.deliverCodes(id, 1);
      state.setStatus(id, 'abgeschlossen');
    }
    await pollFor(90);
    expect(new Set(idsOf(program.told)).size).toBe(200);
    expect(program.told).toHaveLength(200);
  });

  test('codes are new if they arrive after the program selects `licenseCodeAvailable`', async () => {
    const shop = createWatchedShop({ orders: 0 });
    const insert = (delivered: number) => {
      shop.pass(1_000);
      const items = [{ menge: 2, license_codes: 2 }];
      return shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered }).id;
    };
    const [waiting, complete] = [insert(0), insert(2)];
    const before = createProgram(shop, { ...everything, events: ['statusChanged'] });
    await before.settle(3);
    const program = createProgram(
      shop,
      { ...everything, events: ['statusChanged', 'licenseCodeAvailable'] },
      before.saved(),
    );
    await program.settle(3);
    shop.mock.state.deliverCodes(waiting, 2);
    shop.mock.state.setStatus(complete, 'abgeschlossen');
    await program.settle(8);
    expect(program.told.filter(({ event }) => event === 'licenseCodeAvailable').map(({ order }) => order.id)).toEqual([
      waiting,
      waiting,
    ]);
  });

  test('existing codes are not new when the order is completed', async () => {
    const { program, pollFor, state } = setUpPaid(0, 100);
    await program.poll({ requests: 12 });
    for (const id of program.state().orders.keys()) state.setStatus(Number(id), 'abgeschlossen');
    await pollFor(90);
    expect(program.told).toEqual([]);
    expect(program.awaited()).toEqual([]);
  });

  test('existing codes are not new if the order is read again because it seemed to be missing from a page', async () => {
    const { ids, shop, program, pollFor } = setUpPaid(3, 3);
    await program.poll();
    await pollFor(12);
    const state = program.state();
    const delivered = [...state.orders.keys()].filter((id) => !ids.includes(Number(id)));
    expect(delivered).toHaveLength(3);
    for (const id of delivered) {
      state.orders.set(id, { ...(state.orders.get(id) as Known), due: { gone: 0 } });
    }
    const next = createProgram(shop, licenseCodes, saveState(state));
    await next.pollFor(3);
    expect(idsOf(next.told)).toEqual([]);
    expect(next.state().orders.get(String(delivered[0]))?.due).toEqual({});
  });

  test('of those with the same delivery status, reads only the newest 1,500', async () => {
    const { shop, program } = setUpPaid(0, 1_520);
    await program.poll();
    const state = program.state();
    const ids = [...state.orders.keys()];
    for (const id of ids.slice(0, 1_490)) {
      state.orders.set(id, { ...(state.orders.get(id) as Known), codes: undefined });
    }
    await createProgram(shop, licenseCodes, saveState(state)).pollFor(4);
    const wasRead = ids.slice(1_490).map((id) => shop.mock.journal.count({ id: Number(id) }) > 0);
    expect(wasRead).toEqual(ids.slice(1_490).map((_, index) => index < 10));
  });

  test('existing codes are not new if no list field shows them', async () => {
    const { ids, program, pollFor, state } = setUpPaid(20, 100, ['-', '-', '-']);
    await program.poll();
    await pollFor(60);
    for (const id of ids) state.deliverCodes(id, 1);
    await pollFor(30);
    expect(program.told).toHaveLength(20);
  });
});

test('if no search finds an order for ten minutes, reports its codes without list fields', async () => {
  const shop = createWatchedShop({ orders: 300 });
  const program = createProgram(shop, { ...licenseCodes, watch: 'open' });
  await program.pollFor(12);
  const [{ createdAt } = { createdAt: 0 }] = shop.mock.state.orders('business').page(200, 1);
  const created_at = new Date(createdAt + 1_000).toISOString();
  const items = [{ menge: 2, license_codes: 2 }];
  const { id } = shop.mock.state.insertOrder('business', { status: 'ausstehend', created_at, items });
  await program.pollFor(12);
  shop.mock.state.setStatus(id, 'abgeschlossen');
  await program.pollFor(20);
  expect(program.told.map(({ order }) => [order.id, order.created_at])).toEqual([
    [id, null],
    [id, null],
  ]);
});

test('if no search finds an order paid before the baseline, drops its codes with a warning and stops searching', async () => {
  const shop = createWatchedShop({ orders: 3_000 });
  const [{ createdAt } = { createdAt: 0 }] = shop.mock.state.orders('business').page(2_000, 1);
  // The search by number does not find the order, because its number is out of sequence.
  const created_at = new Date(createdAt + 1_000).toISOString();
  const items = [{ menge: 2, license_codes: 2 }];
  const { id } = shop.mock.state.insertOrder('business', { status: 'bezahlt', created_at, items });
  const program = createProgram(shop, licenseCodes);
  await program.poll();
  const state = program.state();
  expect(state.orders.has(String(id))).toBe(true);
  const codes = { since: 0, delivery: 'x', undecidedSince: 0 };
  state.orders.set(String(id), { status: 'bezahlt', reached: 1, due: {}, codes });
  shop.mock.state.setStatus(id, 'abgeschlossen');
  const next = createProgram(shop, licenseCodes, saveState(state));
  await next.pollFor(75);
  expect(next.told).toEqual([]);
  expect(next.warnings.filter((warning) => warning.includes(`codes of order ${id} are not reported`))).toHaveLength(1);
  expect(next.state().orders.has(String(id))).toBe(false);
});

test('reports the codes of one order in linear time', async () => {
  let told: readonly { eventId: string }[] = [];
  const work = await growth(500, async (size) => {
    const { program, insert, pollFor } = await setUp();
    insert(size, size);
    ({ told } = program);
    return () => pollFor(1);
  });
  expect(work).toBeLessThan(2.5);
  expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(4_000);
});

test('an order with more codes than the state may hold does not end the wait for the codes of others', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  const older = insert(2, 1);
  await pollFor(3);
  const items = [1, 2, 3].map(() => ({ menge: 7_000, license_codes: 7_000 }));
  shop.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: 20_500 });
  await pollFor(3);
  shop.mock.state.deliverCodes(older, 1);
  await pollFor(10);
  expect(program.told.filter(({ order }) => order.id === older)).toHaveLength(2);
});

test('finds 200,000 new codes in one order', () => {
  const license_codes = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  const order = { id: 1, status: 'bezahlt', items: [{ id: 2, license_codes }] } as unknown as Order;
  const known: Known = { status: 'bezahlt', reached: 1, due: {}, codes: { since: 0, known: [] } };
  const terms = { now: 7, selection: selectionOf(licenseCodes), roundOf: () => 1 };
  expect(compare(known, { id: '1', order }, terms).events).toHaveLength(200_000);
});

test('an order whose read failed once is read again, even if more orders are due than one poll can read', async () => {
  const { shop, program, insert, pollFor } = await setUp();
  shop.mock.set({ lieferstatus: ['-', '-', '-'] });
  const [id = 0] = Array.from({ length: 100 }, () => insert(2, 1));
  await pollFor(30);
  shop.broken.add(id);
  const hasFailed = (): boolean => program.warnings.join().includes(`Order ${id} could not be read`);
  for (let minute = 0; minute < 60 && !hasFailed(); minute++) await pollFor(1);
  shop.broken.clear();
  shop.mock.state.deliverCodes(id, 1);
  const before = program.told.length;
  await pollFor(30);
  expect(hasFailed()).toBe(true);
  expect(program.told.slice(before).map(({ order }) => order.id)).toEqual([id]);
});
