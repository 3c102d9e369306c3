import { expect, test } from 'vitest';
import {
  createVirtualService,
  createVirtualTrigger,
  everything,
  start,
  type VirtualTrigger,
} from './virtual-service.fixture';

const minuteMs = 60_000;
const tenYears = 3650 * 1440 * minuteMs;

const endBaseline = async (trigger: VirtualTrigger, requests: number): Promise<void> => {
  do await trigger.poll({ requests });
  while (trigger.watch()?.baseline);
};

test('codes that come to a paid order ten minutes after the start are told, however many orders are there', async () => {
  const service = createVirtualService({ orders: 300 });
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', delivered: 0 });
  const trigger = createVirtualTrigger(service, everything);
  for (let minute = 0; minute < 60; minute++) {
    if (minute === 10) service.mock.state.deliverCodes(id);
    await trigger.poll({ requests: 30 });
    service.pass(minuteMs);
  }
  expect(trigger.told.map(({ event, order }) => `${event} ${order.id}`)).toEqual([`licenseCodesAvailable ${id}`]);
});

test('an order that slides past the page being read is not new', async () => {
  const service = createVirtualService({ orders: 120 });
  const { listOrders } = service.client;
  let gone: unknown;
  // The eleventh order vanishes once the first page was read.
  service.client.listOrders = async (options) => {
    const list = await listOrders(options);
    if (options?.status) return list;
    const page = options?.page ?? 1;
    const next = page < 3 ? (await listOrders({ page: page + 1, perPage: 50 })).orders : [];
    const shifted = [...list.orders.slice(1), ...next.slice(0, 1)];
    const orders = page > 1 ? shifted : [...list.orders, ...next.slice(0, 1)].filter(({ id }) => id !== gone);
    const shown = { ...list, orders: gone === undefined ? list.orders : orders };
    gone ??= list.orders[10]?.id;
    return shown;
  };
  const trigger = createVirtualTrigger(service, { ...everything, events: ['newOrder'] }, tenYears);
  await trigger.settle();
  expect(trigger.told).toEqual([]);
});

test('U-24 a first page without dates makes no order new', async () => {
  const service = createVirtualService({ orders: 140 });
  const { listOrders } = service.client;
  service.client.listOrders = async (options) => {
    const list = await listOrders(options);
    if (options?.status || options?.page !== 1) return list;
    return { ...list, orders: list.orders.map((order) => ({ ...order, created_at: '' })) };
  };
  const trigger = createVirtualTrigger(service, everything, tenYears);
  await trigger.settle();
  expect(trigger.told).toEqual([]);
});

test('U-09 orders of one second in another order at each request are not new, but for the odd one', async () => {
  let told = 0;
  for (let seed = 0; seed < 20; seed++) {
    const service = createVirtualService({ orders: 0, set: { tieBreak: 'shuffle' } });
    // How it is shuffled goes by the number of the request.
    for (let request = 0; request < seed; request++) await service.client.getMe();
    // Pairs that page ends part: 49 and 50, 99 and 100, …
    for (let n = 0; n < 199; n++) {
      service.mock.state.insertOrder('business', {
        createdAt: start - (1 + Math.floor((n + 1) / 2)) * minuteMs,
        items: [],
      });
    }
    const trigger = createVirtualTrigger(service, { ...everything, events: ['newOrder'] });
    await endBaseline(trigger, 1_000);
    for (let poll = 0; poll < 10; poll++) await trigger.poll();
    told += trigger.told.length;
  }
  expect(told).toBeLessThan(10);
});

test('an order with a date in the future does not hide the ones that come in while the first polls take note', async () => {
  const service = createVirtualService({ orders: 200 });
  service.mock.state.insertOrder('business', { createdAt: start + 1_000 * minuteMs, items: [] });
  const trigger = createVirtualTrigger(service, { ...everything, events: ['newOrder'] });
  await trigger.poll({ requests: 1 });
  service.pass(minuteMs);
  const { id } = service.mock.state.insertOrder('business', { items: [] });
  await endBaseline(trigger, 2);
  await trigger.settle();
  expect(trigger.told.map(({ order }) => order.id)).toEqual([id]);
});
