import packageJson from '../../package.json' with { type: 'json' };
import { serializeListEntry } from '../api/show-entry.ts';
import { isObject, rejectUnknownFields, text, whole } from '../check.ts';
import { advanced, clockTime } from '../clock.ts';
import type { OrderInput } from '../data/order-input.ts';
import type { ScenarioStep } from '../data/scenarios.ts';
import type { MockEngine } from '../engine.ts';
import type { FaultInput } from '../faults/rule.ts';
import { createSettings, type ProfileName, profileNames } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { readJournalQuery } from './journal-query.ts';

/** A request to the control API. */
export interface ControlRequest {
  method: string;
  /** Below `/__mock`, e.g. `/keys/business`. */
  path: string;
  query: URLSearchParams;
  /** The parsed JSON body; `{}` if there is none. Orders can also be an array. */
  body: Record<string, unknown>;
}

export const describeHealth = (): unknown => ({ status: 'ok', version: packageJson.version });

export const makeKey = (mock: MockEngine, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a new key', body, ['account', 'name']);
  const { account = 'business', name } = body;
  return mock.state.createKey(text('account', account), name as string | undefined);
};

export const changeAccount = (mock: MockEngine, { body }: ControlRequest, name: string): void => {
  mock.state.setBusiness(name, body);
};

/** The account is a field of the body or, for any body, part of the query: `?account=otherAccount`. */
const accountOf = ({ query, body }: ControlRequest): { account: string; orders: object } => {
  if (Array.isArray(body)) return { account: query.get('account') ?? 'business', orders: body };
  const { account = query.get('account') ?? 'business', ...orders } = body;
  return { account: text('account', account), orders };
};

export const insertOrder = (mock: MockEngine, request: ControlRequest): unknown => {
  const { account, orders } = accountOf(request);
  if (Array.isArray(orders) || ['data', 'orders'].some((name) => Object.hasOwn(orders, name)))
    return { orders: mock.state.insertOrders(account, orders).map(({ id }) => listEntry(mock, id)) };
  return listEntry(mock, mock.state.insertOrder(account, orders as OrderInput).id);
};

export const replaceOrders = (mock: MockEngine, request: ControlRequest): unknown => {
  const { account, orders } = accountOf(request);
  return { orders: mock.state.replaceOrders(account, orders).map(({ id }) => listEntry(mock, id)) };
};

export const removeOrders = (mock: MockEngine, request: ControlRequest): void =>
  mock.state.removeOrders(accountOf(request).account);

export const removeOrder = (mock: MockEngine, _: ControlRequest, name: string): void =>
  mock.state.removeOrder(orderId(name));

const orderId = (name: string): number => whole()('the order id', /^\d+$/.test(name) ? Number(name) : name);

export const changeOrder = (mock: MockEngine, { body }: ControlRequest, name: string): unknown => {
  const id = orderId(name);
  mock.state.changeOrder(id, body);
  return listEntry(mock, id);
};

/** Returns an order as a list entry (§2.2) under default settings, since control calls take its default id. */
const listEntry = (mock: MockEngine, id: number): unknown => serializeListEntry(mock.state.order(id), standard);

const standard = createSettings();

export const describeSettings = (mock: MockEngine): unknown => {
  const current = mock.settings();
  const inForce = Object.entries(settingDefinitions).map(([name, setting]) => [
    name,
    { value: current[name as keyof typeof current], ...setting },
  ]);
  return { profile: mock.profile(), profiles: profileNames, settings: Object.fromEntries(inForce) };
};

export const changeSettings = (mock: MockEngine, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a settings change', body, ['profile', 'set']);
  const { profile, set = {} } = body;
  if (!isObject(set)) throw new Error('set must be an object like {"money": "number"}');
  if (profile === undefined) mock.set(set);
  else mock.setProfile(profile as ProfileName, set);
  return mock.settings();
};

export const addFault = (mock: MockEngine, { body }: ControlRequest): unknown => {
  mock.faults.add(body as unknown as FaultInput);
  return mock.faults.list();
};

export const addSteps = (mock: MockEngine, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a scenario', body, ['steps']);
  mock.scenarios.script(body.steps as ScenarioStep[]);
  return mock.scenarios.list();
};

export const describeLimits = (mock: MockEngine): unknown => {
  const { limit, window, windowMs } = mock.settings();
  return { limit, window, windowMs, keys: mock.limits() };
};

export const describeClock = (mock: MockEngine): unknown => {
  const now = mock.clock.now();
  return { now, iso: new Date(now).toISOString(), frozen: mock.clock.isFrozen() };
};

export const changeClock = (mock: MockEngine, { body }: ControlRequest): unknown => {
  rejectUnknownFields('a clock change', body, ['advance', 'freeze', 'resume']);
  const { advance, freeze, resume } = body;
  if (advance === undefined && freeze === undefined && resume === undefined) {
    throw new Error('a clock change needs advance (ms), freeze (true or a time) or resume (true)');
  }
  const { clock } = mock;
  const at = freeze === undefined || freeze === true ? clock.now() : clockTime('freeze must be true or', freeze);
  if (advance !== undefined) advanced(at, advance);
  if (resume !== undefined && resume !== true) throw new Error('resume must be true');
  // All values are valid, so all changes happen together.
  if (freeze !== undefined) clock.freeze(freeze === true ? undefined : at);
  if (advance !== undefined) clock.advance(advance as number);
  if (resume !== undefined) clock.resume();
  return describeClock(mock);
};

export const readJournal = (mock: MockEngine, { query }: ControlRequest): unknown => ({
  ...mock.journal.counts(),
  entries: mock.journal.entries(readJournalQuery(query)),
});
