import type { Mock, Status } from '@order-license/mock-api';
import { hourMs, minuteMs, sleepUntil } from './virtual-day.ts';

export interface ShopOptions {
  /** Orders that exist at the start. */
  orders: number;
  /** How many of these orders are pending. */
  pending: number;
  /** How many of the paid orders still wait for license codes. */
  awaitingCodes: number;
  /** The status of all other orders. */
  rest: Status;
  /** Days over which the initial orders are spread. */
  days: number;
  /** New orders per hour. About as many pending orders are paid or cancelled as arrive. */
  perHour: number;
  /** Time after the start in which orders arrive but none changes, ms. */
  calmMs: number;
  /** Average time from an order's payment to its first license codes, ms. */
  deliveryMs: number;
}

export const usualShop: ShopOptions = {
  orders: 3_000,
  pending: 150,
  awaitingCodes: 20,
  rest: 'abgeschlossen',
  days: 60,
  perHour: 12,
  calmMs: 20 * minuteMs,
  deliveryMs: 15 * minuteMs,
};

/**
 * An event in the shop, and its time. `codes` contains the IDs of the license codes that the order has from then on.
 */
export type ShopEvent = { at: number; id: number } & (
  | { kind: 'created'; status: Status }
  | { kind: 'status'; from: Status; status: Status }
  | { kind: 'codes'; codes: number[] }
);

export interface Shop {
  /** Start time, ms since 1970. */
  startedAt(): number;
  /** Everything that happened since the start, in order. */
  history: ShopEvent[];
  /** The status of each order that exists at the start. */
  statusAtStart: ReadonlyMap<number, Status>;
  /** Runs the shop for this long, ms. Can be called only once. */
  run(forMs: number): Promise<void>;
}

/** Simulates customers and staff: orders arrive, are paid or cancelled, get their license codes and are completed. */
export const createShop = (mock: Pick<Mock, 'state' | 'clock'>, options: ShopOptions, random: () => number): Shop => {
  const { state } = mock;
  let startedAt = Date.now();
  const history: ShopEvent[] = [];
  const statusAtStart = new Map<number, Status>();
  const statusOf = new Map<number, Status>();
  /** For each order, how many license codes it gets in total, and how many have been delivered. */
  const codes = new Map<number, { planned: number; delivered: number }>();
  const pending: number[] = [];
  /**
   * Planned actions and their times, ms from the start. They are sorted by time in descending order, so the next action
   * is last.
   */
  const plans: { inMs: number; act(): void }[] = [];
  let now = startedAt;

  const soon = (meanMs: number): number => -Math.log(1 - random()) * meanMs;
  const plan = (inMs: number, act: () => void): void => {
    const at = now - startedAt + Math.ceil(inMs);
    let place = plans.length;
    while (place > 0 && (plans[place - 1] as { inMs: number }).inMs < at) place -= 1;
    plans.splice(place, 0, { inMs: at, act });
  };

  const insert = (status: Status, createdAt: number, isDelivered: boolean): number => {
    const planned = 1 + Math.floor(random() * 3);
    const delivered = isDelivered ? planned : 0;
    const items = [{ menge: planned, license_codes: planned }];
    const { id } = state.insertOrder('business', {
      status,
      created_at: new Date(createdAt).toISOString(),
      items,
      delivered,
    });
    statusOf.set(id, status);
    codes.set(id, { planned, delivered });
    if (status === 'ausstehend') pending.push(id);
    return id;
  };
  const idsOfCodes = (id: number, from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, n) => id * 1024 + from + n);
  const showCodes = (id: number, from: number): void => {
    const { delivered } = codes.get(id) as { delivered: number };
    if (delivered > from) history.push({ at: now, id, kind: 'codes', codes: idsOfCodes(id, from, delivered) });
  };
  const change = (id: number, status: Status): void => {
    const from = statusOf.get(id) as Status;
    state.setStatus(id, status);
    statusOf.set(id, status);
    history.push({ at: now, id, kind: 'status', from, status });
  };

  const deliver = (id: number): void => {
    const held = codes.get(id) as { planned: number; delivered: number };
    if (statusOf.get(id) !== 'bezahlt') return;
    const before = held.delivered;
    const count = 1 + Math.floor(random() * (held.planned - before));
    if (before < held.planned) {
      state.deliverCodes(id, count);
      held.delivered += count;
      showCodes(id, before);
    }
    if (held.delivered < held.planned) plan(soon(4 * options.deliveryMs), () => deliver(id));
    else plan(soon(8 * options.deliveryMs), () => statusOf.get(id) === 'bezahlt' && change(id, 'abgeschlossen'));
  };
  const arrive = (): void => {
    plan(soon(hourMs / options.perHour), arrive);
    const dice = random();
    const status = dice < 0.7 ? 'ausstehend' : dice < 0.95 ? 'bezahlt' : 'abgeschlossen';
    const isDelivered = status === 'abgeschlossen' || random() < 0.3;
    const id = insert(status, now, isDelivered);
    history.push({ at: now, id, kind: 'created', status });
    if (status === 'ausstehend') return;
    showCodes(id, 0);
    if (status === 'bezahlt') plan(soon(options.deliveryMs), () => deliver(id));
  };
  /**
   * Pays, completes or cancels a pending order. This happens about as often as an order arrives, so the number of
   * pending orders stays stable.
   */
  const settleOne = (): void => {
    plan(soon(hourMs / (0.7 * options.perHour)), settleOne);
    const [id] = pending.splice(Math.floor(random() * pending.length), 1);
    if (id === undefined) return;
    const dice = random();
    change(id, dice < 0.15 ? 'storniert' : dice < 0.25 ? 'abgeschlossen' : 'bezahlt');
    if (dice < 0.15) return;
    showCodes(id, 0);
    if (statusOf.get(id) === 'bezahlt') plan(soon(options.deliveryMs), () => deliver(id));
  };

  const begin = (): void => {
    const stepMs = (options.days * 24 * hourMs) / Math.max(1, options.orders);
    const places = Array.from({ length: options.orders }, (_, n) => n);
    const draw = (count: number): Set<number> => {
      const drawn = new Set<number>();
      for (let n = 0; n < count && places.length > 0; n++) {
        drawn.add(places.splice(Math.floor(random() * places.length), 1)[0] as number);
      }
      return drawn;
    };
    const [unpaid, awaiting] = [draw(options.pending), draw(options.awaitingCodes)];
    for (let n = 0; n < options.orders; n++) {
      const createdAt = Math.floor(startedAt - (options.orders - n) * stepMs);
      const status = unpaid.has(n) ? 'ausstehend' : awaiting.has(n) ? 'bezahlt' : options.rest;
      const id = insert(status, createdAt, unpaid.has(n) ? random() < 0.3 : !awaiting.has(n));
      statusAtStart.set(id, status);
      if (awaiting.has(n)) plan(options.calmMs + soon(8 * options.deliveryMs), () => deliver(id));
    }
    if (options.perHour === 0) return;
    plan(soon(hourMs / options.perHour), arrive);
    plan(options.calmMs + soon(hourMs / options.perHour), settleOne);
  };

  begin();
  return {
    startedAt: () => startedAt,
    history,
    statusAtStart,
    async run(forMs) {
      startedAt = Date.now();
      for (let next = plans.at(-1); next && next.inMs < forMs; next = plans.at(-1)) {
        plans.pop();
        now = startedAt + next.inMs;
        await sleepUntil(now);
        mock.clock.advance(Math.max(0, now - mock.clock.now()));
        next.act();
      }
    },
  };
};
