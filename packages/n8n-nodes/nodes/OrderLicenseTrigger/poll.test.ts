import { settingDefinitions } from '@order-license/mock-api';
import { expect, test } from 'vitest';
import type { Happening } from './happening';
import type { Wanted } from './observe';
import { createVirtualService, createVirtualTrigger, everything, start } from './virtual-service.fixture';

const dayMs = 86_400_000;
const only = (...events: Wanted['events']): Wanted => ({ events, statuses: [] });
const short = ({ event, order }: Happening) => `${event} ${order.id} ${order.status}`;

test('the first polls take note of what is there and tell nothing, however many they are', async () => {
  const service = createVirtualService({ orders: 500 });
  const trigger = createVirtualTrigger(service, everything);
  do await trigger.poll({ requests: 3 });
  while (trigger.watch()?.baseline);
  await trigger.settle();
  expect(trigger.told).toEqual([]);
});

test('a quiet poll of a small account takes one request per 50 orders', async () => {
  const service = createVirtualService({ orders: 120 });
  const trigger = createVirtualTrigger(service, only('newOrder', 'statusChanged'), 3650 * dayMs);
  await trigger.poll();
  const before = service.sent();
  await trigger.poll();
  expect(service.sent() - before).toBe(3);
});

test('a new order is told at the next poll, even while a long sweep is under way', async () => {
  const service = createVirtualService({ orders: 2_000 });
  const trigger = createVirtualTrigger(service, only('newOrder'), 3650 * dayMs);
  await trigger.poll();
  await trigger.poll({ requests: 5 });
  const { id } = service.mock.state.insertOrder('business');
  const { happened } = await trigger.poll({ requests: 3 });
  expect(happened.map(short)).toEqual([`newOrder ${id} abgeschlossen`]);
});

test('with one request a poll every kind of work gets its turn', async () => {
  const service = createVirtualService({ orders: 150 });
  const trigger = createVirtualTrigger(service, everything, 3650 * dayMs);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', delivered: 1 });
  for (let poll = 0; poll < 20; poll++) await trigger.poll({ requests: 1 });
  service.mock.state.setStatus(id, 'abgeschlossen');
  for (let poll = 0; poll < 20; poll++) await trigger.poll({ requests: 1 });
  expect(trigger.told.map(short)).toEqual([
    `newOrder ${id} bezahlt`,
    `licenseCodesAvailable ${id} bezahlt`,
    `statusChanged ${id} abgeschlossen`,
  ]);
});

test('an open order is watched however old it is, a closed one for the days given', async () => {
  const service = createVirtualService({ orders: 0 });
  const old = service.mock.state.insertOrder('business', { status: 'ausstehend', createdAt: start - 400 * dayMs });
  const closed = service.mock.state.insertOrder('business', { createdAt: start - 400 * dayMs });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  expect(Object.keys(trigger.watch()?.orders ?? {})).toEqual([String(old.id)]);
  service.mock.state.setStatus(old.id, 'bezahlt');
  await trigger.settle();
  service.mock.state.setStatus(old.id, 'abgeschlossen');
  await trigger.settle();
  service.mock.state.insertOrder('business', { status: 'ausstehend' });
  await trigger.settle();
  expect(trigger.told.map(short)).toEqual([
    `statusChanged ${old.id} bezahlt`,
    `licenseCodesAvailable ${old.id} bezahlt`,
    `statusChanged ${old.id} abgeschlossen`,
    expect.stringContaining('newOrder'),
  ]);
  const watched = Object.keys(trigger.watch()?.orders ?? {});
  expect(watched).not.toContain(String(old.id));
  expect(watched).not.toContain(String(closed.id));
});

test.each(['empty', '404', '400', 'clamp'] as const)(
  'U-05 a filtered list that has become shorter between two polls, where a page past the end gives %s',
  async (pageBeyondLast) => {
    const service = createVirtualService({ orders: 0, set: { pageBeyondLast } });
    const ids = Array.from({ length: 120 }, (_, n) => {
      const createdAt = start - 400 * dayMs + n * 1_000;
      return service.mock.state.insertOrder('business', { status: 'bezahlt', createdAt }).id;
    });
    const trigger = createVirtualTrigger(service, only('statusChanged'));
    await trigger.poll();
    await trigger.poll({ requests: 3 });
    expect(trigger.watch()?.at).toEqual({ stage: 'bezahlt', page: 3 });
    for (const id of ids.slice(0, 80)) service.mock.state.setStatus(id, 'abgeschlossen');
    expect((await trigger.poll()).error).toBeUndefined();
    await trigger.settle();
    expect(trigger.told.map(({ order }) => order.id).sort()).toEqual(ids.slice(0, 80).sort());
  },
);

test('U-02 a service that gives smaller pages than asked for is read to its end', async () => {
  const service = createVirtualService({ orders: 130, set: { perPageMax: 20 } });
  const trigger = createVirtualTrigger(service, only('newOrder', 'statusChanged'), 3650 * dayMs);
  await trigger.poll();
  expect(Object.keys(trigger.watch()?.orders ?? {})).toHaveLength(130);
  const { id } = service.mock.state.insertOrder('business');
  await trigger.settle();
  expect(trigger.told.map(({ order }) => order.id)).toEqual([id]);
});

test('more Watch Days do not make old orders new', async () => {
  const service = createVirtualService({ orders: 0 });
  for (let n = 0; n < 60; n++) service.mock.state.insertOrder('business', { createdAt: start - (60 - n) * 5 * dayMs });
  const trigger = createVirtualTrigger(service, everything, 30 * dayMs);
  await trigger.poll();
  const longer = createVirtualTrigger(service, everything, 400 * dayMs);
  longer.resume(trigger.saved() as string);
  await longer.settle();
  expect(longer.told).toEqual([]);
  expect(Object.keys(longer.watch()?.orders ?? {}).length).toBe(60);
});

test('a new order with an earlier date is new all the same', async () => {
  const service = createVirtualService({ orders: 70 });
  const trigger = createVirtualTrigger(service, only('newOrder'), 3650 * dayMs);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { createdAt: start - 700 * dayMs });
  await trigger.settle();
  expect(trigger.told.map(({ order }) => order.id)).toEqual([id]);
});

test('U-24 orders whose dates cannot be read are told once', async () => {
  const service = createVirtualService({ orders: 70, set: { dates: 'zero' } });
  const trigger = createVirtualTrigger(service, only('newOrder'));
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business');
  await trigger.settle();
  expect(trigger.told.map(({ order }) => order.id)).toEqual([id]);
});

test('U-13 codes that follow are told as they come, each once, with one request per look', async () => {
  const service = createVirtualService({ orders: 0, set: { lieferstatus: ['-', '-', '-'] } });
  const trigger = createVirtualTrigger(service, only('licenseCodesAvailable'));
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { items: [{ quantity: 5 }], delivered: 2 });
  await trigger.poll();
  expect(trigger.told).toHaveLength(2);
  service.mock.state.deliverCodes(id, 2);
  service.pass(61_000);
  await trigger.poll();
  expect(trigger.told).toHaveLength(4);
  service.mock.state.deliverCodes(id);
  await trigger.settle();
  const codes = trigger.told.map((happening) => 'code' in happening && happening.code.id);
  expect(codes).toHaveLength(5);
  expect(new Set(codes).size).toBe(5);
  const looks = () => service.mock.journal.entries().filter(({ path }) => path.endsWith(`/${id}`)).length;
  const before = looks();
  service.pass(80 * dayMs);
  await trigger.settle();
  expect(looks()).toBe(before);
});

test('an order that waits for codes is looked at less and less often', async () => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, only('licenseCodesAvailable'));
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', delivered: 0 });
  let looks = 0;
  service.mock.journal.subscribe(({ path }) => {
    if (path.endsWith(`/${id}`)) looks += 1;
  });
  for (let minute = 0; minute < 24 * 60; minute++) {
    await trigger.poll();
    service.pass(60_000);
  }
  expect(looks).toBeGreaterThan(5);
  expect(looks).toBeLessThan(60);
});

test('the status filter looks at the status at that moment, and loses no codes', async () => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, { ...everything, statuses: ['abgeschlossen'] });
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ quantity: 2 }] });
  await trigger.settle();
  expect(trigger.told).toEqual([]);
  service.mock.state.setStatus(id, 'abgeschlossen');
  await trigger.settle();
  expect(trigger.told.map(({ event }) => event)).toEqual([
    'statusChanged',
    'licenseCodesAvailable',
    'licenseCodesAvailable',
  ]);
});

test('an event that is switched on later begins with what is there then', async () => {
  const service = createVirtualService({ orders: 20 });
  const before = createVirtualTrigger(service, only('newOrder'));
  await before.poll();
  const { id } = service.mock.state.insertOrder('business', { items: [{ quantity: 2 }], delivered: 1 });
  await before.settle();
  const after = createVirtualTrigger(service, everything);
  after.resume(before.saved() as string);
  await after.settle();
  expect(after.told).toEqual([]);
  service.mock.state.deliverCodes(id);
  await after.settle();
  expect(after.told.map(short)).toEqual([`licenseCodesAvailable ${id} abgeschlossen`]);
});

test('an order that cannot be read holds up nothing else', async () => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] });
  const { id: broken } = service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] });
  const getOrder = service.client.getOrder;
  service.client.getOrder = async (wanted, ...rest) =>
    getOrder(String(wanted) === String(broken) ? 1 : wanted, ...rest);
  await trigger.settle();
  expect(trigger.told.map(short)).toContain(`licenseCodesAvailable ${id} abgeschlossen`);
  expect(trigger.unreadable).toContain(String(broken));
});

test.each([401, 403])('a %i that a firewall answers to the read of an order fails the poll [U-43]', async (status) => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] });
  service.mock.faults.add({ kind: 'html', status, operation: 'order' });
  const { error } = await trigger.poll();
  expect(error).toMatchObject({ code: 'invalid_response', status });
  expect(trigger.unreadable).toEqual([]);
});

test('what was found before a poll fails is told, and the next poll goes on', async () => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { items: [{ quantity: 1 }] });
  service.breakAfter(1);
  const failed = await trigger.poll();
  expect(failed.happened.map(short)).toEqual([`newOrder ${id} abgeschlossen`]);
  expect(failed.error).toMatchObject({ code: 'connection' });
  service.breakAfter(undefined);
  service.pass(61_000);
  await trigger.poll();
  expect(trigger.told.map(({ event }) => event)).toEqual(['newOrder', 'licenseCodesAvailable']);
});

test('the state holds no license key, and its size goes with the orders watched', async () => {
  const service = createVirtualService({ orders: 1_000, licenseKeyPrefix: 'CANARY-' });
  const trigger = createVirtualTrigger(service, everything, 3650 * dayMs);
  await trigger.poll({ requests: 2_000 });
  for (let n = 0; n < 10; n++) service.mock.state.insertOrder('business', { items: [{ quantity: 3 }] });
  await trigger.settle();
  const saved = trigger.saved() ?? '';
  expect(trigger.told.some((happening) => 'code' in happening && happening.code.license_key.includes('CANARY-'))).toBe(
    true,
  );
  expect(saved).not.toContain('CANARY-');
  expect(Object.keys(trigger.watch()?.orders ?? {}).length).toBe(1_010);
  expect(saved.length / 1_010).toBeLessThan(160);
});

const settingCases = Object.entries(settingDefinitions).flatMap(([name, setting]) =>
  'values' in setting ? setting.values.map((value) => [name, value] as const) : [],
);

/** License codes that a service with this setting shows for an order of two; two where absent. */
const codesShown: Record<string, number> = {
  'items=empty': 0,
  'deliveredCodes=none': 0,
  'deliveredCodes=partial': 1,
  'ids=negative': 0, // no such ID can be asked for
};

test.each(settingCases)('every setting of the open points U-01 to U-63: %s=%s', async (name, value) => {
  const service = createVirtualService({ orders: 60, set: { [name]: value } });
  const trigger = createVirtualTrigger(service, everything, 3650 * dayMs);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ quantity: 2 }] });
  const { error } = await trigger.poll();
  if (value === 'big') return expect(error).toMatchObject({ code: 'invalid_response' });
  expect(error).toBeUndefined();
  await trigger.settle();
  const told = trigger.told.map(({ event, order }) => `${event} ${String(order.id).replace('-', '')}`);
  const codes = codesShown[`${name}=${value}`] ?? 2;
  expect(told).toEqual([`newOrder ${id}`, ...Array<string>(codes).fill(`licenseCodesAvailable ${id}`)]);
});
