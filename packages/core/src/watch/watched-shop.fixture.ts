import { createMock, type Mock, type MockOptions } from '@order-license/mock-api';
import { askMock } from '@order-license/testing/in-process-host';
import { vi } from 'vitest';
import type { ChangesState } from '../base/changes-state.ts';
import { isOrderLicenseError } from '../base/errors.ts';
import type { Host, HttpResponse } from '../base/host.ts';
import { connectionError } from '../base/host-errors.ts';
import { createClient } from '../client/client.ts';
import type { StatusFilter } from '../model/order.ts';
import type { RateLimitStore } from '../pace/store.ts';
import type { ChangesOptions } from './changes.ts';
import { isAwaiting } from './compare.ts';
import { type ChangeEvent, changeNames } from './events.ts';
import { readState, type WatchState } from './state.ts';

export const start = Date.UTC(2030, 0, 1);
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

interface NewOrder {
  id?: number;
  /** Default: `ausstehend`. */
  status?: StatusFilter;
  /** Number of license codes of its line item, of which `delivered` are there. Default: no line items. */
  codes?: number;
  /** Quantity of the line item. Default: `codes`. */
  pieces?: number;
  delivered?: number;
  /** Default: now. */
  createdAt?: number | undefined;
}

export type WatchedShop = ReturnType<typeof createWatchedShop>;
export type Lag = 'none' | 'lists' | 'details' | 'both' | 'counts';

/** Copies of a mock that make its changes later. */
const createCopies = (options: MockOptions) => {
  const changes: { at: number; what: (state: Mock['state']) => unknown }[] = [];
  const copies = [1, 3].map((minutes) => ({ mock: createMock(options), lagMs: minutes * minuteMs, made: 0 }));
  return {
    changes,
    at(now: number, index: number): Mock {
      const copy = copies[index] as (typeof copies)[0];
      for (let next = changes[copy.made]; next && next.at <= now - copy.lagMs; next = changes[copy.made]) {
        next.what(copy.mock.state);
        copy.made += 1;
      }
      return copy.mock;
    },
  };
};

/** Returns a list with the counts of another one. */
const withCounts = (list: HttpResponse, other: HttpResponse): HttpResponse => {
  const [shown, counted] = [list, other].map(({ body }) => JSON.parse(Buffer.from(body).toString()));
  Object.assign(shown.data.pagination, { total: counted.data.pagination.total, pages: counted.data.pagination.pages });
  return { ...list, body: Buffer.from(JSON.stringify(shown)) };
};

let shops = 0;

/**
 * Creates an API, a client and a clock in one process, without a network or real time. `Date.now` returns the shop's
 * time.
 */
export const createWatchedShop = (options: MockOptions = {}) => {
  const mockOptions = { frozenAt: start, limit: 'off' as const, journalSize: 20_000, ...options };
  const mock = createMock(mockOptions);
  let copies: ReturnType<typeof createCopies> | undefined;
  let lag: { kinds: Lag; random: () => number } = { kinds: 'none', random: Math.random };
  const sourceOf = (url: string): Mock => {
    const kind = /orders\/\d/.test(url) ? 'details' : url.includes('/orders') ? 'lists' : 'me';
    const lags = (lag.kinds === kind || (lag.kinds === 'both' && kind !== 'me')) && lag.random() < 0.5;
    return lags && copies ? copies.at(mock.clock.now(), lag.random() < 0.5 ? 0 : 1) : mock;
  };
  let sent = 0;
  let untilOutage: number | undefined;
  let rewritten: { url: RegExp; change(body: string): string } | undefined;
  const broken = new Set<number>();
  let permits = Number.POSITIVE_INFINITY;
  vi.spyOn(Date, 'now').mockImplementation(() => mock.clock.now());
  const pass = (ms: number): void => void mock.clock.advance(ms);
  const host: Host = {
    now: () => mock.clock.now(),
    sleep: async (ms) => pass(ms),
    async send({ url, headers }) {
      if (untilOutage !== undefined && untilOutage-- <= 0) throw connectionError('ECONNRESET');
      if (!url.endsWith('/me')) sent += 1;
      if (broken.has(Number(url.split('/').at(-1)))) throw connectionError('ECONNRESET');
      const headersOfOther = shop.foreign({ url });
      if (headersOfOther) return { status: 200, headers: headersOfOther, body: new Uint8Array() };
      const source = sourceOf(url);
      const original = await askMock(source, source.keys.business, { url, headers });
      const response = rewritten?.url.test(url)
        ? { ...original, body: Buffer.from(rewritten.change(Buffer.from(original.body).toString())) }
        : original;
      if (lag.kinds !== 'counts' || !url.includes('/orders?') || !copies || lag.random() < 0.5) return response;
      const copy = copies.at(mock.clock.now(), lag.random() < 0.5 ? 0 : 1);
      return withCounts(response, await askMock(copy, copy.keys.business, { url, headers }));
    },
  };
  const store: RateLimitStore = {
    take: async (reserve = 0) =>
      permits-- > 0 && !(shop.isExporting && reserve > 0) ? { permit: { id: 1 } } : { retryAt: host.now() + 51_000 },
    settle: async () => undefined,
    pause: async () => undefined,
  };
  const baseUrl = `https://shop-${++shops}.example/api/v1`;
  const shop = {
    mock,
    client: createClient({ host, baseUrl, apiKey: mock.keys.business, store, rateLimit: { minGapMs: 0, reserve: 8 } }),
    /** Number of requests sent so far, not counting `GET /me`. */
    sent: () => sent,
    /** Number of requests for an order, or for any order. */
    readsOf: (id?: number) => mock.journal.count({ operation: 'order', ...(id !== undefined && { id }) }),
    pass,
    /** Starts an outage after this many requests; undefined ends it. */
    breakAfter(after: number | undefined) {
      untilOutage = after;
    },
    /** Orders whose requests fail because the connection breaks. */
    broken,
    /**
     * Returns response headers for a request to which another server, such as a proxy, responds instead of the API;
     * otherwise undefined.
     */
    foreign: (_: { url: string }): Record<string, string> | undefined => undefined,
    /** Changes the bodies of responses to requests whose URL matches; without arguments, no longer. */
    rewrite(url?: RegExp, change?: (body: string) => string) {
      rewritten = url && change && { url, change };
    },
    /** Sets the number of requests after which the permits run out. */
    limit(requests: number) {
      permits = requests;
    },
    /** Whether an export uses all permits outside the reserve. */
    isExporting: false,
    /** Adds an order a second after the one before, and returns its ID. */
    insert({ codes, pieces = codes, createdAt, ...order }: NewOrder = {}): number {
      pass(1_000);
      return mock.state.insertOrder('business', {
        status: 'ausstehend',
        items: codes ? [{ menge: pieces, license_codes: codes }] : [],
        ...(createdAt !== undefined && { created_at: new Date(createdAt).toISOString() }),
        ...order,
      }).id;
    },
    insertMany: (count: number, order?: NewOrder): number[] => Array.from({ length: count }, () => shop.insert(order)),
    setStatus(ids: number | readonly number[], status: StatusFilter) {
      for (const id of [ids].flat()) mock.state.setStatus(id, status);
    },
    /** Delivers more license codes of each order. */
    deliver(ids: number | readonly number[], count: number) {
      for (const id of [ids].flat()) mock.state.deliverCodes(id, count);
    },
    /**
     * Changes the shop's orders. Only such changes reach the copies that `lag` needs, so an inserted order must have a
     * `created_at`.
     */
    change<Result>(what: (state: Mock['state']) => Result): Result {
      copies ??= createCopies(mockOptions);
      copies.changes.push({ at: mock.clock.now(), what });
      return what(mock.state);
    },
    /** Makes half of some responses, or of the counts in lists, come from a copy that is one or three minutes old. */
    lag(kinds: Lag, random: () => number) {
      lag = { kinds, random };
    },
  };
  return shop;
};

export type Told = ChangeEvent & { poll: number };

interface PollOptions {
  requests?: number;
  /** When to kill the program. */
  die?: 'beforeEvents' | 'beforeSave' | 'afterSave';
}

export type WatchingProgram = ReturnType<typeof createProgram>;

export const everything: Omit<ChangesOptions, 'state'> = { events: changeNames };

/** A program that calls `changes`, keeps the state, handles events and saves, and that can be killed in between. */
export const createProgram = (shop: WatchedShop, options: Omit<ChangesOptions, 'state'>, saved?: ChangesState) => {
  /** Events so far, each with the number of its poll. */
  const told: Told[] = [];
  const warnings: string[] = [];
  /** Numbers of the polls whose state was not saved. */
  const diedUnsaved = new Set<number>();
  let state = saved;
  let polls = 0;

  const program = {
    told,
    warnings,
    diedUnsaved,
    saved: () => saved,
    state: () => readState(state) as WatchState,
    /** The orders whose license codes are awaited. */
    awaited: (): string[] => [...program.state().orders].flatMap(([id, order]) => (isAwaiting(order) ? [id] : [])),
    /** IDs of the events so far, and of their orders. */
    eventIds: () => idsOf(told),
    orderIds: () => told.map(({ order }) => order.id),
    /** @returns what `changes` threw */
    async poll({ requests = Number.POSITIVE_INFINITY, die }: PollOptions = {}): Promise<{ error?: unknown }> {
      const number = ++polls;
      shop.limit(requests);
      try {
        const found = await shop.client.changes({ ...options, state });
        if (die !== 'beforeEvents') {
          told.push(...found.events.map((event) => ({ ...event, poll: number })));
          warnings.push(...found.warnings);
          // Converts the state to JSON and back, as a program that stores the state does.
          state = JSON.parse(JSON.stringify(found.state)) as ChangesState;
          if (die !== 'beforeSave') saved = state;
          else if (found.events.length > 0) diedUnsaved.add(number);
        }
        return {};
      } catch (error) {
        if (isOrderLicenseError(error) && error.state) state = JSON.parse(JSON.stringify(error.state)) as ChangesState;
        return { error };
      } finally {
        if (die) state = saved;
        shop.limit(Number.POSITIVE_INFINITY);
        if (Number.isFinite(requests)) shop.pass(51_000);
      }
    },
    /** Polls this many times, each a minute after the one before. */
    async pollFor(minutes: number) {
      for (let minute = 0; minute < minutes; minute++) {
        shop.pass(minuteMs);
        await program.poll();
      }
    },
    /** Polls once a minute until `isDone`. */
    async pollUntil(isDone: () => boolean) {
      for (let minute = 0; !isDone(); minute++) {
        if (minute > 1_000) throw new Error('It never happens.');
        await program.pollFor(1);
      }
    },
    /** Polls this many times, half an hour apart. */
    async settle(count: number) {
      for (let poll = 0; poll < count; poll++) {
        await program.poll();
        shop.pass(hourMs / 2);
      }
    },
  };
  return program;
};

export const idsOf = (events: readonly ChangeEvent[]): string[] => events.map(({ eventId }) => eventId);
