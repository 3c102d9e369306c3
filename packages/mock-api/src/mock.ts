import { handle, readRequest } from './api/handle.ts';
import { headerValues, type MockRequest } from './api/request.ts';
import { errorResponse, type MockResponse, waitAfter429, withHeaders } from './api/responses.ts';
import type { Selection } from './api/selection.ts';
import { createScenarios, type Scenarios } from './control/scenarios.ts';
import { cuttingFaults, drawMs, faultKinds, type Outcome, silentFaults } from './faults/fault.ts';
import { withFault } from './faults/response-faults.ts';
import { createFaults, endless, type FaultMatch, type FaultRules, type Faults } from './faults/rules.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { createRecorder } from './journal/recorder.ts';
import { type Clock, createClock } from './limit/clock.ts';
import { createLimiter, type LimitState } from './limit/limiter.ts';
import { type MockOptions, optionReaders, settingsOf } from './mock-options.ts';
import { rejectOldNode } from './node-version.ts';
import { type PlainKeys, plainKeys } from './orders/accounts.ts';
import { fraction } from './orders/random.ts';
import type { Placed } from './orders/read-orders.ts';
import { createSamples, type Samples } from './orders/samples.ts';
import { createState, type State, type StateStore } from './orders/state.ts';
import { readFields } from './settings/check.ts';
import {
  changeSettings,
  createSettings,
  type ProfileName,
  type SettingInput,
  strictSettings,
} from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';
import { type WebFetch, webFetch } from './web-fetch.ts';

/** A mock of the API. Each mock has its own state, so several can run in one process. */
export interface Mock {
  /** The initial API keys in plain text, by name. The state contains only their hashes (§5.4). */
  keys: PlainKeys;
  /** The accounts, API keys and orders. */
  state: State;
  /** Generated orders for cases that clients often mishandle, e.g. `samples.partlyDelivered.id`. */
  samples: Samples;
  clock: Clock;
  journal: Journal;
  faults: Faults;
  scenarios: Scenarios;
  /** Returns the current settings. */
  settings(): Settings;
  /** Returns the name of the current profile. */
  profile(): ProfileName;
  /** Changes individual settings from the next request on. @throws Error that lists what is allowed */
  set(settings: SettingInput): void;
  /**
   * Switches to a different profile from the next request on. Keeps the current limit and the initial settings unless
   * `settings` changes them.
   * @throws Error that lists what is allowed
   */
  setProfile(profile: ProfileName, settings?: SettingInput): void;
  /**
   * Works like the global fetch, without a server: every host name reaches the mock, and so does a URL that is only a
   * path.
   * @throws Error for a fault that breaks the connection, since this fetch has no connection; the reason of the
   *   request's signal if it aborts
   */
  fetch: WebFetch;
  /**
   * Resets state, profile, settings, limits, faults, scenarios, journal and clock to the start of the mock. Delayed
   * responses are sent immediately.
   */
  reset(): void;
}

/** A mock with the functions that its adapters need. */
export interface InnerMock extends Mock {
  state: StateStore;
  faults: FaultRules;
  /**
   * Responds to a request.
   * @param connection identifies the client's connection, if it has one
   */
  answer(request: MockRequest, connection?: object): Outcome;
  /** Runs a call, and returns its result and its warnings. */
  warned<Result>(run: () => Result): { result: Result; warnings: string[] };
  /** Returns the limit state of each active key without counting a request. */
  limits(): ({ key: string } & LimitState)[];
  /** Records a request that got no response because the fault `idleReset` reset its connection. */
  recordDropped(request: MockRequest): void;
}

/** Returns a mock, which comes from `createMock` or `listen`, with the functions that its adapters need. */
export const innerOf = (mock: Mock): InnerMock => mock as InnerMock;

/** The properties of the server that the mock needs. */
interface Site {
  /** Whether the server accepts only HTTPS. */
  tls?: boolean;
  /** Whether requests can trigger a fault with `x-mock-fault`. */
  faultHeader?: boolean;
  /** The values from a file with your own orders; they replace the option `orders`. */
  ownOrders?: readonly Placed[];
}

/**
 * Creates a mock.
 * @throws Error that names the invalid option
 */
export const createInnerMock = (options: MockOptions = {}, site: Site = {}): InnerMock => {
  rejectOldNode();
  const { tls = false, faultHeader = true } = site;
  const given = readFields<MockOptions>('a mock', options, optionReaders);
  const { seed = 1, licenseKeyPrefix = '', journalSize = 1000, latency = 0, relativeDates } = given;
  const { orders = 120, profile = 'strict' } = given;
  const keys = plainKeys(seed, options.keys);
  const clock = createClock(options.frozenAt);
  const newestAt = relativeDates ? Math.floor(clock.now() / 1000) * 1000 : undefined;
  let warnings: string[] | undefined;
  const warn = (text: string): void => {
    warnings?.push(text);
    console.warn(`order-license-mock: ${text}`);
  };
  const state = createState({
    seed,
    orders: site.ownOrders ?? (typeof orders === 'number' ? orders : [{ at: 'orders', value: orders }]),
    licenseKeyPrefix,
    newestAt,
    keys,
    now: clock.now,
    created: (key) => recorder.hide(key),
    warn,
  });
  const { contents } = state;
  const limiter = createLimiter();
  const journal = createJournal(journalSize, () => state.keys().map(({ name }) => name));
  const recorder = createRecorder(journal, clock.now, Object.values(keys));
  const served = (settings: Settings): Settings => {
    if (tls && settings.httpsOnly !== 'off')
      throw new Error('httpsOnly cannot be set with TLS, because the mock then serves only HTTPS; remove httpsOnly');
    return settings;
  };
  const initialSet = settingsOf(options);
  const initial = { profile, settings: served(createSettings(profile, initialSet)) };
  let current = initial;
  const isFrozen = (): boolean => options.frozenAt !== undefined && clock.isFrozen();
  if (isFrozen() && latency !== 0) throw new Error(endless('a latency'));
  const faults = createFaults(seed, (name) => contents.keyNamed(name), isFrozen);
  const scenarios = createScenarios(state, warn);
  let serial = 0;

  /** Returns the fault for a request. `problem` is the response to an invalid `x-mock-fault`. */
  const faultOf = (request: MockRequest, asked: Selection): FaultMatch & { problem?: MockResponse } => {
    try {
      return faults.match(faultHeader ? headerValues(request, 'x-mock-fault') : [], asked);
    } catch (error) {
      const problem = errorResponse('badRequest', strictSettings, `x-mock-fault: ${(error as Error).message}.`);
      return { delayMs: 0, problem };
    }
  };

  const mock: Omit<InnerMock, 'fetch'> = {
    keys,
    state,
    samples: createSamples(state),
    clock,
    journal,
    faults,
    scenarios,
    settings: () => current.settings,
    profile: () => current.profile,
    set(changes) {
      current = { ...current, settings: served(changeSettings(current.settings, changes)) };
    },
    setProfile(profile, changes = {}) {
      const base = createSettings(profile, { ...initialSet, limit: current.settings.limit });
      current = { profile, settings: served(changeSettings(base, changes)) };
    },
    answer(request, connection) {
      const now = clock.now();
      const { settings } = current;
      // 1. The usual response, as the API docs and the settings require.
      const read = readRequest(request, contents, settings);
      const usual = handle({ contents, limiter, settings, now, serial: ++serial }, request, read);
      const { key, verdict } = usual;
      // 2. The response with the request's fault, and all headers.
      const { fault, delayMs: faultMs, problem } = faultOf(request, read.asked);
      const waitMs = waitAfter429(fault?.headers, verdict, settings, now);
      const changed = fault ? withFault(usual.response, fault, waitMs, settings) : (problem ?? usual.response);
      const response = withHeaders(changed, verdict, waitMs, fault?.headers, settings, now);
      const delayMs = faultMs + (latency === 0 ? 0 : drawMs(latency, fraction(seed, serial, 901)));
      // 3. The journal, which records what the client will see.
      const status = fault && silentFaults.includes(fault.kind) ? 0 : response.status;
      const answer = fault && cuttingFaults.includes(fault.kind) ? undefined : response.summary;
      const isWaitStated = settings.rateHeaders !== 'none' || 'retry-after' in response.headers;
      const rejection = status === 429 ? { waitMs: isWaitStated ? waitMs : settings.windowMs, delayMs } : undefined;
      recorder.record(request, { status, answer, asked: read.asked, key, fault: fault?.kind, connection, rejection });
      // 4. The scenario steps that follow this request.
      if (key) scenarios.answered();
      // 5. What the adapter must do.
      if (!fault || !faultKinds[fault.kind].wire) return { response, delayMs };
      const turn = serial;
      const pauseMs = (piece: number): number => drawMs(fault.ms ?? 100, fraction(seed, turn, 1000 + piece));
      return { response, delayMs, wire: fault, pauseMs };
    },
    warned(run) {
      const heard: string[] = [];
      warnings = heard;
      try {
        return { result: run(), warnings: heard };
      } finally {
        warnings = undefined;
      }
    },
    limits: () =>
      state
        .keys()
        .filter(({ state }) => state === 'active')
        .map(({ name, sha256 }) => ({ key: name, ...limiter.look(sha256, clock.now(), current.settings) })),
    recordDropped(request) {
      const { asked } = readRequest(request, contents, current.settings);
      recorder.record(request, { status: 0, asked, fault: 'idleReset' });
    },
    reset() {
      state.reset();
      limiter.reset();
      recorder.reset();
      faults.clear();
      scenarios.clear();
      clock.reset();
      serial = 0;
      current = initial;
    },
  };
  return { ...mock, fetch: webFetch(mock, []) };
};

/**
 * Creates a mock of the API without a server: its `fetch` returns the responses.
 * @throws Error that names the invalid option, or says that Node.js is too old
 */
export const createMock: (options?: MockOptions) => Mock = (options) => createInnerMock(options);
