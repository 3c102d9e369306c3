import { describe, expect, test } from 'vitest';
import type { EventName } from '../trigger-event';
import {
  createVirtualService,
  createVirtualTrigger,
  dayMs,
  everything,
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
  expect([...(trigger.state()?.awaited.keys() ?? [])]).not.toContain(String(id));
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
