import { handle } from './api/handle.ts';
import { headerValues, type MockRequest, type MockResponse, splitTarget } from './api/http.ts';
import { createLimiter, type Verdict } from './api/rate-limiter.ts';
import { finish } from './api/response-headers.ts';
import { type Malformed, refusal } from './api/responses.ts';
import { type Clock, createClock } from './clock.ts';
import { type PlainKeys, plainKeys, type StoredKey } from './data/accounts.ts';
import { fraction } from './data/random.ts';
import { createState, type State } from './data/state.ts';
import { drawMs, type Fault, type FaultKind, faultKinds, faultWaitMs, silentFaults } from './faults/fault.ts';
import { spoil } from './faults/http-faults.ts';
import { createFaults, type Faults, type Strike } from './faults/rules.ts';
import { matcherOf } from './faults/target.ts';
import { type WebFetch, webFetch } from './fetch-adapter.ts';
import { judge, waitMs } from './journal/contract-check.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { createMask } from './journal/redact.ts';
import { type Connection, createWaits } from './journal/wait-after-429.ts';
import { type MockOptions, readOptions, settingsOf } from './mock-options.ts';
import type { Exchange } from './outcome.ts';
import { createScenarios, type Scenarios } from './scenarios/scenarios.ts';
import { type BundleName, changeDialect, createDialect, type SettingInput } from './settings/profiles.ts';
import type { Dialect } from './settings/settings.ts';

/** One mock service: its state is its own, so two mocks in one process never meet. */
export interface Mock {
  /** The plain keys that the mock was made with. They are kept for the caller only; the state holds hashes. */
  keys: PlainKeys;
  state: State;
  clock: Clock;
  journal: Journal;
  faults: Faults;
  scenarios: Scenarios;
  /** The settings in force. */
  dialect(): Dialect;
  /** The name of the dialect in force, under the single settings. */
  dialectName(): BundleName;
  /** Changes single settings from the next request on. @throws Error that says what is allowed */
  set(settings: SettingInput): void;
  /**
   * Takes another dialect, with single settings over it. The limit in force and the settings that the mock was made
   * with stay as they are, unless `settings` names them. @throws Error that says what is allowed
   */
  setDialect(bundle: BundleName, settings?: SettingInput): void;
  /** Answers one request. @param connection what `connect` returned; without it, earlier answers count as read */
  answer(request: MockRequest, connection?: Connection): Exchange;
  /** Opens a connection, so that the journal knows which answers a client can have read. */
  connect(): Connection;
  /** Notes a request in the journal that the wire swallowed. */
  lose(request: MockRequest, fault: FaultKind): void;
  /** The error for bytes that are no request, or for one without a Host header; the journal notes it. */
  refuse(reason: Malformed, request?: MockRequest): MockResponse;
  /**
   * Answers as the global fetch would, without a server. Only path and query of the address count.
   * @throws Error for a fault that breaks the wire: fetch cannot show that
   */
  fetch: WebFetch;
  /**
   * Back to how the mock was made: state, dialect, limits, faults, scenarios, journal, clock. Delayed answers leave at
   * once.
   */
  reset(): void;
}

/**
 * A mock service without a server.
 * @param site how a server serves it: over HTTPS alone, and whether requests may ask for a fault with `x-mock-fault`
 * @throws Error with a sentence about the option that is wrong
 */
export const createMock = (options: MockOptions = {}, site: { tls?: boolean; faultHeader?: boolean } = {}): Mock => {
  const { tls = false, faultHeader = true } = site;
  const { seed, orders, licenseKeyPrefix, journalSize, latency } = readOptions(options);
  const keys = plainKeys(seed, options.keys);
  const clock = createClock(options.frozenAt);
  const state = createState({ seed, orders, licenseKeyPrefix, keys, now: clock.now });
  const limiter = createLimiter();
  const journal = createJournal(journalSize);
  const strict = createDialect();
  const faults = createFaults(seed, () => state.keys().map(({ name }) => name));
  const scenarios = createScenarios(state, seed, clock.now);
  const latencyMs = (): number =>
    latency === undefined ? 0 : drawMs(latency, fraction(seed, serial, 901), fraction(seed, serial, 902));
  const maskOf = createMask((hash) => state.findKey(hash) !== undefined);
  const waits = createWaits();
  const fitting = (next: Dialect): Dialect => {
    if (tls && next.httpsOnly !== 'off') throw new Error('httpsOnly is about plain HTTP, and with TLS there is none');
    return next;
  };
  const initialSettings = settingsOf(options);
  const initialDialect = fitting(createDialect(options.dialect, initialSettings));
  const initialName = options.dialect ?? 'strict';
  let dialect = initialDialect;
  let dialectName = initialName;
  let serial = 0;
  let broken = 0;

  const note = (
    request: MockRequest,
    key: StoredKey | undefined,
    status: number,
    fault?: Fault,
    verdict?: Verdict,
    connection?: Connection,
  ): void => {
    const now = clock.now();
    const arrival = waits.arrived(connection, now);
    const masked = maskOf(request);
    const { path, query } = splitTarget(masked.target);
    journal.add({
      at: now,
      method: request.method,
      path,
      query,
      headers: masked.headers,
      status,
      ...(key ? { key: key.name } : {}),
      ...(fault ? { fault: fault.kind } : {}),
      violations: judge(request, key ? arrival.earlyMs(key.sha256) / 1000 : 0),
    });
    if (key && status === 429) {
      arrival.refused(key.sha256, waitMs(verdict, dialect, fault && faultWaitMs(fault)));
    }
  };

  /** The fault of a request; `problem` answers one that asks for a fault there is not. */
  const strike = (request: MockRequest): Strike & { problem?: MockResponse } => {
    try {
      const asked = faultHeader ? headerValues(request, 'x-mock-fault')[0] : undefined;
      return faults.strike(asked, () => matcherOf(request, state, dialect));
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
    dialectName: () => dialectName,
    set(settings) {
      dialect = fitting(changeDialect(dialect, settings));
    },
    setDialect(bundle, settings = {}) {
      const base = createDialect(bundle, { ...initialSettings, limit: dialect.limit });
      dialect = fitting(changeDialect(base, settings));
      dialectName = bundle;
    },
    answer(request, connection) {
      const now = clock.now();
      const { response, key, verdict: counted } = handle({ state, limiter, dialect, now, serial: ++serial }, request);
      const { fault, delayMs, problem } = strike(request);
      const spoilt = problem ?? (fault ? spoil(response, fault, dialect, request.target) : response);
      const verdict = counted && fault && spoilt.status === 429 ? refusedBy(fault, counted, dialect) : counted;
      note(request, key, fault && silentFaults.includes(fault.kind) ? 0 : spoilt.status, fault, verdict, connection);
      if (key) scenarios.answered();
      const exchange = {
        response: finish(request, spoilt, verdict, dialect, now, fault),
        delayMs: delayMs + latencyMs(),
      };
      if (!fault || !faultKinds[fault.kind].wire) return exchange;
      const turn = ++broken;
      const pauseMs = (piece: number): number =>
        drawMs(fault.ms ?? 100, fraction(seed, turn, 2 * piece), fraction(seed, turn, 2 * piece + 1));
      return { ...exchange, wire: fault, pauseMs };
    },
    connect: waits.open,
    lose(request, kind) {
      note(request, undefined, 0, { kind });
    },
    refuse(reason, request) {
      const response = refusal(reason, dialect);
      const { status } = response;
      if (request) note(request, undefined, status);
      else {
        const unread = { method: '-', path: '-', query: '', headers: {}, violations: [] };
        journal.add({ at: clock.now(), status, ...unread });
      }
      return finish(request ?? noRequest, response, undefined, dialect, clock.now());
    },
    reset() {
      state.reset();
      limiter.reset();
      waits.reset();
      broken = 0;
      journal.clear();
      faults.clear();
      scenarios.clear();
      clock.reset();
      serial = 0;
      dialect = initialDialect;
      dialectName = initialName;
    },
  };
  return { ...mock, fetch: webFetch(mock) };
};

/** Stands for bytes that could not be read as a request. */
const noRequest: MockRequest = { method: '-', target: '-', rawHeaders: [], secure: false };

/** The verdict behind a 429 that a fault answers: the headers of the limit then agree with the status. */
const refusedBy = (fault: Fault, verdict: Verdict, { windowMs }: Dialect): Verdict => {
  if (!verdict.allowed) return verdict;
  return { ...verdict, allowed: false, remaining: 0, resetMs: faultWaitMs(fault) ?? windowMs };
};
