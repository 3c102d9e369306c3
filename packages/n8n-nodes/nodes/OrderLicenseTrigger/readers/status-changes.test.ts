import { expect, test } from 'vitest';
import { writeState } from '../state/saved-state';
import { newListProgress, newState } from '../state/trigger-state';
import type { EventName } from '../trigger-event';
import {
  createVirtualService,
  createVirtualTrigger,
  everything,
  hourMs,
  idsOf,
  minuteMs,
} from '../virtual-service.fixture';

const statusChanged = { ...everything, events: ['statusChanged'] as EventName[] };

/** Creates orders too old to appear at the head of the list. */
const setUp = async (pending: number, subscription = statusChanged, options = {}) => {
  const service = createVirtualService({ orders: 0, ...options });
  const { state } = service.mock;
  const insert = (count: number, status: 'ausstehend' | 'bezahlt' | 'abgeschlossen') =>
    Array.from({ length: count }, () => {
      service.pass(1_000);
      return state.insertOrder('business', { status, items: [] }).id;
    });
  const ids = insert(pending, 'ausstehend');
  const paid = insert(60, 'bezahlt');
  insert(60, 'abgeschlossen');
  const trigger = createVirtualTrigger(service, subscription);
  for (let poll = 0; poll < 6; poll++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  return { service, state, trigger, ids, paid };
};

test('the poll that notices orders missing from the pending list finds and reads them', async () => {
  const { service, state, trigger, ids } = await setUp(150);
  const [first = 0, second = 0] = [ids[3], ids[140]];
  state.setStatus(first, 'bezahlt');
  state.setStatus(second, 'storniert');
  const before = service.sent();
  await trigger.poll();
  expect(idsOf(trigger.reported).sort()).toEqual([`status:${first}:bezahlt`, `status:${second}:storniert`].sort());
  expect(service.sent() - before).toBeLessThanOrEqual(8);
});

test('finds changes that leave the totals unchanged within an hour', async () => {
  const { service, state, trigger, ids, paid } = await setUp(150);
  const [leaves = 0, enters = 0] = [ids[70], paid[30]];
  state.setStatus(leaves, 'bezahlt');
  state.setStatus(enters, 'ausstehend');
  for (let minute = 0; minute < 60; minute++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(idsOf(trigger.reported).sort()).toEqual([`status:${leaves}:bezahlt`, `status:${enters}:ausstehend`].sort());
});

test('pending orders take one request per minute, plus one for the head of the list', async () => {
  const { service, trigger } = await setUp(150, { ...everything, events: ['paidOrCompleted'] });
  const before = service.sent();
  for (let minute = 0; minute < 60; minute++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(service.sent() - before).toBe(120);
});

test('during an export, pending orders take one request every three minutes', async () => {
  const { service, trigger } = await setUp(150, { ...everything, events: ['paidOrCompleted'] });
  const before = service.sent();
  for (let minute = 0; minute < 60; minute++) {
    await trigger.poll({ isBusy: true });
    service.pass(minuteMs);
  }
  expect(service.sent() - before).toBeLessThanOrEqual(82);
});

test('reports payment of a cancelled order only if closed orders are watched', async () => {
  for (const watchClosed of [false, true]) {
    const { service, state, trigger, ids } = await setUp(10, { ...statusChanged, watchClosed });
    const [id = 0] = ids;
    state.setStatus(id, 'storniert');
    await trigger.poll();
    state.setStatus(id, 'bezahlt');
    for (let poll = 0; poll < 12; poll++) {
      service.pass(10 * minuteMs);
      await trigger.poll();
    }
    const seen = [`status:${id}:storniert`, ...(watchClosed ? [`status:${id}:bezahlt`] : [])];
    expect(idsOf(trigger.reported)).toEqual(seen);
  }
});

test('reads an order individually while its status is undocumented [U-54]', async () => {
  const { service, trigger, ids } = await setUp(9);
  const later = ids.filter((id) => id % 3 === 0);
  service.mock.set({ futureValues: 'on' });
  for (let poll = 0; poll < 4; poll++) await trigger.poll();
  expect(trigger.reported.map(({ order }) => order.status)).toEqual(later.map(() => 'in_pruefung'));
  service.mock.set({ futureValues: 'off' });
  for (let poll = 0; poll < 3; poll++) {
    service.pass(hourMs);
    await trigger.poll();
  }
  const back = trigger.reported.slice(later.length);
  expect(back.map(({ order }) => order.status)).toEqual(later.map(() => 'ausstehend'));
});

test.each([true, false])('switching key masking to %s does not change an unknown status [U-54]', async (masks) => {
  const { service, trigger, ids } = await setUp(9, { ...statusChanged, masks: !masks });
  service.mock.set({ futureValues: 'on' });
  for (let poll = 0; poll < 4; poll++) await trigger.poll();
  expect(trigger.reported.map(({ order }) => order.id)).toEqual(ids.filter((id) => id % 3 === 0));
  const next = createVirtualTrigger(service, { ...statusChanged, masks }, trigger.saved());
  service.pass(2 * hourMs);
  for (let poll = 0; poll < 4; poll++) await next.poll();
  expect(next.reported).toEqual([]);
  for (const id of ids) service.mock.state.setStatus(id, 'bezahlt');
  service.mock.set({ futureValues: 'off' });
  service.pass(2 * hourMs);
  for (let poll = 0; poll < 4; poll++) await next.poll();
  expect(next.reported).toHaveLength(9);
  expect(JSON.stringify(next.reported).includes('in_pruefung')).toBe(!masks);
});

test('finds a change if the total ignores the filter [U-11]', async () => {
  const { service, state, trigger, ids } = await setUp(120, statusChanged, { set: { totalIgnoresFilter: 'on' } });
  const [id = 0] = ids;
  state.setStatus(id, 'bezahlt');
  for (let poll = 0; poll < 12; poll++) {
    await trigger.poll();
    service.pass(minuteMs);
  }
  expect(idsOf(trigger.reported)).toEqual([`status:${id}:bezahlt`]);
});

test('an order that cannot be read does not block others', async () => {
  const { state, trigger, ids, service } = await setUp(20);
  const [broken = 0, whole = 0] = ids;
  service.mock.faults.add({ kind: 'nullData', operation: 'order', times: 1 });
  state.setStatus(broken, 'bezahlt');
  state.setStatus(whole, 'bezahlt');
  await trigger.poll();
  expect(trigger.reported).toHaveLength(1);
  expect(trigger.warnings.join()).toContain('Could not read order');
  service.pass(minuteMs);
  for (let poll = 0; poll < 2; poll++) await trigger.poll();
  expect(trigger.reported).toHaveLength(2);
});

test('orders for which the service always fails do not block others', async () => {
  const { state, trigger, ids, service } = await setUp(20);
  const [one = 0, two = 0, whole = 0] = ids;
  for (const id of [one, two]) service.mock.faults.add({ kind: '500', id, times: 'always' });
  for (const id of [one, two, whole]) state.setStatus(id, 'bezahlt');
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual([`status:${whole}:bezahlt`]);
  expect(trigger.warnings.join()).toContain(`Could not read order ${one}`);
  service.pass(minuteMs);
  service.mock.faults.clear();
  await trigger.poll();
  expect(trigger.reported).toHaveLength(3);
});

test('orders with IDs that cannot be requested neither block others nor fail the poll [U-25]', async () => {
  const { state, trigger, ids, service } = await setUp(
    20,
    { ...statusChanged, events: ['newOrder', 'statusChanged'] },
    { set: { ids: 'negative' } },
  );
  state.setStatus(ids[0] ?? 0, 'bezahlt');
  const { id } = state.insertOrder('business', { status: 'ausstehend', items: [] });
  expect((await trigger.poll()).error).toBeUndefined();
  expect(idsOf(trigger.reported)).toEqual([`new-order:-${id}`]);
  expect(trigger.warnings.join()).toContain(`Could not read order -${ids[0]}`);
  service.pass(minuteMs);
  expect((await trigger.poll()).error).toBeUndefined();
});

test.each(['empty', '404', '400', 'clamp'] as const)(
  'finds all changes in a list that shrinks between polls (page beyond the last: %s) [U-05]',
  async (pageBeyondLast) => {
    const { state, trigger, ids, service } = await setUp(170, statusChanged, { set: { pageBeyondLast } });
    for (let poll = 0; poll < 4 && (trigger.state()?.lists.get('ausstehend')?.page ?? 0) < 3; poll++) {
      await trigger.poll();
      service.pass(minuteMs);
    }
    const gone = ids.slice(0, 130);
    for (const id of gone) state.setStatus(id, 'storniert');
    for (let poll = 0; poll < 30; poll++) {
      expect((await trigger.poll()).error).toBeUndefined();
      service.pass(minuteMs);
    }
    expect(idsOf(trigger.reported).sort()).toEqual(gone.map((id) => `status:${id}:storniert`).sort());
  },
);

test('warns once an hour beyond 30,000 watched orders, and keeps polling', async () => {
  const service = createVirtualService({ orders: 0 });
  const state = newState('account', 'credential');
  state.recent = { from: 0, settled: 0, seen: new Map() };
  for (let n = 0; n < 27_990; n++) {
    state.orders.set(String(10_000_000 + n), { status: 'bezahlt', mark: 'met', before: undefined });
  }
  state.lists.set('bezahlt', { ...newListProgress(), pages: 560, page: 1, isKnown: true });
  for (let n = 0; n < 60; n++) {
    service.mock.state.insertOrder('business', { status: 'bezahlt', items: [] });
    service.pass(1_000);
  }
  const trigger = createVirtualTrigger(service, statusChanged, writeState(state));
  for (let poll = 0; poll < 3; poll++) await trigger.poll();
  expect(trigger.state()?.orders.size).toBe(28_000);
  expect(trigger.warnings.filter((warning) => warning.includes('are not watched'))).toHaveLength(1);
});

test('leaves an order that arrives during a poll to the next one, so that it counts as new', async () => {
  const { service, state, trigger } = await setUp(10, { ...everything, events: ['paidOrCompleted'] });
  let id: number | undefined;
  const stop = service.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') id ??= state.insertOrder('business', { status: 'ausstehend' }).id;
  });
  await trigger.poll();
  stop();
  state.setStatus(Number(id), 'bezahlt');
  await trigger.poll();
  expect(idsOf(trigger.reported)).toEqual([`paid-or-completed:${id}`]);
});

test('the next poll reports an order that arrives as paid during a poll', async () => {
  const { service, state, trigger } = await setUp(10, { ...everything, events: ['paidOrCompleted', 'statusChanged'] });
  service.pass(10 * minuteMs);
  let id: number | undefined;
  const stop = service.mock.journal.subscribe(({ query }) => {
    if (query === 'page=1&per_page=50') id ??= state.insertOrder('business', { status: 'bezahlt' }).id;
  });
  for (let poll = 0; poll < 3; poll++) {
    await trigger.poll();
    service.pass(5 * minuteMs);
  }
  stop();
  expect(idsOf(trigger.reported)).toEqual([`paid-or-completed:${id}`]);
});

test('reports orders paid during the catch-up after an outage once', async () => {
  const { service, state, trigger } = await setUp(10, { ...everything, events: ['newOrder', 'paidOrCompleted'] });
  const insert = (status: 'storniert' | 'ausstehend'): number => {
    service.pass(1_000);
    return state.insertOrder('business', { status, items: [] }).id;
  };
  const cancelled = Array.from({ length: 1_500 }, () => insert('storniert'));
  const pending = Array.from({ length: 10 }, () => insert('ausstehend'));
  for (let poll = 0; poll < 8; poll++) {
    await trigger.poll({ requests: 20 });
    service.pass(minuteMs);
    if (poll === 0) for (const id of pending) state.setStatus(id, 'bezahlt');
  }
  const expected = [...cancelled, ...pending].map((id) => `new-order:${id}`);
  expected.push(...pending.map((id) => `paid-or-completed:${id}`));
  expect(idsOf(trigger.reported).sort()).toEqual(expected.sort());
});
