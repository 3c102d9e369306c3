import { createRandom } from '@order-license/testing/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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

/** A step of a history; `doing` are the names of steps with the same fields. */
const step = <Name extends string, Fields>(
  weight: number,
  doing: readonly Name[],
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...doing), ...fields }) as fc.Arbitrary<{ do: Name } & Fields>,
});

const which = fc.nat({ max: 400 });
const few = (max: number, min = 1) => fc.integer({ min, max });
/**
 * @param burst maximum number of orders that arrive together: up to 24 in one second, which one response can hold at any
 * index, or more in some minutes
 */
const moveWith = (burst: number) =>
  fc.oneof(
    step(4, ['insert'], {
      status: fc.constantFrom('ausstehend' as const, 'bezahlt' as const, 'abgeschlossen' as const),
      codes: fc.nat(3),
      delivered: fc.nat(3),
      /** Adds one license code more than the line item's quantity; only the delivery status in the list shows this. */
      more: fc.boolean(),
    }),
    step(6, ['pay', 'complete', 'cancel'], { which }),
    step(3, ['deliver'], { which, count: few(3) }),
    step(2, ['pass'], { minutes: few(90) }),
    step(5, ['poll'], { requests: few(12) }),
    step(burst > 24 ? 4 : 1, ['insertMany'], { count: few(burst, 2) }),
    step(1, ['remove'], { which }),
    step(1, ['fail'], { after: fc.nat(3) }),
    step(1, ['failLong'], { polls: few(10, 2), minutes: few(30) }),
    step(1, ['fault'], { kind: fc.constantFrom('404' as const, '500' as const), times: few(12) }),
    step(1, ['die'], {
      die: fc.constantFrom('beforeEvents' as const, 'beforeSave' as const, 'afterSave' as const),
      requests: few(12),
    }),
  );
type Move = ReturnType<typeof moveWith> extends fc.Arbitrary<infer One> ? One : never;

const isPaid = (status: string): boolean => rankOf(status) > 0;

interface Known {
  id: number;
  statuses: string[];
  isRemoved?: boolean;
}

const readList = ({ client }: WatchedShop) => Array.fromAsync(client.orders());

const next: Record<string, Partial<Record<string, string>>> = {
  pay: { ausstehend: 'bezahlt' },
  complete: { bezahlt: 'abgeschlossen' },
  cancel: { ausstehend: 'storniert', bezahlt: 'storniert' },
};

/** What happens in a history, beside polls: the orders with all of their statuses, and which of them are new. */
interface Model {
  orders: Known[];
  inserted: Set<number>;
  /** Whether the delivery status in the list shows new codes. */
  shows: boolean;
}

const play = async (shop: WatchedShop, program: WatchingProgram, model: Model, step: Move): Promise<void> => {
  const present = model.orders.filter(({ isRemoved }) => !isRemoved);
  // Small numbers are frequent: mostly, the newest orders change.
  const order = 'which' in step ? present.at(-1 - (step.which % present.length)) : undefined;
  const insert = (input: {
    status: 'ausstehend' | 'bezahlt' | 'abgeschlossen';
    items: object[];
    delivered?: number;
  }) => {
    const created_at = new Date(shop.mock.clock.now()).toISOString();
    const { id } = shop.change((state) => state.insertOrder('business', { ...input, created_at }));
    model.orders.push({ id, statuses: [input.status] });
    model.inserted.add(id);
  };
  switch (step.do) {
    case 'insert': {
      const { status, delivered, codes, more } = step;
      insert({
        status,
        delivered,
        items: [{ menge: Math.max(1, codes - Number(more && model.shows)), license_codes: codes }],
      });
      return;
    }
    case 'insertMany':
      shop.pass(2_000);
      for (let n = 0; n < step.count; n++) {
        insert({ status: 'ausstehend', items: [] });
        if (step.count > 24 && n % 10 === 9) shop.pass(5_000);
      }
      return shop.pass(2_000);
    case 'remove':
      if (!order) return;
      shop.change((state) => state.removeOrder(order.id));
      order.isRemoved = true;
      return;
    case 'deliver':
      shop.change((state) => {
        try {
          if (order) state.deliverCodes(order.id, step.count);
        } catch (error) {
          expect(String(error)).toContain('has no license codes to deliver');
        }
      });
      return;
    case 'pass':
      return shop.pass(step.minutes * minuteMs);
    case 'poll':
    case 'die':
      await program.poll(step);
      return;
    case 'fail':
    case 'failLong':
      shop.breakAfter(step.do === 'fail' ? step.after : 0);
      for (let poll = 0; poll < (step.do === 'fail' ? 1 : step.polls); poll++) {
        await program.poll();
        if (step.do === 'failLong') shop.pass(step.minutes * minuteMs);
      }
      return shop.breakAfter(undefined);
    case 'fault':
      shop.mock.faults.add({ kind: step.kind, operation: 'order', times: step.times });
      return;
    default: {
      const status = order && next[step.do]?.[order.statuses.at(-1) ?? ''];
      if (!status) return;
      shop.change((state) => state.setStatus(order.id, status as 'bezahlt'));
      order.statuses.push(status);
    }
  }
};

const codesOf = ({ mock }: WatchedShop, id: number): unknown[] => {
  const { items } = mock.state.order(id).detail as { items: { license_codes?: { id: number }[] }[] };
  return items.flatMap(({ license_codes }) => license_codes ?? []).map((code) => code.id);
};

/** Returns the reported events without repeats of those that the program had not saved when it crashed. */
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
 * Checks that reported changes form a chain of actual statuses up to the current one. Events that the program had not
 * saved when it crashed do not count: the next poll starts from the state before them.
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

/** @param before the codes that the orders had at first, by the order's ID */
const checkCodes = (
  shop: WatchedShop,
  events: Told[],
  orders: Known[],
  { before, hasDied }: { before: Map<number, unknown[]>; hasDied: boolean },
): void => {
  for (const { id, statuses } of orders) {
    const isNew = (code: unknown): boolean => !before.get(id)?.includes(code);
    const codes = codesOf(shop, id).filter(isNew);
    let told: unknown[] = events.flatMap((one) =>
      one.event === 'licenseCodeAvailable' && one.order.id === id ? [one.code.id] : [],
    );
    expect(new Set(told).size).toBe(told.length);
    // The delivery status does not show which codes are new.
    if (hasDied && codes.length > 0) told = told.filter(isNew);
    if (statuses.at(-1) !== 'storniert') expect(told.sort()).toEqual(codes.sort());
  }
};

/** Number of histories of each kind. With copies that lag, a history takes longer. */
const runsOf = (lag: Lag): number => Number(process.env.HISTORIES ?? (lag === 'none' ? 20 : 12));

test.each([
  ['all responses are new', 'none'],
  ['half of the lists are up to three minutes old', 'lists'],
  ['half of the lists are up to three minutes old, and hundreds of orders arrive', 'lists', 300],
  ['half of the details are up to three minutes old', 'details'],
  ['half of all responses are up to three minutes old', 'both'],
  ['half of the counts are older than their rows', 'counts'],
] as const)(
  'never skips an event, and repeats one only after a crash before the state was saved, if %s',
  async (_name, lag, burst: number = 24) => {
    const shops = fc.record({
      seed: fc.integer(),
      size: fc.nat(120),
      deliveryShows: fc.boolean(),
      includeDetails: fc.boolean(),
      diesQuietly: fc.boolean(),
      tieBreak: fc.constantFrom('shuffle' as const, 'idDesc' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moveWith(burst), { minLength: 5, maxLength: 60 }), shops, async (moves, options) => {
        const { seed, size, deliveryShows, includeDetails, diesQuietly, tieBreak } = options;
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
        // Responses that lag at the baseline can lack these orders, which then count as new.
        const early: Known[] = [];
        shop.pass(4 * minuteMs);
        // A count that is too low at the baseline later looks like orders that were added.
        shop.lag(lag === 'counts' ? 'none' : lag, random);
        for (let n = 0; n < 4; n++) {
          shop.pass(10_000);
          const order = {
            status: 'ausstehend' as const,
            items: [],
            created_at: new Date(shop.mock.clock.now()).toISOString(),
          };
          early.push({ id: shop.change((state) => state.insertOrder('business', order)).id, statuses: ['ausstehend'] });
        }
        // The program saves the state of this poll, but not the states of the next polls, which find no events.
        await program.poll({ requests: 10 });
        for (const { id, statuses } of early.slice(2)) {
          shop.change((state) => state.setStatus(id, 'bezahlt'));
          statuses.push('bezahlt');
          await program.pollFor(1);
        }
        shop.lag('none', random);
        await program.settle(6);
        const isEarly = (of: unknown): boolean => early.some(({ id }) => id === of);
        expect(program.orderIds().filter((id) => !isEarly(id))).toEqual([]);
        if (diesQuietly) await program.poll({ die: 'afterSave' });

        const listBefore = await readList(shop);
        const deliveryBefore = new Map(listBefore.map(({ id, lieferstatus }) => [id, lieferstatus]));
        const before = new Map(listBefore.map(({ id }) => [id, codesOf(shop, id)]));
        const existing = listBefore
          .filter(({ id }) => !isEarly(id))
          .map(({ id, status }) => ({ id, statuses: [status] }));
        const orders: Known[] = [...existing, ...early];
        const inserted = new Set<number>();
        shop.lag(lag, random);
        for (const one of moves) await play(shop, program, { orders, inserted, shows: deliveryShows }, one);
        shop.mock.faults.clear();
        // Each order that failed is read again within an hour.
        await program.settle(12);
        shop.lag('none', random);

        const removed = new Set(orders.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
        const present = orders.filter(({ id }) => !removed.has(id));
        const events = withoutRepeats(program).filter(({ order }) => !removed.has(Number(order.id)));
        const news = events.filter(({ event }) => event === 'newOrder').map(({ order }) => order.id);
        const expected = [...inserted].filter((id) => !removed.has(id));
        expect(new Set(news.filter((id) => !isEarly(id)))).toEqual(new Set(expected));
        if (removed.size === 0) expect(program.warnings.join()).not.toContain('been added to the list below');
        checkPaid(events, present, inserted);
        checkStatuses(program, present);
        const hasDied = diesQuietly || moves.some((one) => one.do === 'die');
        // After a restart, only the delivery status shows whether an order that was paid earlier has new codes.
        const changed = (await readList(shop)).filter(
          ({ id, lieferstatus }) => inserted.has(id) || lieferstatus !== deliveryBefore.get(id),
        );
        const isSure = ({ id }: Known) => !hasDied || changed.some((one) => one.id === id);
        checkCodes(shop, events, present.filter(isSure), { before, hasDied });
        expect(shop.mock.journal.violations()).toEqual([]);
      }),
      { numRuns: runsOf(lag) },
    );
  },
  runsOf('none') * 20_000,
);
