import { connectionError, type Host } from '@order-license/core/host';
import { type Client, createClient } from '@order-license/core/portable';
import { createMock, type Mock, type MockOptions } from '@order-license/mock-api';
import { askMock } from '@order-license/testing/in-process-host';
import type { Happening } from './happening';
import type { Wanted } from './observe';
import { type Polled, poll } from './poll';
import { newWatch, readWatch, type Watch, writeWatch } from './watch';

export const start = Date.UTC(2030, 0, 1);
const hourMs = 3_600_000;

/** A service, a client and a clock in one process, with no wire and no real time between them. */
export interface VirtualService {
  mock: Mock;
  client: Client;
  /** Requests sent so far. */
  sent(): number;
  /** ms since 1970, by the clock of n8n. */
  now(): number;
  /** Sets how far the clock of n8n is ahead of the right time, ms. */
  setClockError(ms: number): void;
  pass(ms: number): void;
  /** From now on, `after` requests are answered and the next ones are not; undefined mends it. */
  breakAfter(after: number | undefined): void;
}

let services = 0;

export const createVirtualService = (options: MockOptions = {}): VirtualService => {
  const mock = createMock({ frozenAt: start, limit: 'off', ...options });
  let sent = 0;
  let answers: number | undefined;
  let clockError = 0;
  const host: Host = {
    now: () => mock.clock.now(),
    async sleep(ms) {
      mock.clock.advance(ms);
    },
    async send({ url, headers }) {
      if (answers !== undefined && answers-- <= 0) throw connectionError('ECONNRESET');
      sent += 1;
      return askMock(mock, mock.keys.business, { url, headers });
    },
  };
  const client = createClient({
    host,
    baseUrl: `https://shop-${++services}.example/api/v1`,
    apiKey: mock.keys.business,
    retries: 0,
    rateLimit: { requests: 1_000_000, minGapMs: 0 },
  });
  return {
    mock,
    client,
    sent: () => sent,
    now: () => mock.clock.now() + clockError,
    setClockError(ms) {
      clockError = ms;
    },
    pass: (ms) => mock.clock.advance(ms),
    breakAfter(after) {
      answers = after;
    },
  };
};

/** Stands in for n8n around a trigger: it keeps the state, emits, saves, and may die in between. */
export interface VirtualTrigger {
  /** Everything told so far, with the number of the poll that told it. */
  told: (Happening & { poll: number })[];
  /** Numbers of the polls after whose emission n8n died before it saved. */
  diedUnsaved: Set<number>;
  poll(options?: { requests?: number; die?: 'beforeEmit' | 'beforeSave' | 'afterSave' }): Promise<Polled>;
  /** Polls, hour by hour, until nothing is left to do. */
  settle(): Promise<void>;
  saved(): string | undefined;
  /** What it remembers, saved or not. */
  watch(): Watch | undefined;
  /** Goes on from what another one has saved, as n8n does when the parameters of a trigger are changed. */
  resume(saved: string): void;
  /** IDs of orders that could not be read. */
  unreadable: string[];
}

export const createVirtualTrigger = (
  service: VirtualService,
  wanted: Wanted,
  watchMs = 90 * 24 * hourMs,
): VirtualTrigger => {
  const told: VirtualTrigger['told'] = [];
  const diedUnsaved = new Set<number>();
  let saved: string | undefined;
  let inMemory: string | undefined;
  let starting = true;
  let polls = 0;

  const trigger: VirtualTrigger = {
    told,
    diedUnsaved,
    unreadable: [],
    saved: () => saved,
    watch: () => readWatch(inMemory),
    resume(state) {
      saved = state;
      inMemory = state;
    },
    async poll({ requests = 1_000, die } = {}) {
      const number = ++polls;
      const watch: Watch = readWatch(inMemory) ?? newWatch('4711', service.now() - watchMs);
      let left = requests;
      const polled = await poll({
        client: service.client,
        watch,
        wanted,
        watchMs,
        now: service.now,
        nextRequest: async () => (left-- > 0 ? {} : undefined),
        onUnreadable: (id) => trigger.unreadable.push(id),
      });
      if (die === 'beforeEmit') {
        inMemory = saved;
        starting = true;
        return polled;
      }
      inMemory = writeWatch(watch);
      told.push(...polled.happened.map((happening) => ({ ...happening, poll: number })));
      if (die === 'beforeSave' && polled.happened.length > 0) {
        diedUnsaved.add(number);
        inMemory = saved;
        starting = true;
        return polled;
      }
      // n8n saves with an emission, and after the first poll of a start; what a silent poll learned may be lost.
      if (polled.happened.length > 0 || starting) saved = inMemory;
      starting = die !== undefined;
      if (die) inMemory = saved;
      return polled;
    },
    async settle() {
      for (let hour = 0; hour < 12; hour++) {
        await trigger.poll();
        service.pass(hourMs);
      }
    },
  };
  return trigger;
};

export const everything: Wanted = { events: ['newOrder', 'statusChanged', 'licenseCodesAvailable'], statuses: [] };
