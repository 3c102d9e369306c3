import type { State } from '@order-license/mock-api';
import { createRandom } from '@order-license/testing/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../model/order.ts';
import { rankOf } from './events.ts';
import {
  createProgram,
  createWatchedShop,
  everything,
  type Lag,
  minuteMs,
  type Told,
  type WatchedShop,
  type WatchingProgram,
} from './watched-shop.fixture.ts';

type Move =
  | {
      do: 'insert';
      status: 'ausstehend' | 'bezahlt' | 'abgeschlossen';
      codes: number;
      delivered: number;
      more: boolean;
    }
  | { do: 'pay' | 'complete' | 'cancel'; which: number }
  | { do: 'insertMany'; count: number }
  | { do: 'remove'; which: number }
  | { do: 'deliver'; which: number; count: number }
  | { do: 'pass'; minutes: number }
  | { do: 'poll'; requests: number }
  | { do: 'fail'; after: number }
  | { do: 'failLong'; polls: number; minutes: number }
  | { do: 'fault'; kind: '404' | '500'; times: number }
  | { do: 'die'; when: 'beforeEvents' | 'beforeSave' | 'afterSave'; requests: number };

const isPaid = (status: string): boolean => rankOf(status) > 0;

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
      /** Adds one license code more than the line item's quantity; only the delivery status in the list shows this. */
      more: fc.boolean(),
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
  // All in one second, which one response can hold.
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('insertMany' as const), count: fc.integer({ min: 2, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), after: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('failLong' as const),
      polls: fc.integer({ min: 2, max: 10 }),
      minutes: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      kind: fc.constantFrom('404' as const, '500' as const),
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      when: fc.constantFrom('beforeEvents' as const, 'beforeSave' as const, 'afterSave' as const),
      requests,
    }),
  },
);

const history = fc.array(move, { minLength: 5, maxLength: 60 });

/** Delivers codes of an order, unless it never gets any. */
const deliver = (state: State, id: number, count: number): void => {
  try {
    state.deliverCodes(id, count);
  } catch (error) {
    expect(String(error)).toContain('has no license codes to deliver');
  }
};

interface Known {
  id: number;
  statuses: string[];
  isRemoved?: boolean;
}

const readOrders = async ({ client }: WatchedShop): Promise<Known[]> => {
  const orders: Known[] = [];
  for await (const { id, status } of client.orders()) orders.push({ id, statuses: [status] });
  return orders;
};

const readDelivery = async ({ client }: WatchedShop): Promise<Map<number, unknown>> => {
  const found = new Map<number, unknown>();
  for await (const { id, lieferstatus } of client.orders()) found.set(id, lieferstatus);
  return found;
};

const next: Record<string, Partial<Record<string, string>>> = {
  pay: { ausstehend: 'bezahlt' },
  complete: { bezahlt: 'abgeschlossen' },
  cancel: { ausstehend: 'storniert', bezahlt: 'storniert' },
};

const play = async (
  shop: WatchedShop,
  program: WatchingProgram,
  orders: Known[],
  inserted: Set<number>,
  step: Move,
  shows: boolean,
): Promise<void> => {
  const present = orders.filter(({ isRemoved }) => !isRemoved);
  switch (step.do) {
    case 'insert': {
      const pieces = Math.max(1, step.codes - Number(step.more && shows));
      const items = [{ menge: pieces, license_codes: step.codes }];
      const { status, delivered } = step;
      const created_at = new Date(shop.mock.clock.now()).toISOString();
      const { id } = shop.change((state) => state.insertOrder('business', { status, items, delivered, created_at }));
      orders.push({ id, statuses: [step.status] });
      inserted.add(id);
      return;
    }
    case 'insertMany': {
      shop.pass(2_000);
      const created_at = new Date(shop.mock.clock.now()).toISOString();
      for (let n = 0; n < step.count; n++) {
        const pending = { status: 'ausstehend' as const, items: [], created_at };
        const { id } = shop.change((state) => state.insertOrder('business', pending));
        orders.push({ id, statuses: ['ausstehend'] });
        inserted.add(id);
      }
      return shop.pass(2_000);
    }
    case 'remove': {
      const order = present[step.which % present.length];
      if (!order) return;
      shop.change((state) => state.removeOrder(order.id));
      order.isRemoved = true;
      return;
    }
    case 'deliver': {
      const order = present[step.which % present.length];
      if (order) shop.change((state) => deliver(state, order.id, step.count));
      return;
    }
    case 'pass':
      return shop.pass(step.minutes * minuteMs);
    case 'poll':
      await program.poll(step);
      return;
    case 'fail':
      shop.breakAfter(step.after);
      await program.poll();
      return shop.breakAfter(undefined);
    case 'failLong':
      shop.breakAfter(0);
      for (let poll = 0; poll < step.polls; poll++) {
        await program.poll();
        shop.pass(step.minutes * minuteMs);
      }
      return shop.breakAfter(undefined);
    case 'fault':
      shop.mock.faults.add({ kind: step.kind, operation: 'order', times: step.times });
      return;
    case 'die':
      await program.poll({ die: step.when, requests: step.requests });
      return;
    default: {
      const order = present[step.which % present.length];
      const status = order && next[step.do]?.[order.statuses.at(-1) ?? ''];
      if (!status) return;
      shop.change((state) => state.setStatus(order.id, status as 'bezahlt'));
      order.statuses.push(status);
    }
  }
};

const codeIds = (order: Order): unknown[] =>
  order.items.flatMap(({ license_codes }) => license_codes ?? []).map(({ id }) => id);

/** Returns the reported events without repeats of those that n8n had not saved when it crashed. */
const withoutRepeats = ({ told, diedUnsaved }: WatchingProgram): Told[] => {
  const seen = new Map<string, number>();
  return told.filter(({ eventId, poll }) => {
    const first = seen.get(eventId);
    seen.set(eventId, first ?? poll);
    if (first === undefined) return true;
    expect(diedUnsaved, `${eventId} was told twice`).toContain(first);
    return false;
  });
};

const checkOrders = (events: Told[], inserted: Set<number>): void => {
  const told = events.filter(({ event }) => event === 'newOrder').map(({ order }) => order.id);
  expect(new Set(told)).toEqual(inserted);
};

const checkPaid = (events: Told[], orders: Known[], inserted: Set<number>): void => {
  const told = new Set(events.filter(({ event }) => event === 'paid').map(({ order }) => order.id));
  for (const { id, statuses } of orders) {
    const [first = '', last = ''] = [statuses[0], statuses.at(-1)];
    if (!inserted.has(id) && isPaid(first)) expect(told).not.toContain(id);
    else if (isPaid(last)) expect(told).toContain(id);
    else if (!statuses.some(isPaid)) expect(told).not.toContain(id);
  }
};

/**
 * Checks that reported changes form a chain of actual statuses up to the current one. Events that n8n had not saved
 * when it crashed do not count: the next poll starts from the state before them.
 */
const checkStatuses = ({ told, diedUnsaved }: WatchingProgram, orders: Known[]): void => {
  for (const { id, statuses } of orders) {
    const events = told.filter(({ order, event }) => order.id === id && ['newOrder', 'statusChanged'].includes(event));
    let saved = 0;
    let place = saved;
    for (const happened of events) {
      if (happened.event === 'statusChanged') expect(happened.previousStatus).toBe(statuses[saved]);
      place = statuses.indexOf(happened.order.status, saved);
      expect(place).toBeGreaterThanOrEqual(0);
      if (!diedUnsaved.has(happened.poll)) saved = place;
    }
    expect(statuses[place]).toBe(statuses.at(-1));
  }
};

const checkCodes = async (
  shop: WatchedShop,
  events: Told[],
  orders: Known[],
  before: Map<number, unknown[]>,
  hasDied: boolean,
): Promise<void> => {
  const told = new Map<number, unknown[]>();
  for (const event of events) {
    if (event.event !== 'licenseCodeAvailable') continue;
    told.set(event.order.id, [...(told.get(event.order.id) ?? []), event.code.id]);
  }
  for (const { id } of orders) {
    const order = await shop.client.getOrder(id);
    const codes = codeIds(order).filter((code) => !before.get(id)?.includes(code));
    let ofOrder = told.get(id) ?? [];
    expect(new Set(ofOrder).size).toBe(ofOrder.length);
    // The delivery status does not show which codes are new.
    if (hasDied && codes.length > 0) ofOrder = ofOrder.filter((code) => !before.get(id)?.includes(code));
    if (order.status !== 'storniert') expect([...ofOrder].sort()).toEqual([...codes].sort());
  }
};

/** Number of histories of each kind. With copies that lag, a history takes longer. */
const runsOf = (lag: Lag): number => Number(process.env.HISTORIES ?? (lag === 'none' ? 20 : 12));

test.each([
  ['all responses are new', 'none'],
  ['half of the lists are up to three minutes old', 'lists'],
  ['half of the details are up to three minutes old', 'details'],
  ['half of all responses are up to three minutes old', 'both'],
  ['half of the counts are older than their rows', 'counts'],
] as const)(
  'never skips an event, and repeats one only after a crash before the state was saved, if %s',
  async (_name, lag) => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.integer(),
        fc.nat({ max: 120 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('shuffle' as const, 'idDesc' as const),
        async (moves, seed, size, deliveryShows, includeDetails, diesQuietly, tieBreak) => {
          const lieferstatus = deliveryShows ? ['offen', 'teilgeliefert', 'geliefert'] : ['-', '-', '-'];
          const shop = createWatchedShop({ orders: size, set: { lieferstatus, tieBreak } });
          const random = createRandom(seed);
          shop.lag('none', random);
          const created_at = new Date(shop.mock.clock.now()).toISOString();
          for (let n = 0; n < 20; n++) {
            const items = [{ menge: 2, license_codes: 2 }];
            const paid = { status: 'bezahlt' as const, items, delivered: n % 2, created_at };
            shop.change((state) => state.insertOrder('business', paid));
          }
          const program = createProgram(shop, { ...everything, watch: 'all', includeDetails });
          // n8n saves the state of this poll, but not the states of the next polls, which find no events.
          await program.poll({ requests: 10 });
          await program.settle(12);
          expect(program.told).toEqual([]);
          if (diesQuietly) await program.poll({ die: 'afterSave' });

          const orders = await readOrders(shop);
          const deliveryBefore = await readDelivery(shop);
          const before = new Map<number, unknown[]>();
          for (const { id } of orders) before.set(id, codeIds(await shop.client.getOrder(id)));
          const inserted = new Set<number>();
          shop.lag(lag, random);
          for (const step of moves) await play(shop, program, orders, inserted, step, deliveryShows);
          shop.mock.faults.clear();
          await program.settle(24);
          shop.lag('none', random);

          const removed = new Set(orders.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
          const present = orders.filter(({ id }) => !removed.has(id));
          for (const id of removed) inserted.delete(id);
          if (removed.size === 0) expect(program.warnings.join()).not.toContain('been added to the list below');
          const events = withoutRepeats(program).filter(({ order }) => !removed.has(Number(order.id)));
          checkOrders(events, inserted);
          checkPaid(events, present, inserted);
          checkStatuses(program, present);
          const hasDied = diesQuietly || moves.some((step) => step.do === 'die');
          // After a restart, only the delivery status shows whether an order that was paid earlier has new codes.
          const deliveryAfter = await readDelivery(shop);
          const shows = ({ id }: Known) => inserted.has(id) || deliveryAfter.get(id) !== deliveryBefore.get(id);
          const sure = hasDied ? present.filter(shows) : present;
          await checkCodes(shop, events, sure, before, hasDied);
          expect(shop.mock.journal.violations()).toEqual([]);
        },
      ),
      { numRuns: runsOf(lag) },
    );
  },
  runsOf('none') * 20_000,
);
