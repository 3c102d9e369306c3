import { type Client, connectionError, createClient, type Host } from '@order-license/core/portable';
import { createMock, type Mock, type MockOptions } from '@order-license/mock-api';
import { askMock } from '@order-license/testing/in-process-host';
import type { PollOutcome } from './poll';
import { createPollRequests, type PollRequests } from './poll-requests';
import { runReaders } from './readers/run-readers';
import { readState, writeState } from './state/saved-state';
import { newState, type TriggerState } from './state/trigger-state';
import type { Subscription, TriggerEvent } from './trigger-event';

export const start = Date.UTC(2030, 0, 1);
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A service, a client and a clock in one process, without a network or real time. */
export interface VirtualService {
  mock: Mock;
  client: Client;
  /** Requests sent so far. */
  sent(): number;
  pass(ms: number): void;
  /** Starts an outage after this many requests; undefined ends it. */
  breakAfter(after: number | undefined): void;
}

let services = 0;

export const createVirtualService = (options: MockOptions = {}): VirtualService => {
  const mock = createMock({ frozenAt: start, limit: 'off', ...options });
  let sent = 0;
  let answers: number | undefined;
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
    pass: (ms) => mock.clock.advance(ms),
    breakAfter(after) {
      answers = after;
    },
  };
};

export type Reported = TriggerEvent & { poll: number };

export interface PollOptions {
  /** Number of requests before permits run out. */
  requests?: number;
  /** When n8n crashes. */
  die?: 'beforeEmit' | 'beforeSave' | 'afterSave';
  isBusy?: boolean;
}

/** Simulates n8n around a trigger: keeps the state, emits, saves, and may crash in between. */
export interface VirtualTrigger {
  /** Events reported so far, with the number of the poll. */
  reported: Reported[];
  warnings: string[];
  /** Numbers of the polls whose events n8n emitted but did not save before it crashed. */
  diedUnsaved: Set<number>;
  poll(options?: PollOptions): Promise<PollOutcome>;
  /** Polls this many times, half an hour apart. */
  settle(polls: number): Promise<void>;
  saved(): string | undefined;
  state(): TriggerState | undefined;
}

/** @param saved the state that n8n saved, if any */
export const createVirtualTrigger = (
  service: VirtualService,
  subscription: Subscription,
  saved?: string,
): VirtualTrigger => {
  const reported: Reported[] = [];
  const warnings: string[] = [];
  const diedUnsaved = new Set<number>();
  let inMemory = saved;
  let isStarting = true;
  let polls = 0;
  let pendingReadAt = start / 1000;
  const failing = new Map<string, number>();
  const now = () => service.mock.clock.now();

  const trigger: VirtualTrigger = {
    reported,
    warnings,
    diedUnsaved,
    saved: () => saved,
    state: () => readState(inMemory),
    async poll({ requests = 1_000, die, isBusy = false } = {}) {
      const number = ++polls;
      const state = readState(inMemory) ?? newState('account', 'credential');
      const events: TriggerEvent[] = [];
      const all = createPollRequests({
        client: service.client,
        consumer: 'trigger',
        endsAt: now() + hourMs,
        now,
        answers: { ask: (_, send) => send() },
        isHurried: () => false,
      });
      const poll = {
        state,
        subscription,
        requests: limited(all, requests),
        events,
        now: Math.floor(now() / 1000),
        pendingReadAt,
        isStart: !state.recent,
        isResumed: false,
        isBusy,
        failing,
        failed: new Set<string>(),
        warn: (message: string) => warnings.push(message),
      };
      const outcome = await runReaders(poll);
      pendingReadAt = poll.pendingReadAt;
      const end = (): PollOutcome => {
        inMemory = saved;
        isStarting = true;
        return outcome;
      };
      if (die === 'beforeEmit') return end();
      inMemory = writeState(state) ?? inMemory;
      reported.push(...events.map((event) => ({ ...event, poll: number })));
      if (die === 'beforeSave' && events.length > 0) {
        diedUnsaved.add(number);
        return end();
      }
      // n8n saves with events and after the first poll of a start; the state of other polls may be lost.
      if (events.length > 0 || isStarting) saved = inMemory;
      isStarting = false;
      return die ? end() : outcome;
    },
    async settle(count) {
      for (let poll = 0; poll < count; poll++) {
        await trigger.poll();
        service.pass(hourMs / 2);
      }
    },
  };
  return trigger;
};

const limited = (all: PollRequests, requests: number): PollRequests => {
  let left = requests;
  const once =
    <Input extends unknown[], Answer>(ask: (...input: Input) => Promise<Answer | undefined>) =>
    async (...input: Input): Promise<Answer | undefined> =>
      left-- > 0 ? ask(...input) : undefined;
  return {
    listOrders: once(all.listOrders),
    getOrder: once(all.getOrder),
    getMe: once(all.getMe),
    findPage: once(all.findPage),
    findListed: once(all.findListed),
  };
};

export const everything: Subscription = {
  events: ['newOrder', 'paidOrCompleted', 'statusChanged', 'licenseCodesAvailable'],
  statuses: [],
  watchClosed: false,
  includeDetails: false,
  masks: false,
};

export const idsOf = (events: readonly TriggerEvent[]): string[] => events.map(({ eventId }) => eventId);
