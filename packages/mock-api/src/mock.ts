import { type PlainKeys, plainKeys, type StoredKey } from './accounts.ts';
import { refusal } from './answers.ts';
import { type Clock, createClock } from './clock.ts';
import { type BundleName, changeDialect, createDialect, type SettingInput } from './dialect.ts';
import type { Exchange } from './exchange.ts';
import { type Fault, type FaultKind, faultKinds, faultWaitMs, silentFaults } from './fault-spec.ts';
import { matcherOf } from './fault-target.ts';
import { createFaults, type Faults, type Strike } from './faults.ts';
import { finish } from './finish.ts';
import { handle } from './handle.ts';
import { createJournal, type Journal } from './journal.ts';
import { judge, waitMs } from './judge.ts';
import { createLimiter, type Verdict } from './limiter.ts';
import { createMask } from './mask.ts';
import { type MockOptions, readOptions, settingsOf } from './mock-options.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './request.ts';
import { createScenarios, type Scenarios } from './scenarios.ts';
import type { Dialect } from './settings.ts';
import { spoil } from './spoil.ts';
import { createState, type State } from './state.ts';
import { type WebFetch, webFetch } from './web.ts';

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
  lose(request: MockRequest, fault: FaultKind): void;
  /**
   * Answers as the global fetch would, without a server. Only path and query of the address count.
   * @throws Error for a fault that breaks the wire: fetch cannot show that
   */
  fetch: WebFetch;
  /** Back to how the mock was made: state, dialect, limits, faults, scenarios, journal. The clock goes on. */
  reset(): void;
}

/**
 * A mock service without a server.
 * @param tls whether it will be served over HTTPS alone
 * @throws Error with a sentence about the option that is wrong
 */
export function createMock(options: MockOptions = {}, tls = false): Mock {
  const { seed, orders, licenseKeyPrefix, journalSize, latency } = readOptions(options);
  const keys = plainKeys(seed, options.keys);
  const clock = createClock(options.frozenAt);
  const state = createState({ seed, orders, licenseKeyPrefix, keys, now: clock.now });
  const limiter = createLimiter();
  const journal = createJournal(journalSize);
  const strict = createDialect();
  const faults = createFaults(seed, () => state.keys().map(({ name }) => name));
  const scenarios = createScenarios(state, seed, clock.now);
  const addLatency = (): void => {
    if (latency !== undefined) faults.add({ kind: 'delay', ms: latency, times: 'always' });
  };
  addLatency();
  const maskOf = createMask((hash) => state.findKey(hash) !== undefined);
  /** The last 429 of each key, and how long it told to wait. */
  const refused = new Map<string, { at: number; waitMs: number }>();
  const fitting = (next: Dialect): Dialect => {
    if (tls && next.httpsOnly !== 'off') throw new Error('httpsOnly is about plain HTTP, and with TLS there is none');
    return next;
  };
  const initialDialect = fitting(createDialect(options.dialect, settingsOf(options)));
  let dialect = initialDialect;
  let serial = 0;

  const note = (
    request: MockRequest,
    key: StoredKey | undefined,
    status: number,
    fault?: Fault,
    verdict?: Verdict,
  ): void => {
    const now = clock.now();
    const masked = maskOf(request);
    const { path, query } = splitTarget(masked.target);
    const last = key && refused.get(key.sha256);
    // A clock that was set back starts the limits anew.
    const early = last && now >= last.at ? last.at + last.waitMs - now : 0;
    journal.add({
      at: now,
      method: request.method,
      path,
      query,
      headers: masked.headers,
      status,
      ...(key ? { key: key.name } : {}),
      ...(fault ? { fault: fault.kind } : {}),
      violations: judge(request, early / 1000),
    });
    if (key && status === 429)
      refused.set(key.sha256, { at: now, waitMs: waitMs(verdict, dialect, fault && faultWaitMs(fault)) });
  };

  /** The fault of a request; `problem` answers one that asks for a fault there is not. */
  const strike = (request: MockRequest): Strike & { problem?: MockResponse } => {
    try {
      return faults.strike(headerValues(request, 'x-mock-fault')[0], () => matcherOf(request, state, dialect));
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
      dialect = fitting(changeDialect(dialect, settings));
    },
    setDialect(bundle, settings) {
      dialect = fitting(createDialect(bundle, settings));
    },
    answer(request) {
      const now = clock.now();
      const { response, key, verdict: counted } = handle({ state, limiter, dialect, now, serial: ++serial }, request);
      const { fault, delayMs, problem } = strike(request);
      const spoilt = problem ?? (fault ? spoil(response, fault, dialect, request.target) : response);
      const verdict = counted && fault && spoilt.status === 429 ? refusedBy(fault, counted, dialect) : counted;
      note(request, key, fault && silentFaults.includes(fault.kind) ? 0 : spoilt.status, fault, verdict);
      if (key) scenarios.answered();
      const exchange = { response: finish(request, spoilt, verdict, dialect, now, fault), delayMs };
      return fault && faultKinds[fault.kind].wire ? { ...exchange, wire: fault } : exchange;
    },
    lose(request, kind) {
      note(request, undefined, 0, { kind });
    },
    reset() {
      state.reset();
      limiter.reset();
      refused.clear();
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

/** The verdict behind a 429 that a fault answers: the headers of the limit then agree with the status. */
function refusedBy(fault: Fault, verdict: Verdict, { windowMs }: Dialect): Verdict {
  if (!verdict.allowed) return verdict;
  return { ...verdict, allowed: false, remaining: 0, resetMs: faultWaitMs(fault) ?? windowMs };
}
