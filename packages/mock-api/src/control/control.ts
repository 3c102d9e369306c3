import { advanced, clockTime } from '../clock.ts';
import { type Status, statuses } from '../data/order.ts';
import type { OrderDraft } from '../data/order-input.ts';
import type { StateDump } from '../data/snapshot.ts';
import { faultKinds } from '../faults/fault.ts';
import type { FaultInput } from '../faults/rule.ts';
import type { Mock } from '../mock.ts';
import { readOpenApi } from '../open-api.ts';
import { type ScenarioName, type Step, scenarioNames } from '../scenarios/scenarios.ts';
import { type BundleName, bundleNames } from '../settings/profiles.ts';
import { settings } from '../settings/settings.ts';
import { isObject, refuseUnknownFields } from '../validate/fields.ts';
import { oneOf, text, wholeNumber } from '../validate/values.ts';

/** All control paths lie under this. */
export const controlPath = '/__mock';

/** A request to the control API. */
export interface ControlRequest {
  method: string;
  /** Below `/__mock`, e.g. `/keys/business`. */
  path: string;
  query: URLSearchParams;
  /** The parsed JSON body; `{}` where there is none. */
  body: Record<string, unknown>;
}

export interface ControlAnswer {
  status: number;
  /** JSON, or text where it is a string. */
  body: unknown;
}

type Call = (mock: Mock, request: ControlRequest, name: string) => unknown;

/** Every control call: method, path, what it does. A trailing `*` in the path is a name. */
const routes: readonly [method: string, path: string, about: string, call: Call][] = [
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
  ['GET', '/dialect', 'the dialect and the settings in force, and the others', describeDialect],
  ['PATCH', '/dialect', 'change it: {dialect?, set?: {name: value}}', changeDialect],
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
  ['GET', '/journal', 'the last requests; ?violations for those that break the text', journal],
  ['DELETE', '/journal', 'empty the journal', (mock) => mock.journal.clear()],
  ['GET', '/openapi.yaml', 'the API as OpenAPI 3.1', readOpenApi],
];

/** Answers a control call. Errors are `{ error }` with a sentence. */
export function control(mock: Mock, request: ControlRequest): ControlAnswer {
  const { method, path } = request;
  if (path === '' || path === '/') {
    if (method !== 'GET') return { status: 405, body: { error: 'Use GET.' } };
    return {
      status: 200,
      body: Object.fromEntries(routes.map(([verb, route, about]) => [`${verb} ${controlPath}${route}`, about])),
    };
  }
  const matching = routes.filter(([, route]) => matches(route, path));
  const [, route = '', , call] = matching.find(([verb]) => verb === method) ?? [];
  if (!call) {
    if (matching.length === 0)
      return {
        status: 404,
        body: { error: `There is no ${controlPath}${path}; GET ${controlPath} lists what there is.` },
      };
    return { status: 405, body: { error: `Use ${matching.map(([verb]) => verb).join(' or ')}.` } };
  }
  try {
    const name = route.endsWith('*') ? decoded(path.slice(route.length - 1)) : '';
    return { status: 200, body: call(mock, request, name) ?? { done: true } };
  } catch (error) {
    return { status: 400, body: { error: (error as Error).message } };
  }
}

function matches(route: string, path: string): boolean {
  return route.endsWith('*') ? path.startsWith(route.slice(0, -1)) && path.length > route.length - 1 : route === path;
}

function makeKey(mock: Mock, { body }: ControlRequest): unknown {
  refuseUnknownFields('a new key', body, ['account', 'name']);
  const { account = 'business', name } = body;
  return mock.state.createKey(text('account', account), name as string | undefined);
}

function changeAccount(mock: Mock, { body }: ControlRequest, name: string): void {
  mock.state.setBusiness(name, body);
}

function insertOrder(mock: Mock, { body }: ControlRequest): unknown {
  const { account = 'business', ...draft } = body;
  return mock.state.insertOrder(text('account', account), draft as OrderDraft);
}

function changeOrder(mock: Mock, { body }: ControlRequest, name: string): void {
  refuseUnknownFields('an order change', body, ['status', 'deliver']);
  const { status, deliver } = body;
  const id = wholeNumber('the order id', /^\d+$/.test(name) ? Number(name) : name);
  mock.state.order(id);
  if (status !== undefined) oneOf('status', status, statuses);
  if (deliver !== undefined) wholeNumber('deliver', deliver);
  // Everything has been checked, so none of it happens alone.
  if (status !== undefined) mock.state.setStatus(id, status as Status);
  if (deliver !== undefined) mock.state.deliverCodes(id, deliver as number);
}

function describeDialect(mock: Mock): unknown {
  const dialect = mock.dialect();
  const inForce = Object.entries(settings).map(([name, setting]) => [
    name,
    { value: dialect[name as keyof typeof dialect], ...setting },
  ]);
  return { dialect: mock.dialectName(), dialects: bundleNames, settings: Object.fromEntries(inForce) };
}

function changeDialect(mock: Mock, { body }: ControlRequest): unknown {
  refuseUnknownFields('a dialect change', body, ['dialect', 'set']);
  const { dialect, set = {} } = body;
  if (!isObject(set)) throw new Error('set is an object like {"money": "number"}');
  if (dialect === undefined) mock.set(set);
  else mock.setDialect(dialect as BundleName, set);
  return mock.dialect();
}

function addFault(mock: Mock, { body }: ControlRequest): unknown {
  mock.faults.add(body as unknown as FaultInput);
  return mock.faults.list();
}

function startScenario(mock: Mock, { body }: ControlRequest): unknown {
  refuseUnknownFields('a scenario call', body, ['scenario', 'options', 'steps']);
  if (body.scenario === undefined) mock.scenarios.script(body.steps as Step[]);
  else mock.scenarios.start(body.scenario as ScenarioName, body.options as never);
  return mock.scenarios.list();
}

function describeClock(mock: Mock): unknown {
  const now = mock.clock.now();
  return { now, iso: new Date(now).toISOString(), frozen: mock.clock.isFrozen() };
}

function changeClock(mock: Mock, { body }: ControlRequest): unknown {
  refuseUnknownFields('a clock change', body, ['advance', 'freeze', 'resume']);
  const { advance, freeze, resume } = body;
  if (advance === undefined && freeze === undefined && resume === undefined) {
    throw new Error('say {"advance": ms}, {"freeze": true or ms since 1970} or {"resume": true}');
  }
  const { clock } = mock;
  const at = freeze === undefined || freeze === true ? clock.now() : clockTime('freeze is true or', freeze);
  if (advance !== undefined) advanced(at, advance);
  if (resume !== undefined && resume !== true) throw new Error('resume is true');
  // Everything has been checked, so none of it happens alone.
  if (freeze !== undefined) clock.freeze(freeze === true ? undefined : at);
  if (advance !== undefined) clock.advance(advance as number);
  if (resume !== undefined) clock.resume();
  return describeClock(mock);
}

function journal(mock: Mock, { query }: ControlRequest): unknown {
  const violations = query.get('violations') ?? 'false';
  oneOf('violations', violations, ['', 'true', 'false']);
  return violations === 'false' ? mock.journal.entries() : mock.journal.violations();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error(`the name "${name}" at the end of the path has a % that begins no encoded character`);
  }
}
