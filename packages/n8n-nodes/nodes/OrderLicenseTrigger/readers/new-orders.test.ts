import { expect, test } from 'vitest';
import {
  createVirtualService,
  createVirtualTrigger,
  everything,
  idsOf,
  minuteMs,
  start,
} from '../virtual-service.fixture';

const newOrders = { ...everything, events: ['newOrder' as const] };

const setUp = async (options: Parameters<typeof createVirtualService>[0] = {}) => {
  const service = createVirtualService({ orders: 300, ...options });
  const trigger = createVirtualTrigger(service, newOrders);
  await trigger.poll();
  const insert = (count = 1, createdAt?: number): number[] =>
    Array.from({ length: count }, () => {
      service.pass(1_000);
      return service.mock.state.insertOrder('business', {
        status: 'ausstehend',
        items: [],
        ...(createdAt && { created_at: new Date(createdAt).toISOString() }),
      }).id;
    });
  return { service, trigger, insert };
};
const eventIds = (ids: number[]): string[] => ids.map((id) => `new-order:${id}`);

test('the first poll reports nothing and sends one request', async () => {
  const { service, trigger } = await setUp();
  expect(trigger.reported).toEqual([]);
  expect(service.sent()).toBe(1);
});

test('an idle poll sends one request', async () => {
  const { service, trigger } = await setUp();
  await trigger.poll();
  expect(service.sent()).toBe(2);
});

test('reports new orders once, oldest first', async () => {
  const { trigger, insert } = await setUp();
  const ids = insert(7);
  await trigger.poll();
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual(eventIds(ids));
});

test('the first order in an empty account is new', async () => {
  const { trigger, insert } = await setUp({ orders: 0 });
  const ids = insert();
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual(eventIds(ids));
});

test('reads the list down to the first known order', async () => {
  const { service, trigger, insert } = await setUp();
  const ids = insert(120);
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual(eventIds(ids));
  expect(service.sent()).toBe(4);
});

test('after an outage, continues from the last known order, oldest first, over many polls', async () => {
  const { service, trigger, insert } = await setUp();
  const ids = insert(1_500);
  for (let poll = 0; poll < 30; poll++) {
    await trigger.poll({ requests: 6 });
    // Orders arrive during the read.
    if (poll < 8) ids.push(...insert(3));
  }
  expect(idsOf(trigger.reported)).toEqual(eventIds(ids));
  expect(service.sent()).toBeLessThan(90);
  expect(service.mock.journal.violations()).toEqual([]);
});

test.each([
  ['the service does not count', { missing: ['pagination.total'] }],
  ['the service returns smaller pages [U-02]', { perPageMax: 20 }],
  ['orders of the same second swap places [U-09]', { tieBreak: 'shuffle' as const }],
])('skips nothing after an outage if %s', async (_name, set) => {
  const { trigger, insert } = await setUp({ set });
  const ids = insert(400);
  for (let poll = 0; poll < 12; poll++) await trigger.poll();
  expect(idsOf(trigger.reported).sort()).toEqual(eventIds(ids).sort());
});

test('reports each of a thousand orders of the same second once', async () => {
  const { trigger, insert } = await setUp();
  const ids = insert(1_000, start + 500_000);
  for (let poll = 0; poll < 20; poll++) await trigger.poll({ requests: 5 });
  expect(idsOf(trigger.reported).sort()).toEqual(eventIds(ids).sort());
});

test('the next poll continues one that ended early', async () => {
  const service = createVirtualService({ orders: 20 });
  const trigger = createVirtualTrigger(service, { ...newOrders, includeDetails: true });
  await trigger.poll();
  const ids = Array.from({ length: 5 }, () => service.mock.state.insertOrder('business', {}).id);
  await trigger.poll({ requests: 3 });
  expect(trigger.reported).toHaveLength(2);
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual(eventIds(ids));
});

const setUpDetails = async () => {
  const service = createVirtualService({ orders: 20 });
  const trigger = createVirtualTrigger(service, { ...newOrders, includeDetails: true });
  await trigger.poll();
  const [before, broken, after] = [0, 0, 0].map(() => service.mock.state.insertOrder('business', {}).id);
  const hasDetails = () => trigger.reported.map(({ order }) => 'items' in order);
  return { service, trigger, before, broken: broken as number, after, hasDetails };
};

test.each(['404', '400', 'nullData'])(
  'an order whose details always fail with %s is reported without them, and does not block others',
  async (kind) => {
    const { service, trigger, before, broken, after, hasDetails } = await setUpDetails();
    service.mock.faults.add({ kind: kind as '404', id: broken, times: 'always' });
    await trigger.poll();
    expect(idsOf(trigger.reported)).toEqual(eventIds([before, broken, after] as number[]));
    expect(hasDetails()).toEqual([true, false, true]);
    expect(trigger.warnings.join()).toContain(`Order ${broken} is reported without its details`);
  },
);

test('an order whose details fail with 500 blocks later orders for at most ten minutes', async () => {
  const { service, trigger, before, broken, after, hasDetails } = await setUpDetails();
  service.mock.faults.add({ kind: '500', id: broken, times: 'always' });
  for (let poll = 0; poll < 10; poll++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(idsOf(trigger.reported)).toEqual(eventIds([before as number]));
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual(eventIds([before, broken, after] as number[]));
  expect(hasDetails()).toEqual([true, false, true]);
});

test('reports orders with details once the service recovers', async () => {
  const { service, trigger, hasDetails } = await setUpDetails();
  service.mock.faults.add({ kind: '500', operation: 'order', times: 3 });
  for (let poll = 0; poll < 5; poll++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(hasDetails()).toEqual([true, true, true]);
});
