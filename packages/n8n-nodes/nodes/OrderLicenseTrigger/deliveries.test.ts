import type { Order } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { codesOf, positionsOf } from '../shared/output';
import { createVirtualService, createVirtualTrigger, everything, type VirtualService } from './virtual-service.fixture';

/** The service as it would be with other IDs of codes. */
const renumber = (service: VirtualService, idOf: (id: number, index: number) => unknown): void => {
  const { getOrder } = service.client;
  service.client.getOrder = async (...call) => {
    const order: Order = await getOrder(...call);
    for (const position of positionsOf(order)) {
      for (const [index, code] of codesOf(position).entries()) Object.assign(code, { id: idOf(code.id, index) });
    }
    return order;
  };
};

test('U-25 a code whose ID becomes text is not told again', async () => {
  const service = createVirtualService({ orders: 0 });
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', items: [{ quantity: 2 }] });
  await trigger.settle();
  renumber(service, String);
  service.mock.state.setStatus(id, 'abgeschlossen');
  await trigger.settle();
  expect(trigger.told.filter(({ event }) => event === 'licenseCodesAvailable')).toHaveLength(2);
});

test('U-25 codes that are counted afresh in each position are all told', async () => {
  const service = createVirtualService({ orders: 0 });
  renumber(service, (_, index) => index + 1);
  const trigger = createVirtualTrigger(service, everything);
  await trigger.poll();
  const items = [{ quantity: 1 }, { quantity: 1 }];
  const { id } = service.mock.state.insertOrder('business', { status: 'bezahlt', items, delivered: 1 });
  await trigger.settle();
  service.mock.state.deliverCodes(id);
  await trigger.settle();
  const eventIds = trigger.told.flatMap(({ event, eventId }) => (event === 'licenseCodesAvailable' ? [eventId] : []));
  expect(new Set(eventIds).size).toBe(2);
  expect(eventIds).toHaveLength(2);
});

test('codes remembered by an earlier version, by their bare IDs, are not told again', async () => {
  const service = createVirtualService({ orders: 0 });
  const first = createVirtualTrigger(service, everything);
  await first.poll();
  const { id } = service.mock.state.insertOrder('business', {
    status: 'bezahlt',
    items: [{ quantity: 3 }],
    delivered: 2,
  });
  await first.settle();
  const codes = first.told.flatMap((happening) => ('code' in happening ? [happening.code.id] : []));
  const saved = JSON.parse(first.saved() ?? '');
  saved.orders[id].k = codes;
  const trigger = createVirtualTrigger(service, everything);
  trigger.resume(JSON.stringify(saved));
  service.mock.state.deliverCodes(id);
  await trigger.settle();
  expect(codes).toHaveLength(2);
  expect(trigger.told.map(({ event }) => event)).toEqual(['licenseCodesAvailable']);
});
