import { samplesThere } from '../data/samples.ts';
import type { StateDump } from '../data/snapshot.ts';
import { faultKinds } from '../faults/fault.ts';
import type { Mock } from '../mock.ts';
import { readOpenApi } from '../open-api.ts';
import { scenarioNames } from '../scenarios/scenarios.ts';
import {
  addFault,
  type ControlRequest,
  changeAccount,
  changeClock,
  changeOrder,
  changeSettings,
  describeClock,
  describeSettings,
  insertOrder,
  makeKey,
  readJournal,
  startScenario,
} from './calls.ts';

type Call = (mock: Mock, request: ControlRequest, name: string) => unknown;

/** Every control call: method, path, what it does. A trailing `*` in the path is a name. */
export const routes: readonly [method: string, path: string, about: string, call: Call][] = [
  ['POST', '/reset', 'back to how the mock was started', (mock) => mock.reset()],
  ['GET', '/state', 'accounts, key hashes and changed orders', (mock) => mock.state.dump()],
  [
    'PUT',
    '/state',
    'take over what GET /state gave',
    (mock, { body }) => mock.state.load(body as unknown as StateDump),
  ],
  ['GET', '/keys', 'names, hashes and states of the keys', (mock) => mock.state.keys()],
  ['POST', '/keys', 'make a key for {account, name?}; shown this one time', makeKey],
  ['DELETE', '/keys/*', 'revoke a key for good', (mock, _, name) => mock.state.revokeKey(name)],
  ['PATCH', '/accounts/*', 'set {company?, vatId?}', changeAccount],
  ['POST', '/orders', 'insert an order: {account, status?, items?, …}', insertOrder],
  ['PATCH', '/orders/*', 'change an order: {status?, deliver?: number of codes}', changeOrder],
  ['GET', '/samples', 'seeded orders for one case each, by name', (mock) => samplesThere(mock.samples)],
  ['GET', '/settings', 'the profile and the settings in force, and the others', describeSettings],
  ['PATCH', '/settings', 'change it: {profile?, set?: {name: value}}', changeSettings],
  [
    'GET',
    '/faults',
    'faults that wait, and the kinds there are',
    (mock) => ({ faults: mock.faults.list(), kinds: faultKinds }),
  ],
  ['POST', '/faults', 'add a fault: {kind, times?, operation?, page?, id?, method?, key?, probability?, …}', addFault],
  ['DELETE', '/faults', 'drop all faults', (mock) => mock.faults.clear()],
  ['GET', '/scenarios', 'steps that wait', (mock) => ({ steps: mock.scenarios.list(), scenarios: scenarioNames })],
  ['POST', '/scenarios', 'start {scenario, options?} or {steps: […]}', startScenario],
  ['DELETE', '/scenarios', 'drop all steps', (mock) => mock.scenarios.clear()],
  ['GET', '/clock', 'the time of the mock', describeClock],
  ['PATCH', '/clock', '{advance: ms}, {freeze: true or ms since 1970} or {resume: true}', changeClock],
  [
    'GET',
    '/journal',
    'the last requests; ?after=N, operation, page, id, method, key, status, violations=true|false',
    readJournal,
  ],
  ['DELETE', '/journal', 'empty the journal', (mock) => mock.journal.clear()],
  ['GET', '/openapi.yaml', 'the API as OpenAPI 3.1', readOpenApi],
];
