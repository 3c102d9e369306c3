import packageJson from '../../package.json' with { type: 'json' };
import { faultKinds } from '../faults/fault.ts';
import type { FaultInput } from '../faults/rule.ts';
import { clientRules } from '../journal/client-rules.ts';
import type { JournalFilter } from '../journal/journal-filter.ts';
import { advanced, clockTime } from '../limit/clock.ts';
import type { InnerMock } from '../mock.ts';
import { readOpenApi } from '../open-api.ts';
import { type OrderInput, orderExample } from '../orders/order-fields.ts';
import { samplesThere } from '../orders/samples.ts';
import { isObject, oneOf, rejectUnknownFields } from '../settings/check.ts';
import { type ProfileName, profileNames } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { describeClock, describeLimits, overview } from './overview.ts';
import type { ScenarioStep } from './scenarios.ts';

export interface ControlRequest {
  method: string;
  /** The path below `/__mock`, e.g. `/keys/business`. */
  path: string;
  query: URLSearchParams;
  /** The parsed JSON body; `{}` if there is none. Orders can also be an array. */
  body: Record<string, unknown>;
}

/** A control call. */
export interface ControlCall {
  method: string;
  /** The path below `/__mock`. A name in braces at its end matches any text. */
  path: string;
  about: string;
  /** An example body, which works without changes; absent if the call needs no body. */
  body?: Record<string, unknown>;
  call: (mock: InnerMock, request: ControlRequest, name: string) => unknown;
}

/**
 * Returns the account and the orders in a request. The account can be a field of the body, or part of the query
 * (`?account=otherAccount`), which also works if the body is an array.
 */
const accountOf = ({ query, body }: ControlRequest): { account: string; orders: object } => {
  if (Array.isArray(body)) return { account: query.get('account') ?? 'business', orders: body };
  const { account = query.get('account') ?? 'business', ...orders } = body;
  return { account: account as string, orders };
};

/** The state rejects an ID that isn't a number. */
const orderId = (name: string) => (/^\d+$/.test(name) ? Number(name) : name) as number;

/** Returns a list entry (§2.2) before settings are applied, since control calls accept only the ID in its default form. */
const entryOf = ({ state }: InnerMock, { id }: { id: number }): unknown => state.order(id).list;

const insertOrders = (mock: InnerMock, request: ControlRequest): unknown => {
  const { account, orders } = accountOf(request);
  if (Array.isArray(orders) || ['data', 'orders'].some((name) => Object.hasOwn(orders, name)))
    return { orders: mock.state.insertOrders(account, orders).map((order) => entryOf(mock, order)) };
  return entryOf(mock, mock.state.insertOrder(account, orders as OrderInput));
};

const changeSettings = (mock: InnerMock, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a settings change', body, ['profile', 'set']);
  const { profile, set = {} } = body;
  if (!isObject(set)) throw new Error('set must be an object such as {"money": "number"}');
  if (profile === undefined) mock.set(set);
  else mock.setProfile(profile as ProfileName, set);
  return mock.settings();
};

const changeClock = (mock: InnerMock, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a clock change', body, ['advance', 'freeze', 'resume']);
  const { advance, freeze, resume } = body;
  if (Object.keys(body).length === 0)
    throw new Error('a clock change needs advance (ms), freeze (true or a time) or resume (true)');
  const { clock } = mock;
  const at = freeze === undefined || freeze === true ? clock.now() : clockTime('freeze must be true or', freeze);
  if (advance !== undefined) advanced(at, advance);
  if (resume !== undefined && resume !== true) throw new Error('resume must be true');
  // All values have been checked, so the changes happen together or not at all.
  if (freeze !== undefined) clock.freeze(at);
  if (advance !== undefined) clock.advance(advance as number);
  if (resume !== undefined) clock.resume();
  return describeClock(mock);
};

/** Reads the filter of `GET /__mock/journal?after=3&operation=list`. @throws Error that names the parameter */
const filterOf = (query: URLSearchParams): JournalFilter => {
  const filter: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(filter, name)) throw new Error(`${name} is given twice`);
    const isNumber = ['after', 'page', 'id', 'status'].includes(name) && /^\d{1,15}$/.test(value);
    filter[name] = isNumber ? Number(value) : value;
  }
  if (filter.violations !== undefined)
    filter.violations = oneOf(['', 'true', 'false'])('violations', filter.violations) !== 'false';
  return filter as JournalFilter;
};

const calls: Record<string, Omit<ControlCall, 'method' | 'path'>> = {
  'GET /health': {
    about: 'responds while the mock runs, whatever the host name',
    call: () => ({ status: 'ok', version: packageJson.version }),
  },
  'POST /reset': { about: 'resets everything to the initial state', call: (mock) => mock.reset() },
  'GET /keys': { about: 'returns the names, hashes and states of the keys', call: (mock) => mock.state.keys() },
  'POST /keys': {
    about: 'creates a key; only this response shows it',
    body: { account: 'otherAccount', name: 'erp' },
    call(mock, { body }) {
      rejectUnknownFields('a new key', body, ['account', 'name']);
      const { account = 'business', name } = body;
      return mock.state.createKey(account as string, name as string | undefined);
    },
  },
  'DELETE /keys/{name}': {
    about: 'revokes a key permanently',
    call: (mock, _, name) => mock.state.revokeKey(name),
  },
  'PATCH /accounts/{account}': {
    about: 'changes company and VAT ID, and leaves omitted fields unchanged; an account that has neither gets 403',
    body: { company: 'Neu GmbH', vat_id: '' },
    call: (mock, { body }, name) => mock.state.setBusiness(name, body),
  },
  'POST /orders': {
    about:
      "inserts an order, or several orders given as an array or API response, and returns their list entries; every field has the API's name and is optional",
    body: { account: 'business', ...orderExample },
    call: insertOrders,
  },
  'PATCH /orders/{id}': {
    about:
      'changes any fields of an order except its id, and returns its list entry; deliver is the number of additional license codes to deliver',
    body: { status: 'bezahlt', zahlungsstatus: 'bezahlt', lieferstatus: 'teilgeliefert', deliver: 1 },
    call(mock, { body }, name) {
      const id = orderId(name);
      mock.state.changeOrder(id, body);
      return entryOf(mock, { id });
    },
  },
  'PUT /orders': {
    about: 'replaces all orders of the account business, or of ?account=NAME; if an order is invalid, changes nothing',
    body: { orders: [{ id: 90_001, status: 'bezahlt', items: [{ menge: 2 }] }] },
    call(mock, request) {
      const { account, orders } = accountOf(request);
      return { orders: mock.state.replaceOrders(account, orders).map((order) => entryOf(mock, order)) };
    },
  },
  'DELETE /orders': {
    about: 'removes all orders of the account business, or of ?account=NAME',
    call: (mock, request) => mock.state.removeOrders(accountOf(request).account),
  },
  'DELETE /orders/{id}': {
    about: 'removes an order',
    call: (mock, _, name) => mock.state.removeOrder(orderId(name)),
  },
  'GET /samples': {
    about: 'returns the samples by name: generated orders for cases that clients often mishandle',
    call: (mock) => samplesThere(mock.state),
  },
  'GET /settings': {
    about: 'returns the profile, and every setting with its possible values',
    call(mock) {
      const current = mock.settings();
      const settings = Object.entries(settingDefinitions).map(([name, setting]) => [
        name,
        { value: current[name as keyof typeof current], ...setting },
      ]);
      return { profile: mock.profile(), profiles: profileNames, settings: Object.fromEntries(settings) };
    },
  },
  'PATCH /settings': {
    about: 'changes the profile, single settings, or both',
    body: { profile: 'lenient', set: { money: 'number' } },
    call: changeSettings,
  },
  'GET /faults': {
    about: 'returns the pending faults, and all kinds of faults',
    call: (mock) => ({ faults: mock.faults.list(), kinds: faultKinds }),
  },
  'POST /faults': {
    about:
      'adds a fault for later requests: a kind, or a response such as {"status": 200, "body": ""}; it can also have the fields id, method, key, skip, retryAfter and headers',
    body: { kind: '503', operation: 'list', page: 2, times: 1 },
    call(mock, { body }) {
      mock.faults.add(body as unknown as FaultInput);
      return mock.faults.list();
    },
  },
  'DELETE /faults': { about: 'removes all faults', call: (mock) => mock.faults.clear() },
  'GET /scenarios': {
    about: 'returns the pending scenario steps, and the failed ones with their errors',
    call: (mock) => ({ steps: mock.scenarios.list() }),
  },
  'POST /scenarios': {
    about:
      'adds scenario steps, each of which runs after a number of requests: insertOrder, setStatus, deliverCodes, revokeKey or setBusiness',
    body: { steps: [{ after: 2, do: 'revokeKey', key: 'business' }] },
    call(mock, { body }) {
      rejectUnknownFields('a scenario', body, ['steps']);
      mock.scenarios.script(body.steps as ScenarioStep[]);
      return mock.scenarios.list();
    },
  },
  'DELETE /scenarios': { about: 'removes all pending scenario steps', call: (mock) => mock.scenarios.clear() },
  'GET /limits': {
    about:
      'returns the limit and, for each active key, the number of remaining requests (null if there is no limit) and the time until more are accepted, in ms',
    call: describeLimits,
  },
  'GET /clock': { about: "returns the mock's time, and whether it is frozen", call: describeClock },
  'PATCH /clock': {
    about:
      'changes the clock: advance is a number of ms; freeze is true to freeze the current time, or a time such as "2026-03-31 14:05:00" or ms since 1970; resume is true',
    body: { advance: 60_000 },
    call: changeClock,
  },
  'GET /journal': {
    about:
      "returns the journal's entries, and how many requests the journal has kept and dropped; filters are ?after=N, operation, page, id, method, key, status and violations=true|false",
    call: (mock, { query }) => ({ ...mock.journal.counts(), entries: mock.journal.entries(filterOf(query)) }),
  },
  'DELETE /journal': { about: 'empties the journal', call: (mock) => mock.journal.clear() },
  'GET /rules': {
    about:
      'returns the rules that the journal checks, by number: statements from the API docs (S) and open questions (U)',
    call: () => clientRules,
  },
  'GET /overview': {
    about:
      'returns everything that the page shows; with ?violations, its journal contains only requests that violate a rule',
    call: (mock, { query }) => overview(mock, query.has('violations')),
  },
  'GET /openapi.yaml': { about: 'returns the OpenAPI 3.1 description of the API', call: readOpenApi },
};

export const controlCalls: readonly ControlCall[] = Object.entries(calls).map(([name, call]) => {
  const [method = '', path = ''] = name.split(' ');
  return { method, path, ...call };
});
