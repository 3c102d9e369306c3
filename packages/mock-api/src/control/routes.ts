import { samplesThere } from '../data/samples.ts';
import type { StateDump } from '../data/snapshot.ts';
import type { MockEngine } from '../engine.ts';
import { faultKinds } from '../faults/fault.ts';
import { contractRules } from '../journal/contract-rules.ts';
import { readOpenApi } from '../open-api.ts';
import {
  addFault,
  addSteps,
  type ControlRequest,
  changeAccount,
  changeClock,
  changeOrder,
  changeSettings,
  describeClock,
  describeHealth,
  describeLimits,
  describeSettings,
  insertOrder,
  makeKey,
  readJournal,
  removeOrder,
  removeOrders,
  replaceOrders,
} from './calls.ts';
import { accountExample, keyExample, orderExample } from './examples.ts';

/** A control call. */
export interface ControlCall {
  method: string;
  /** Below `/__mock`; a name in braces at the end matches any text. */
  path: string;
  about: string;
  /** An example body that works as is, if the call takes one. */
  body?: Record<string, unknown>;
  call: (mock: MockEngine, request: ControlRequest, name: string) => unknown;
}

/** Every control call. */
export const controlCalls: readonly ControlCall[] = [
  { method: 'GET', path: '/health', about: 'answers while the mock runs, under any host name', call: describeHealth },
  {
    method: 'POST',
    path: '/reset',
    about: 'resets everything to the start',
    call: (mock) => mock.reset(),
  },
  { method: 'GET', path: '/state', about: 'accounts, key hashes and orders', call: (mock) => mock.state.dump() },
  {
    method: 'PUT',
    path: '/state',
    about: 'replaces the state by one from GET /state, completely or not at all',
    body: { seed: 1, accounts: [accountExample], keys: [keyExample] },
    call: (mock, { body }) => mock.state.load(body as unknown as StateDump),
  },
  { method: 'GET', path: '/keys', about: 'names, hashes and states of the keys', call: (mock) => mock.state.keys() },
  {
    method: 'POST',
    path: '/keys',
    about: 'creates a key and shows it once',
    body: { account: 'otherAccount', name: 'erp' },
    call: makeKey,
  },
  {
    method: 'DELETE',
    path: '/keys/{name}',
    about: 'revokes a key permanently',
    call: (mock, _, name) => mock.state.revokeKey(name),
  },
  {
    method: 'PATCH',
    path: '/accounts/{account}',
    about: 'changes company and VAT ID; absent fields stay, and an account with neither gets 403',
    body: { company: 'Neu GmbH', vat_id: '' },
    call: changeAccount,
  },
  {
    method: 'POST',
    path: '/orders',
    about:
      'inserts an order in the fields of the API, all optional, or an array or API answer with several; returns list entries',
    body: orderExample,
    call: insertOrder,
  },
  {
    method: 'PATCH',
    path: '/orders/{id}',
    about: 'changes any fields of an order; deliver is the number of license codes to add; returns the list entry',
    body: { status: 'bezahlt', zahlungsstatus: 'bezahlt', lieferstatus: 'teilgeliefert', deliver: 1 },
    call: changeOrder,
  },
  {
    method: 'PUT',
    path: '/orders',
    about: 'replaces all orders of the account business, or of ?account=NAME, completely or not at all',
    body: { orders: [orderExample].map(({ account: _, ...order }) => order) },
    call: replaceOrders,
  },
  {
    method: 'DELETE',
    path: '/orders',
    about: 'removes all orders of the account business, or of ?account=NAME',
    call: removeOrders,
  },
  { method: 'DELETE', path: '/orders/{id}', about: 'removes an order', call: removeOrder },
  {
    method: 'GET',
    path: '/samples',
    about: 'a seeded order for each case, by name',
    call: (mock) => samplesThere(mock.samples),
  },
  { method: 'GET', path: '/settings', about: 'the profile, every setting and its values', call: describeSettings },
  {
    method: 'PATCH',
    path: '/settings',
    about: 'changes the profile, single settings, or both',
    body: { profile: 'lenient', set: { money: 'number' } },
    call: changeSettings,
  },
  {
    method: 'GET',
    path: '/faults',
    about: 'pending faults, and all kinds of faults',
    call: (mock) => ({ faults: mock.faults.list(), kinds: faultKinds }),
  },
  {
    method: 'POST',
    path: '/faults',
    about: 'adds a fault for later requests; also id, method, key, skip, retryAfter, headers',
    body: { kind: '503', operation: 'list', page: 2, times: 1 },
    call: addFault,
  },
  { method: 'DELETE', path: '/faults', about: 'removes all faults', call: (mock) => mock.faults.clear() },
  {
    method: 'GET',
    path: '/scenarios',
    about: 'the pending steps',
    call: (mock) => ({ steps: mock.scenarios.list() }),
  },
  {
    method: 'POST',
    path: '/scenarios',
    about:
      'changes orders, keys or accounts after later requests; also insertOrder, deliverCodes, revokeKey, setBusiness',
    body: { steps: [{ after: 2, do: 'revokeKey', key: 'business' }] },
    call: addSteps,
  },
  { method: 'DELETE', path: '/scenarios', about: 'removes all steps', call: (mock) => mock.scenarios.clear() },
  {
    method: 'GET',
    path: '/limits',
    about:
      'the limit, and for each active key the remaining requests (null without a limit) and the ms until more may pass',
    call: describeLimits,
  },
  { method: 'GET', path: '/clock', about: 'the time of the mock, and whether it is frozen', call: describeClock },
  {
    method: 'PATCH',
    path: '/clock',
    about:
      'advances the clock (ms), freezes it {"freeze": true, ms since 1970 or "2026-03-31 14:05:00"} or resumes it {"resume": true}',
    body: { advance: 60_000 },
    call: changeClock,
  },
  {
    method: 'GET',
    path: '/journal',
    about:
      'how many requests the journal holds and dropped, and its entries; ?after=N, operation, page, id, method, key, status, violations=true|false',
    call: readJournal,
  },
  { method: 'DELETE', path: '/journal', about: 'empties the journal', call: (mock) => mock.journal.clear() },
  {
    method: 'GET',
    path: '/rules',
    about: 'the rules that the journal checks, by number: statements of the API docs (S) and open points (U)',
    call: () => contractRules,
  },
  { method: 'GET', path: '/openapi.yaml', about: 'the API as OpenAPI 3.1', call: readOpenApi },
];
