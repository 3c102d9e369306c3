import type { Order } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codesOf, positionsOf } from '../shared/output';
import {
  createVirtualService,
  createVirtualTrigger,
  everything,
  type VirtualService,
  type VirtualTrigger,
} from './virtual-service.fixture';

type Move =
  | { do: 'insert'; status: 'ausstehend' | 'bezahlt' | 'abgeschlossen'; codes: number; delivered: number }
  | { do: 'pay' | 'complete' | 'cancel'; which: number }
  | { do: 'deliver'; which: number; count: number }
  | { do: 'pass'; minutes: number }
  | { do: 'poll'; requests: number }
  | { do: 'fail'; after: number }
  | { do: 'die'; when: 'beforeEmit' | 'beforeSave' | 'afterSave'; requests: number };

const which = fc.nat({ max: 400 });
const requests = fc.integer({ min: 1, max: 12 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('insert' as const),
      status: fc.constantFrom('ausstehend' as const, 'bezahlt' as const, 'abgeschlossen' as const),
      codes: fc.integer({ min: 0, max: 3 }),
      delivered: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'complete' as const, 'cancel' as const), which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), which, count: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('poll' as const), requests }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), after: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      when: fc.constantFrom('beforeEmit' as const, 'beforeSave' as const, 'afterSave' as const),
      requests,
    }),
  },
);

const history = fc.array(move, { minLength: 5, maxLength: 60 });

interface Known {
  id: number;
  statuses: string[];
}

const readOrders = async ({ client }: VirtualService): Promise<Known[]> => {
  const orders: Known[] = [];
  for await (const { id, status } of client.orders()) orders.push({ id, statuses: [status] });
  return orders;
};

const next: Record<string, Partial<Record<string, string>>> = {
  pay: { ausstehend: 'bezahlt' },
  complete: { bezahlt: 'abgeschlossen' },
  cancel: { ausstehend: 'storniert', bezahlt: 'storniert' },
};

const play = async (
  service: VirtualService,
  trigger: VirtualTrigger,
  orders: Known[],
  inserted: Set<number>,
  step: Move,
): Promise<void> => {
  const { state } = service.mock;
  switch (step.do) {
    case 'insert': {
      const items = [{ quantity: Math.max(1, step.codes), codeCount: step.codes }];
      const { id } = state.insertOrder('business', { status: step.status, items, delivered: step.delivered });
      orders.push({ id, statuses: [step.status] });
      inserted.add(id);
      return;
    }
    case 'deliver': {
      const order = orders[step.which % orders.length];
      if (order) state.deliverCodes(order.id, step.count);
      return;
    }
    case 'pass':
      return service.pass(step.minutes * 60_000);
    case 'poll':
      await trigger.poll(step);
      return;
    case 'fail':
      service.breakAfter(step.after);
      await trigger.poll();
      return service.breakAfter(undefined);
    case 'die':
      await trigger.poll({ die: step.when, requests: step.requests });
      return;
    default: {
      const order = orders[step.which % orders.length];
      const status = order && next[step.do]?.[order.statuses.at(-1) ?? ''];
      if (!status) return;
      state.setStatus(order.id, status as 'bezahlt');
      order.statuses.push(status);
    }
  }
};

const codeIds = (order: Order): unknown[] =>
  positionsOf(order)
    .flatMap(codesOf)
    .map(({ id }) => id);

/** What was told, but for what n8n itself made happen again by dying between emitting and saving. */
const toldOnce = ({ told, diedUnsaved }: VirtualTrigger): VirtualTrigger['told'] => {
  const seen = new Map<string, number>();
  return told.filter(({ eventId, poll }) => {
    const first = seen.get(eventId);
    seen.set(eventId, first ?? poll);
    if (first === undefined) return true;
    expect(diedUnsaved, `${eventId} was told twice`).toContain(first);
    return false;
  });
};

const checkOrders = (events: VirtualTrigger['told'], inserted: Set<number>): void => {
  const told = events.filter(({ event }) => event === 'newOrder').map(({ order }) => order.id);
  expect(new Set(told)).toEqual(inserted);
  expect(told).toHaveLength(inserted.size);
};

/**
 * Told changes follow one on another, up to the status that the order has now; each is one that it really had. What a
 * poll told before n8n died unsaved does not count: the next poll starts from before it. What changed before the
 * trigger first met an order is not told.
 */
const checkStatuses = ({ told, diedUnsaved }: VirtualTrigger, orders: Known[], met: (id: number) => boolean): void => {
  for (const { id, statuses } of orders) {
    const events = told.filter((happening) => happening.order.id === id && happening.event !== 'licenseCodesAvailable');
    const [first] = events;
    let saved = first?.event === 'statusChanged' ? statuses.indexOf(first.previousStatus ?? '') : 0;
    if (met(id)) expect(saved).toBe(0);
    let place = saved;
    for (const happening of events) {
      if (happening.event === 'statusChanged') expect(happening.previousStatus).toBe(statuses[saved]);
      place = statuses.indexOf(happening.order.status, saved);
      expect(place).toBeGreaterThanOrEqual(0);
      if (!diedUnsaved.has(happening.poll)) saved = place;
    }
    if (met(id) || first) expect(statuses[place]).toBe(statuses.at(-1));
  }
};

const checkCodes = async (
  service: VirtualService,
  events: VirtualTrigger['told'],
  orders: Known[],
  before: Map<number, unknown[]>,
): Promise<void> => {
  const told = new Map<number, unknown[]>();
  for (const happening of events) {
    if (happening.event !== 'licenseCodesAvailable') continue;
    told.set(happening.order.id as number, [...(told.get(happening.order.id as number) ?? []), happening.code.id]);
  }
  for (const { id } of orders) {
    const order = await service.client.getOrder(id);
    const codes = codeIds(order).filter((code) => !before.get(id)?.includes(code));
    const toldOfIt = told.get(id) ?? [];
    expect(new Set(toldOfIt).size).toBe(toldOfIt.length);
    if (order.status !== 'storniert') expect([...toldOfIt].sort()).toEqual([...codes].sort());
  }
};

const days = 24 * 60 * 60 * 1000;
const eightHours = days / 3;

/** Days that the clock of n8n is ahead for one poll. */
const clockErrors = fc.array(fc.integer({ min: -800, max: 800 }));

test('whatever happens to orders, polls and n8n, nothing is skipped, and nothing told twice unless n8n died between emitting and saving', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat({ max: 120 }), fc.boolean(), async (moves, size, deliveryShows) => {
      const lieferstatus = deliveryShows ? ['offen', 'teilgeliefert', 'geliefert'] : ['-', '-', '-'];
      const service = createVirtualService({ orders: size, set: { lieferstatus } });
      const trigger = createVirtualTrigger(service, everything, 3650 * days);
      await trigger.poll();
      expect(trigger.told).toEqual([]);

      const orders = await readOrders(service);
      const before = new Map<number, unknown[]>();
      for (const { id } of orders) before.set(id, codeIds(await service.client.getOrder(id)));
      const inserted = new Set<number>();
      for (const step of moves) await play(service, trigger, orders, inserted, step);
      await trigger.settle();

      const events = toldOnce(trigger);
      checkOrders(events, inserted);
      checkStatuses(trigger, orders, () => true);
      await checkCodes(service, events, orders, before);
      expect(service.mock.journal.violations()).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('what comes in while the first polls still take note of a large account is told like any other', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 60, max: 200 }), requests, async (moves, size, first) => {
      const service = createVirtualService({ orders: size });
      const trigger = createVirtualTrigger(service, everything, 3650 * days);
      await trigger.poll({ requests: first });
      const orders = await readOrders(service);
      const inserted = new Set<number>();
      for (const step of moves) await play(service, trigger, orders, inserted, step);
      await trigger.settle();

      const events = toldOnce(trigger);
      checkOrders(events, inserted);
      checkStatuses(trigger, orders, (id) => inserted.has(id));
      const fresh = orders.filter(({ id }) => inserted.has(id));
      await checkCodes(service, events, fresh, new Map());
    }),
    { numRuns: 30 },
  );
}, 60_000);

test('orders that grow old are told of until they are closed, over weeks and months, and with a clock that is wrong at times', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat({ max: 60 }), clockErrors, async (moves, size, errors) => {
      const service = createVirtualService({ orders: 0 });
      for (let n = size; n > 0; n--) {
        const status = n % 5 ? 'abgeschlossen' : 'bezahlt';
        service.mock.state.insertOrder('business', { status, createdAt: service.now() - n * eightHours, items: [] });
      }
      const trigger = createVirtualTrigger(
        service,
        { ...everything, events: ['newOrder', 'statusChanged'] },
        10 * days,
      );
      await trigger.poll();
      const orders = await readOrders(service);
      const inserted = new Set<number>();
      const errorsLeft = [...errors];
      for (const step of moves) {
        const slow = step.do === 'pass' ? { ...step, minutes: step.minutes * 24 * 60 } : step;
        const error = step.do === 'pass' ? errorsLeft.pop() : undefined;
        if (step.do === 'pass' && error !== undefined) {
          service.setClockError(error * days);
          await trigger.poll({ requests: 1 + (step.minutes % 7) });
          service.setClockError(0);
        }
        await play(service, trigger, orders, inserted, slow);
      }
      await trigger.settle();
      checkOrders(toldOnce(trigger), inserted);
      checkStatuses(trigger, orders, () => true);
    }),
    { numRuns: 40 },
  );
}, 60_000);
