import { handle } from '../api/handle.ts';
import { isBodiless, type MockRequest } from '../api/http.ts';
import { addResponseHeaders } from '../api/response-headers.ts';
import { basePath } from '../api/router.ts';
import { createMock } from '../create-mock.ts';
import { type Status, statuses } from '../data/order.ts';
import { engineOf } from '../engine.ts';
import { createLimiter } from '../limit/limiter.ts';
import { wireForm } from '../server/serve-api.ts';
import type { Settings } from '../settings/settings.ts';
import type { FactGroup } from './groups.ts';
import type { Sent } from './limit-facts.ts';
import { type Got, headersFor, maxOrders, pathOf, type Question } from './questions.ts';
import { parseJson } from './read-body.ts';
import { chooseOrders, dataOf, type Listed, listedOrders, pagingOf, type Reply } from './reply.ts';

/** Enough for every question; the service may have more. */
const maxListed = 120;

/** The name of the mock's key whose account has a company or a VAT ID like the service's. */
export const keyLike = (got: Got): 'business' | 'otherAccount' | 'companyOnly' => {
  const { company, vat_id } = dataOf(got('me')) ?? {};
  if (!company === !vat_id) return 'business';
  return company ? 'companyOnly' : 'otherAccount';
};

/** Creates a mock whose account has as many orders as the service's, with the same statuses. */
const mirror = (got: Got) => {
  const listed = listedOrders(got);
  const total = pagingOf(got('list'), 'total') ?? listed.length;
  const mock = engineOf(createMock({ orders: Math.min(total, maxListed) }));
  const known = listed.map(({ status }) => status).filter((status) => statuses.includes(status as Status));
  const ids = mock.state
    .orders('business')
    .page(0, maxListed)
    .map(({ id }) => id);
  for (const [n, id] of ids.entries()) {
    const status = listed[n] ? listed[n].status : known.at(-1);
    if (statuses.includes(status as Status)) mock.state.setStatus(id, status as Status);
  }
  const key = keyLike(got);
  if (key === 'otherAccount') mock.state.setBusiness('business', { company: '' });
  if (key === 'companyOnly') mock.state.setBusiness('business', { vat_id: '' });
  return mock;
};

/** The facts of a mock with certain settings. */
export interface MockFacts {
  settings: Settings;
  of(group: FactGroup): ReadonlySet<string>;
  /** The settings that these facts depend on. */
  readFor(group: FactGroup): ReadonlySet<string>;
  /** The same mock with another value of one setting. Facts that don't depend on it are kept. */
  with(settings: Settings, changed: string): MockFacts;
}

interface Entry {
  value: unknown;
  reads: ReadonlySet<string>;
}

/**
 * Asks a mock in this process, each question when its facts are needed.
 * @param got the responses of the service, which the account of the mock resembles
 * @param secure whether the service has an https: address
 */
export const askMock = (got: Got, questions: readonly Question[], secure: boolean, initial: Settings): MockFacts => {
  const { state, keys } = mirror(got);
  const requestOf = (question: Question, path: string): MockRequest => ({
    method: 'GET',
    target: basePath + path,
    rawHeaders: ['host', 'localhost', ...Object.entries(headersFor(question, keys.business)).flat()],
    secure,
  });

  const create = (plain: Settings, kept: (key: unknown) => Entry | undefined): MockFacts => {
    let reading = new Set<string>();
    const settings = new Proxy(plain, {
      get(target, name) {
        reading.add(String(name));
        return Reflect.get(target, name);
      },
    });
    const entries = new Map<unknown, Entry>();
    const remember = (key: unknown, make: () => unknown): Entry => {
      let entry = entries.get(key) ?? kept(key);
      if (!entry) {
        const outer = reading;
        reading = new Set();
        entry = { value: make(), reads: reading };
        reading = outer;
      }
      entries.set(key, entry);
      for (const name of entry.reads) reading.add(name);
      return entry;
    };
    const send = (question: Question, serial: number, now: number, limiter = createLimiter()): Reply | undefined => {
      const path = pathOf(question, mockGot, chosen);
      if (path === undefined) return undefined;
      const request = requestOf(question, path);
      const { response, verdict } = handle({ state, limiter, settings, now, serial }, request);
      addResponseHeaders(response, verdict, settings, now);
      const { headers } =
        question.name === 'me' ? wireForm({ settings: () => settings }, request, { response }) : response;
      const body = isBodiless(response.status) ? { body: undefined } : parseJson(String(response.body));
      return { status: response.status, headers: headers as Reply['headers'], ...body };
    };
    const mockGot: Got = (name) => {
      const serial = questions.findIndex((question) => question.name === name);
      const question = questions[serial];
      return question && (remember(question, () => send(question, serial + 1, 0)).value as Reply | undefined);
    };
    const chosen = () => remember('chosen', () => chooseOrders(mockGot, maxOrders)).value as readonly Listed[];
    const factsOf = (group: FactGroup): Entry => {
      return remember(group, () => new Set(group.facts(mockGot, chosen, replay)));
    };
    const replay = (sent: readonly Sent[]): Reply[] => {
      const limiter = createLimiter();
      return sent.flatMap(({ question, at }, n) => send(question, n, at, limiter) ?? []);
    };
    return {
      settings: plain,
      of: (group) => factsOf(group).value as ReadonlySet<string>,
      readFor: (group) => factsOf(group).reads,
      with: (next, changed) =>
        create(next, (key) => {
          const entry = entries.get(key);
          return entry?.reads.has(changed) ? undefined : entry;
        }),
    };
  };
  return create(initial, () => undefined);
};
