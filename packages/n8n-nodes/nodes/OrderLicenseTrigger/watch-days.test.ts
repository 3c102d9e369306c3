import { expect, test } from 'vitest';
import type { Happening } from './happening';
import type { Wanted } from './observe';
import {
  createVirtualService,
  createVirtualTrigger,
  everything,
  start,
  type VirtualTrigger,
} from './virtual-service.fixture';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const short = ({ event, order }: Happening) => `${event} ${order.id}`;
const watchedIds = (trigger: VirtualTrigger) => Object.keys(trigger.watch()?.orders ?? {});

/** A service with one order for every day up to the start; every fifth is paid, the others are completed. */
const serviceOf = (orders: number) => {
  const service = createVirtualService({ orders: 0 });
  for (let n = orders; n > 0; n--) {
    const status = n % 5 ? 'abgeschlossen' : 'bezahlt';
    service.mock.state.insertOrder('business', { status, createdAt: start - n * dayMs, items: [{ quantity: 1 }] });
  }
  return service;
};

test('closed orders whose codes nobody waits for are forgotten when their time is over', async () => {
  const service = createVirtualService({ orders: 0 });
  const all = createVirtualTrigger(service, everything, 30 * dayMs);
  const paidOnly = createVirtualTrigger(
    service,
    { events: ['licenseCodesAvailable'], statuses: ['bezahlt'] },
    30 * dayMs,
  );
  for (const trigger of [all, paidOnly]) await trigger.poll();
  for (let n = 0; n < 20; n++)
    service.mock.state.insertOrder('business', { status: n % 2 ? 'storniert' : 'abgeschlossen' });
  for (const trigger of [all, paidOnly]) await trigger.settle();
  expect(watchedIds(paidOnly)).toHaveLength(20);
  service.pass(400 * dayMs);
  for (const trigger of [all, paidOnly]) await trigger.settle();
  expect(watchedIds(all)).toEqual([]);
  expect(watchedIds(paidOnly)).toEqual([]);
});

test('orders that came in during an outage longer than Watch Days are told, and only they', async () => {
  const service = serviceOf(120);
  const trigger = createVirtualTrigger(service, everything, dayMs);
  await trigger.settle();
  const ids = Array.from({ length: 60 }, () => {
    service.pass(minuteMs);
    return service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] }).id;
  });
  service.pass(2.5 * dayMs);
  for (let poll = 0; poll < 100; poll++) await trigger.poll({ requests: 3 });
  service.pass(10 * dayMs);
  await trigger.settle();
  const told = trigger.told.map(short).sort();
  expect(told).toEqual(ids.flatMap((id) => [`newOrder ${id}`, `licenseCodesAvailable ${id}`]).sort());
  expect(watchedIds(trigger).filter((id) => ids.includes(Number(id)))).toEqual([]);
});

test.each([365, -365, -20_000])(
  'a clock that is %d days wrong for some polls neither skips nor makes old orders new',
  async (days) => {
    const service = serviceOf(300);
    const trigger = createVirtualTrigger(service, everything);
    await trigger.settle();
    const insert = () => {
      service.pass(minuteMs);
      return service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] }).id;
    };
    const before = insert();
    service.setClockError(days * dayMs);
    await trigger.poll();
    const meanwhile = insert();
    await trigger.poll();
    service.setClockError(0);
    await trigger.poll();
    const after = insert();
    await trigger.settle();
    const ids = [before, meanwhile, after];
    expect(trigger.told.map(short).sort()).toEqual(
      ids.flatMap((id) => [`newOrder ${id}`, `licenseCodesAvailable ${id}`]).sort(),
    );
  },
);

test('a watch begun while the clock is wrong tells what comes in once it is right', async () => {
  for (const orders of [0, 120]) {
    const service = serviceOf(orders);
    service.setClockError(365 * dayMs);
    const trigger = createVirtualTrigger(service, everything);
    await trigger.poll();
    service.setClockError(0);
    service.pass(minuteMs);
    await trigger.poll();
    const { id } = service.mock.state.insertOrder('business', { items: [] });
    await trigger.settle();
    expect(trigger.told.map(short)).toEqual([`newOrder ${id}`]);
  }
});

test('a look for codes that a wrong clock put off is taken at the right time', async () => {
  const service = createVirtualService({ orders: 0, set: { lieferstatus: ['-', '-', '-'] } });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ quantity: 1 }],
    delivered: 0,
  });
  await trigger.poll();
  service.setClockError(30 * dayMs);
  service.pass(5 * minuteMs);
  await trigger.poll();
  service.setClockError(0);
  service.mock.state.deliverCodes(id);
  await trigger.settle();
  expect(trigger.told.map(short)).toEqual([`newOrder ${id}`, `licenseCodesAvailable ${id}`]);
});

test('a saved beginning that is no time is mended, and old orders are not new then', async () => {
  for (const from of [null, start + 400 * dayMs]) {
    const service = serviceOf(120);
    const other = createVirtualTrigger(service, everything);
    await other.poll();
    const trigger = createVirtualTrigger(service, everything);
    const at = { stage: 'missing', page: 1 };
    trigger.resume(JSON.stringify({ ...other.watch(), orders: {}, from, at, turn: 1 }));
    await trigger.poll();
    const { id } = service.mock.state.insertOrder('business', { items: [] });
    await trigger.settle();
    expect(trigger.told.map(short)).toEqual([`newOrder ${id}`]);
  }
});

/** An order of 400 days ago that is paid, known, and read. */
const withOldOrder = async (delivered: number) => {
  const service = createVirtualService({ orders: 0, set: { lieferstatus: ['-', '-', '-'] } });
  const items = [{ quantity: 2 }];
  const order = { status: 'bezahlt' as const, createdAt: start - 400 * dayMs, items, delivered };
  const { id } = service.mock.state.insertOrder('business', order);
  const wanted: Wanted = { events: ['licenseCodesAvailable'], statuses: [] };
  const trigger = createVirtualTrigger(service, wanted, 30 * dayMs);
  await trigger.settle();
  service.pass(100 * dayMs);
  await trigger.settle();
  return { service, trigger, id };
};

test('U-13 a code that follows after an old order was completed is told', async () => {
  const { service, trigger, id } = await withOldOrder(0);
  service.mock.state.setStatus(id, 'abgeschlossen');
  service.mock.state.deliverCodes(id, 1);
  await trigger.poll();
  service.pass(2 * minuteMs);
  service.mock.state.deliverCodes(id);
  for (let poll = 0; poll < 60; poll++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(trigger.told).toHaveLength(2);
  await trigger.settle();
  expect(watchedIds(trigger)).toEqual([]);
});

test('an old order that waits for codes in vain is forgotten after Watch Days', async () => {
  const { service, trigger, id } = await withOldOrder(0);
  service.mock.state.setStatus(id, 'abgeschlossen');
  await trigger.settle();
  service.pass(20 * dayMs);
  await trigger.settle();
  expect(watchedIds(trigger)).toEqual([String(id)]);
  service.pass(11 * dayMs);
  await trigger.settle();
  expect(watchedIds(trigger)).toEqual([]);
});

test('an old order that cannot be read for a minute when it is completed keeps its codes', async () => {
  const { service, trigger, id } = await withOldOrder(0);
  service.mock.state.setStatus(id, 'abgeschlossen');
  service.mock.state.deliverCodes(id);
  const { getOrder } = service.client;
  let reads = 0;
  service.client.getOrder = async (...call) => (++reads <= 2 ? getOrder(1) : getOrder(...call));
  for (let poll = 0; poll < 20; poll++) {
    await trigger.poll();
    service.pass(30_000);
  }
  expect(trigger.unreadable).toEqual([String(id), String(id)]);
  expect(trigger.told).toHaveLength(2);
});
