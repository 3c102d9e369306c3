import { describe, expect, test } from 'vitest';
import { writeState } from '../state/saved-state';
import type { TriggerState } from '../state/trigger-state';
import type { EventName } from '../trigger-event';
import {
  createVirtualService,
  createVirtualTrigger,
  dayMs,
  everything,
  hourMs,
  idsOf,
  minuteMs,
} from '../virtual-service.fixture';

const licenseCodes = { ...everything, events: ['licenseCodesAvailable'] as EventName[] };

const setUp = async (subscription = licenseCodes) => {
  const service = createVirtualService({ orders: 30 });
  const trigger = createVirtualTrigger(service, subscription);
  for (let poll = 0; poll < 5; poll++) await trigger.poll();
  const insert = (codes: number, delivered: number) =>
    service.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: codes, license_codes: codes }],
      delivered,
    }).id;
  const pollFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      service.pass(minuteMs);
      await trigger.poll();
    }
  };
  return { service, trigger, insert, pollFor };
};

test('codes that an order had before it was watched are not reported', async () => {
  const { trigger } = await setUp();
  expect(trigger.reported).toEqual([]);
});

test('codes that come one after another are reported each once, under IDs of their own', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  const id = insert(3, 1);
  await trigger.poll();
  expect(trigger.reported).toHaveLength(1);
  service.mock.state.deliverCodes(id, 1);
  await pollFor(3);
  service.mock.state.deliverCodes(id, 1);
  await pollFor(3);
  expect(trigger.reported).toHaveLength(3);
  expect(new Set(idsOf(trigger.reported)).size).toBe(3);
  await pollFor(10);
  const reads = service.mock.journal.count({ id });
  await pollFor(60);
  expect(service.mock.journal.count({ id })).toBe(reads);
});

test('a code beyond one for each piece is reported when the list shows another state of its order [U-14]', async () => {
  const { service, trigger, pollFor } = await setUp();
  const insert = () =>
    service.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: 1, license_codes: 2 }],
      delivered: 1,
    }).id;
  const [delivered, completed] = [insert(), insert()];
  await pollFor(20);
  expect(trigger.reported).toHaveLength(2);
  service.mock.state.deliverCodes(delivered, 1);
  service.mock.set({ lieferstatus: ['-', '-', '-'] });
  await pollFor(10);
  service.mock.state.deliverCodes(completed, 1);
  service.mock.state.setStatus(completed, 'abgeschlossen');
  await pollFor(20);
  const ofOrder = (id: number) => trigger.reported.filter(({ order }) => order.id === id).length;
  expect([ofOrder(delivered), ofOrder(completed)]).toEqual([2, 2]);
  expect(new Set(idsOf(trigger.reported)).size).toBe(4);
  expect([...(trigger.state()?.awaited.keys() ?? [])]).not.toContain(String(completed));
});

test('two codes with one ID are reported under IDs of their own', async () => {
  const { service, trigger, pollFor } = await setUp();
  const license_codes = [1, 2, 3].map((n) => ({ id: 7, license_key: `KEY-${n}` }));
  const { id } = service.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ menge: 3, license_codes }],
    delivered: 2,
  });
  await pollFor(2);
  service.mock.state.deliverCodes(id, 1);
  await pollFor(10);
  const keys = trigger.reported.map((event) => event.event === 'licenseCodesAvailable' && event.code.license_key);
  expect(keys).toEqual(['KEY-1', 'KEY-2', 'KEY-3']);
  expect(new Set(idsOf(trigger.reported)).size).toBe(3);
});

test.each(['500', 'nullData'])('an order that always answers with %s holds up the codes of no other', async (kind) => {
  const { service, trigger, insert, pollFor } = await setUp();
  const broken = [insert(1, 1), insert(1, 1)];
  for (const id of broken) service.mock.faults.add({ kind: kind as '500', id, times: 'always' });
  const whole = insert(1, 1);
  await pollFor(2);
  expect(trigger.reported.map(({ order }) => order.id)).toEqual([whole]);
  expect(trigger.warnings.join()).toContain(`Could not read order ${broken[0]}`);
  service.mock.faults.clear();
  await pollFor(10);
  expect(trigger.reported.map(({ order }) => order.id).sort()).toEqual([...broken, whole].sort());
});

test('a poll ends when the service fails at three orders', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  const ids = Array.from({ length: 8 }, () => insert(1, 1));
  service.mock.faults.add({ kind: '500', operation: 'order', times: 'always' });
  const before = service.sent();
  expect((await trigger.poll()).error).toMatchObject({ code: 'server' });
  expect(service.sent() - before).toBeLessThan(8);
  service.mock.faults.clear();
  await pollFor(3);
  expect(trigger.reported.map(({ order }) => order.id).sort()).toEqual(ids);
});

test('orders that were paid before displace no new order whose codes are missing', async () => {
  const service = createVirtualService({ orders: 0 });
  const insert = () => {
    service.pass(1_000);
    const items = [{ menge: 1, license_codes: 1 }];
    return service.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: 0 }).id;
  };
  for (let n = 0; n < 60; n++) insert();
  const first = createVirtualTrigger(service, licenseCodes);
  await first.poll({ requests: 4 });
  const id = insert();
  await first.poll({ requests: 1 });
  const state = first.state() as TriggerState;
  expect([...state.awaited.keys()]).toEqual([String(id)]);
  const now = Math.floor(service.mock.clock.now() / 1000);
  for (let n = 1; n < 2_000; n++) {
    const known = new Map();
    const later = { since: now + 3_600, due: now + 7_200, isUrgent: false, fingerprint: '', known };
    state.awaited.set(String(9_000_000 + n), later);
  }
  service.pass(2 * hourMs);
  const trigger = createVirtualTrigger(service, licenseCodes, writeState(state));
  await trigger.poll();
  expect([...(trigger.state()?.awaited.keys() ?? [])]).toContain(String(id));
});

test('codes of a new order without a date are reported though a list by status shows it first [U-24]', async () => {
  const service = createVirtualService({ orders: 30, set: { dates: 'null' } });
  const trigger = createVirtualTrigger(service, licenseCodes);
  await trigger.settle(3);
  service.pass(10 * minuteMs);
  const ids: number[] = [];
  const stop = service.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') ids.push(service.mock.state.insertOrder('business', { status: 'bezahlt' }).id);
  });
  await trigger.settle(8);
  stop();
  await trigger.settle(2);
  expect(trigger.reported.map(({ order }) => order.id)).toEqual(ids);
});

test('codes are found within ten minutes on the first day, where no field of the list shows them', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  service.mock.set({ lieferstatus: ['-', '-', '-'] });
  const id = insert(1, 0);
  await pollFor(300);
  service.mock.state.deliverCodes(id, 1);
  await pollFor(10);
  expect(idsOf(trigger.reported)).toHaveLength(1);
});

test('an order that never gets codes is read less and less often, and given up after 90 days', async () => {
  const { service, trigger, insert } = await setUp();
  insert(1, 0);
  const before = service.sent();
  for (let day = 0; day < 91; day++) {
    for (let poll = 0; poll < 6; poll++) {
      service.pass(dayMs / 6);
      await trigger.poll();
    }
  }
  const reads = service.mock.journal.entries().filter(({ path }) => /orders\/\d/.test(path)).length;
  expect(service.sent() - before).toBeGreaterThan(500);
  expect(reads).toBeLessThan(120);
  expect(trigger.state()?.awaited.size).toBe(0);
  expect(trigger.warnings.join()).toContain('Stopped waiting');
});

test('codes of a status that is not asked for are reported when the order has that status', async () => {
  const { service, trigger, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['abgeschlossen'] });
  const id = insert(2, 2);
  await pollFor(3);
  expect(trigger.reported).toEqual([]);
  service.mock.state.setStatus(id, 'abgeschlossen');
  await pollFor(10);
  expect(trigger.reported).toHaveLength(2);
});

test('an order that is cancelled is not waited for', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  const id = insert(2, 1);
  await trigger.poll();
  service.mock.state.setStatus(id, 'storniert');
  await pollFor(5);
  expect([...(trigger.state()?.awaited.keys() ?? [])]).not.toContain(String(id));
});

test('of the orders that were paid before, those that still wait for codes are read first', async () => {
  const service = createVirtualService({ orders: 0 });
  const insert = (delivered: number) =>
    service.mock.state.insertOrder('business', {
      status: 'bezahlt',
      items: [{ menge: 1, license_codes: 1 }],
      delivered,
    }).id;
  const waiting = insert(0);
  for (let n = 0; n < 300; n++) insert(1);
  const trigger = createVirtualTrigger(service, licenseCodes);
  await trigger.poll();
  expect(trigger.state()?.orders.get(String(waiting))?.before).toBeUndefined();
  service.mock.state.deliverCodes(waiting, 1);
  service.pass(2 * minuteMs);
  await trigger.poll();
  expect(trigger.reported.map(({ order }) => order.id)).toEqual([waiting]);
});

describe('of orders that were paid before', () => {
  const setUpPaid = (waiting: number, delivered: number, lieferstatus?: string[]) => {
    const service = createVirtualService({ orders: 0, ...(lieferstatus && { set: { lieferstatus } }) });
    const insert = (count: number, codes: number) =>
      Array.from({ length: count }, () => {
        service.pass(1_000);
        const items = [{ menge: 2, license_codes: 2 }];
        return service.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: codes }).id;
      });
    const ids = insert(waiting, 0);
    insert(delivered, 2);
    const trigger = createVirtualTrigger(service, licenseCodes);
    const pollFor = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        service.pass(minuteMs);
        await trigger.poll();
      }
    };
    return { ids, trigger, pollFor, state: service.mock.state };
  };

  test('codes are new that come before the order is read for the first time', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(100, 0);
    await trigger.poll();
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(trigger.reported)).size).toBe(200);
    expect(trigger.reported).toHaveLength(200);
  });

  test('codes are new that come while n8n is down, though quiet polls before that were not saved', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(100, 100);
    await trigger.poll();
    await pollFor(20);
    await trigger.poll({ die: 'afterSave' });
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(trigger.reported)).size).toBe(200);
  });

  test('codes are new where the order is completed before its list shows them', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(60, 100);
    await trigger.poll({ requests: 12 });
    for (const id of ids) {
      state.deliverCodes(id, 2);
      state.setStatus(id, 'abgeschlossen');
    }
    await pollFor(90);
    expect(new Set(idsOf(trigger.reported)).size).toBe(120);
  });

  test('codes are new from the moment on when they are added to the events of a trigger', async () => {
    const service = createVirtualService({ orders: 0 });
    const insert = (delivered: number) => {
      service.pass(1_000);
      const items = [{ menge: 2, license_codes: 2 }];
      return service.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered }).id;
    };
    const [waiting, complete] = [insert(0), insert(2)];
    const before = createVirtualTrigger(service, { ...everything, events: ['statusChanged'] });
    await before.settle(3);
    const trigger = createVirtualTrigger(
      service,
      { ...everything, events: ['statusChanged', 'licenseCodesAvailable'] },
      before.saved(),
    );
    await trigger.settle(3);
    service.mock.state.deliverCodes(waiting, 2);
    service.mock.state.setStatus(complete, 'abgeschlossen');
    await trigger.settle(8);
    expect(
      trigger.reported.filter(({ event }) => event === 'licenseCodesAvailable').map(({ order }) => order.id),
    ).toEqual([waiting, waiting]);
  });

  test('codes that were there are not new when the order is completed', async () => {
    const { trigger, pollFor, state } = setUpPaid(0, 100);
    await trigger.poll({ requests: 12 });
    for (const id of trigger.state()?.orders.keys() ?? []) state.setStatus(Number(id), 'abgeschlossen');
    await pollFor(90);
    expect(trigger.reported).toEqual([]);
    expect(trigger.state()?.awaited.size).toBe(0);
  });

  test('codes that were there are not new where no field of the list shows them', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(20, 100, ['-', '-', '-']);
    await trigger.poll();
    await pollFor(60);
    for (const id of ids) state.deliverCodes(id, 1);
    await pollFor(30);
    expect(trigger.reported).toHaveLength(20);
  });
});
