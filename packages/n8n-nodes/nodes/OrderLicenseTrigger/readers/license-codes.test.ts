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

test('does not report codes that an order had before it was watched', async () => {
  const { trigger } = await setUp();
  expect(trigger.reported).toEqual([]);
});

test('reports codes that arrive one by one once each, with distinct event IDs', async () => {
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

test('reports a code beyond the quantity when a state of its order changes in the list [U-14]', async () => {
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

test('reports two codes with the same ID under distinct event IDs', async () => {
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

test.each(['500', 'nullData'])(
  'an order that always fails with %s does not block the codes of others',
  async (kind) => {
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
  },
);

test('a poll ends after the service fails for three orders', async () => {
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

test('orders paid before activation do not displace a new order without codes', async () => {
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

test('reports codes of a new order without a date even if a status list shows it first [U-24]', async () => {
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

test('finds codes within ten minutes on the first day if no list field shows them', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  service.mock.set({ lieferstatus: ['-', '-', '-'] });
  const id = insert(1, 0);
  await pollFor(300);
  service.mock.state.deliverCodes(id, 1);
  await pollFor(10);
  expect(idsOf(trigger.reported)).toHaveLength(1);
});

test('reads an order that never gets codes less and less often, and gives up after 90 days', async () => {
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

test('reports codes once their order reaches a selected status', async () => {
  const { service, trigger, insert, pollFor } = await setUp({ ...licenseCodes, statuses: ['abgeschlossen'] });
  const id = insert(2, 2);
  await pollFor(3);
  expect(trigger.reported).toEqual([]);
  service.mock.state.setStatus(id, 'abgeschlossen');
  await pollFor(10);
  expect(trigger.reported).toHaveLength(2);
});

test('stops waiting for the codes of a cancelled order', async () => {
  const { service, trigger, insert, pollFor } = await setUp();
  const id = insert(2, 1);
  await trigger.poll();
  service.mock.state.setStatus(id, 'storniert');
  await pollFor(5);
  expect([...(trigger.state()?.awaited.keys() ?? [])]).not.toContain(String(id));
});

test('of the orders paid before activation, reads those without codes first', async () => {
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

describe('orders paid before activation', () => {
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

  test('codes that arrive before the first read of the order are new', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(100, 0);
    await trigger.poll();
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(trigger.reported)).size).toBe(200);
    expect(trigger.reported).toHaveLength(200);
  });

  test('codes that arrive while n8n is down are new, even if n8n did not save the polls before', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(100, 100);
    await trigger.poll();
    await pollFor(20);
    await trigger.poll({ die: 'afterSave' });
    for (const id of ids) state.deliverCodes(id, 2);
    await pollFor(120);
    expect(new Set(idsOf(trigger.reported)).size).toBe(200);
  });

  test('codes are new if the order is completed before its list shows them', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(60, 100);
    await trigger.poll({ requests: 12 });
    for (const id of ids) {
      state.deliverCodes(id, 2);
      state.setStatus(id, 'abgeschlossen');
    }
    await pollFor(90);
    expect(new Set(idsOf(trigger.reported)).size).toBe(120);
  });

  test('codes that arrive after their event is added to a trigger are new', async () => {
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

  test('existing codes are not new when the order is completed', async () => {
    const { trigger, pollFor, state } = setUpPaid(0, 100);
    await trigger.poll({ requests: 12 });
    for (const id of trigger.state()?.orders.keys() ?? []) state.setStatus(Number(id), 'abgeschlossen');
    await pollFor(90);
    expect(trigger.reported).toEqual([]);
    expect(trigger.state()?.awaited.size).toBe(0);
  });

  test('existing codes are not new if no list field shows them', async () => {
    const { ids, trigger, pollFor, state } = setUpPaid(20, 100, ['-', '-', '-']);
    await trigger.poll();
    await pollFor(60);
    for (const id of ids) state.deliverCodes(id, 1);
    await pollFor(30);
    expect(trigger.reported).toHaveLength(20);
  });
});
