import { type PlainKeys, plainKeys, type StoredKey } from './accounts.ts';
import { refusal } from './answers.ts';
import { type Clock, createClock } from './clock.ts';
import { type BundleName, changeDialect, createDialect, type SettingInput } from './dialect.ts';
import { type Fault, faultKinds } from './fault-spec.ts';
import { createFaults, type Faults, type Strike } from './faults.ts';
import { finish } from './finish.ts';
import { handle } from './handle.ts';
import { createJournal, type Journal } from './journal.ts';
import { judge } from './judge.ts';
import { createLimiter } from './limiter.ts';
import { maskRequest } from './mask.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './request.ts';
import { basePath } from './route.ts';
import { createScenarios, type Scenarios } from './scenarios.ts';
import type { Dialect } from './settings.ts';
import { spoil } from './spoil.ts';
import { createState, type State } from './state.ts';
import { webFetch } from './web.ts';

export interface MockOptions {
  /** The same seed gives the same data, byte for byte. 1 where absent. */
  seed?: number;
  /** Orders of the business account, 0 to 100000; the other accounts have fewer. 120 where absent. */
  orders?: number;
  /** Keys by name; those left out are made from the seed. */
  keys?: Partial<PlainKeys>;
  /** Stands before every license key, so that a test can search its output for it. */
  licenseKeyPrefix?: string;
  /** `strict` where absent. */
  dialect?: BundleName;
  /** Single settings over the dialect, e.g. `{ limit: 'off', money: 'number' }`. */
  set?: SettingInput;
  /** Requests in a window for one key, or `off`: short for `set: { limit }`. 60 where absent. */
  limit?: number | 'off';
  /** Window model: short for `set: { window }`. `lockout` where absent. */
  window?: Dialect['window'];
  /** Length of the window in ms: short for `set: { windowMs }`. 60000 where absent. */
  windowMs?: number;
  /** Starts with a clock that stands at this time, ms since 1970. The real time where absent. */
  frozenAt?: number;
  /** Every answer comes so late, in ms: `100`, `50..300` or `lognormal:120:0.5`. At once where absent. */
  latency?: number | string;
  /** Requests that the journal keeps. 1000 where absent. */
  journalSize?: number;
}

/** What an adapter has to do. */
export interface Exchange {
  response: MockResponse;
  /** ms to wait on the mock's clock before anything is sent. */
  delayMs: number;
  /** How the wire breaks, which only the HTTP server can do. */
  wire?: Fault;
}

/** One mock service: its state is its own, so two mocks in one process never meet. */
export interface Mock {
  /** The plain keys that the mock was made with. They are kept for the caller only; the state holds hashes. */
  keys: PlainKeys;
  state: State;
  clock: Clock;
  journal: Journal;
  faults: Faults;
  scenarios: Scenarios;
  /** The reading in force. */
  dialect(): Dialect;
  /** Changes single settings from the next request on. @throws Error that says what is allowed */
  set(settings: SettingInput): void;
  /** Takes another bundle, with single settings over it. */
  setDialect(bundle: BundleName, settings?: SettingInput): void;
  /** Answers one request. */
  answer(request: MockRequest): Exchange;
  /** Notes a request in the journal that the wire swallowed. */
  lose(request: MockRequest, fault: string): void;
  /**
   * Answers as the global fetch would, without a server. Only path and query of the address count.
   * @throws Error for a fault that breaks the wire: fetch cannot show that
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Back to how the mock was made: state, dialect, limits, faults, scenarios, journal. The clock goes on. */
  reset(): void;
}

const longestWaitMs = 60_000;

/**
 * A mock service without a server.
 * @throws Error with a sentence about the option that is wrong
 */
export function createMock(options: MockOptions = {}): Mock {
  const { seed = 1, orders = 120, licenseKeyPrefix = '', journalSize = 1000 } = options;
  requireWhole('seed', seed, 0, 2 ** 31 - 1);
  requireWhole('orders', orders, 0, 100_000);
  requireWhole('journalSize', journalSize, 1, 1_000_000);

  const keys = plainKeys(seed, options.keys);
  const clock = createClock(options.frozenAt);
  const state = createState({ seed, orders, licenseKeyPrefix, keys, now: clock.now });
  const limiter = createLimiter();
  const journal = createJournal(journalSize);
  const strict = createDialect();
  const faults = createFaults(seed);
  const scenarios = createScenarios(state, seed, clock.now);
  const addLatency = (): void => {
    if (options.latency !== undefined) faults.add({ kind: 'delay', ms: options.latency, times: 0 });
  };
  addLatency();
  const limitedAt = new Map<string, number>();
  const initialDialect = createDialect(options.dialect, { ...shortcutsOf(options), ...options.set });
  let dialect = initialDialect;
  let serial = 0;

  const note = (request: MockRequest, key: StoredKey | undefined, status: number, fault?: string): void => {
    const now = clock.now();
    const masked = maskRequest(request, (hash) => state.findKey(hash) !== undefined);
    const { path, query } = splitTarget(masked.target);
    const early = key ? (limitedAt.get(key.sha256) ?? Number.NEGATIVE_INFINITY) + longestWaitMs - now : 0;
    journal.add({
      at: now,
      method: request.method,
      path,
      query,
      headers: masked.headers,
      status,
      ...(key ? { key: key.name } : {}),
      ...(fault ? { fault } : {}),
      violations: judge(request, strict, early / 1000),
    });
    if (key && status === 429) limitedAt.set(key.sha256, now);
  };

  /** The fault of a request; `problem` answers one that asks for a fault there is not. */
  const strike = (request: MockRequest, keyName: string | undefined): Strike & { problem?: MockResponse } => {
    const path = splitTarget(request.target).path.slice(basePath.length);
    try {
      return faults.strike({ path, keyName, asked: headerValues(request, 'x-mock-fault')[0], serial });
    } catch (error) {
      return { delayMs: 0, problem: refusal('badRequest', strict, `x-mock-fault: ${(error as Error).message}.`) };
    }
  };

  const mock: Omit<Mock, 'fetch'> = {
    keys,
    state,
    clock,
    journal,
    faults,
    scenarios,
    dialect: () => dialect,
    set(settings) {
      dialect = changeDialect(dialect, settings);
    },
    setDialect(bundle, settings) {
      dialect = createDialect(bundle, settings);
    },
    answer(request) {
      const now = clock.now();
      const { response, key, verdict } = handle({ state, limiter, dialect, now, serial: ++serial }, request);
      const { fault, delayMs, problem } = strike(request, key?.name);
      const spoilt = problem ?? (fault ? spoil(response, fault, dialect, request.target) : response);
      note(request, key, spoilt.status, fault?.kind);
      if (key) scenarios.answered();
      const exchange = { response: finish(request, spoilt, verdict, dialect, now), delayMs };
      return fault && faultKinds[fault.kind].wire ? { ...exchange, wire: fault } : exchange;
    },
    lose(request, fault) {
      note(request, undefined, 0, fault);
    },
    reset() {
      state.reset();
      limiter.reset();
      limitedAt.clear();
      journal.clear();
      faults.clear();
      scenarios.clear();
      addLatency();
      serial = 0;
      dialect = initialDialect;
    },
  };
  return { ...mock, fetch: webFetch(mock) };
}

function shortcutsOf({ limit, window, windowMs }: MockOptions): SettingInput {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(window === undefined ? {} : { window }),
    ...(windowMs === undefined ? {} : { windowMs }),
  };
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} is a whole number from ${min} to ${max}, not "${value}"`);
  }
}
