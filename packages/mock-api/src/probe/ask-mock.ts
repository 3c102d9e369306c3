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
import { createMemory, type Entry } from './memory.ts';
import { type Got, headersFor, maxOrders, pathOf, type Question } from './questions.ts';
import { parseJson } from './read-body.ts';
import { chooseOrders, dataOf, type Listed, listedOrders, pagingOf, type Reply } from './reply.ts';

/** A replay takes as long as reading so many responses. */
const replayCost = 20;

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
  /** The same mock with other settings. Facts that don't depend on what differs are kept. */
  with(settings: Settings): MockFacts;
  /** How many responses of mocks were read in this search; a replay counts as several. */
  sent(): number;
}

/**
 * Asks a mock in this process, each question when its facts are needed.
 * @param got the responses of the service, which the account of the mock resembles
 * @param secure whether the service has an https: address
 */
export const askMock = (got: Got, questions: readonly Question[], secure: boolean, initial: Settings): MockFacts => {
  const { state, keys } = mirror(got);
  const memories = new Map<unknown, ReturnType<typeof createMemory>>();
  const byName = new Map(questions.map((question, n) => [question.name, { question, serial: n + 1 }]));
  let count = 0;
  const requestOf = (question: Question, path: string): MockRequest => ({
    method: 'GET',
    target: basePath + path,
    rawHeaders: ['host', 'localhost', ...Object.entries(headersFor(question, keys.business)).flat()],
    secure,
  });

  const create = (plain: Settings): MockFacts => {
    let reading = new Set<string>();
    const settings = new Proxy(plain, {
      get(target, name) {
        reading.add(String(name));
        return Reflect.get(target, name);
      },
    });
    const own = new Map<unknown, Entry>();
    const make = (produce: () => unknown): Entry => {
      const outer = reading;
      reading = new Set();
      const entry = { value: produce(), reads: reading };
      reading = outer;
      return entry;
    };
    const remember = (key: unknown, produce: () => unknown): Entry => {
      const memory = memories.get(key) ?? createMemory();
      memories.set(key, memory);
      const entry = own.get(key) ?? memory.find(plain) ?? memory.keep(plain, make(produce));
      own.set(key, entry);
      for (const name of entry.reads) reading.add(name);
      return entry;
    };
    const handled = (question: Question, path: string, serial: number, now: number, limiter = createLimiter()) => {
      const request = requestOf(question, path);
      return { request, now, ...handle({ state, limiter, settings, now, serial }, request) };
    };
    const read = ({ request, now, response, verdict }: ReturnType<typeof handled>): Reply => {
      count++;
      addResponseHeaders(response, verdict, settings, now);
      const isShort = request.target === `${basePath}/me`;
      const { headers } = isShort ? wireForm({ settings: () => settings }, request, { response }) : response;
      const body = isBodiless(response.status) ? { body: undefined } : parseJson(String(response.body));
      return { status: response.status, headers: headers as Reply['headers'], ...body };
    };
    const send = (question: Question, serial: number): Reply | undefined => {
      const path = pathOf(question, mockGot, chosen);
      return path === undefined ? undefined : read(handled(question, path, serial, 0));
    };
    const mockGot: Got = (name) => {
      const asked = byName.get(name);
      return asked && (remember(name, () => send(asked.question, asked.serial)).value as Reply | undefined);
    };
    const chosen = () => remember('chosen', () => chooseOrders(mockGot, maxOrders)).value as readonly Listed[];
    const factsOf = (group: FactGroup): Entry => {
      return remember(group, () => new Set(group.facts(mockGot, chosen, replay)));
    };
    const replay = (sent: readonly Sent[]): Reply[] => {
      const limiter = createLimiter();
      let isRead = false;
      count += replayCost;
      return sent.flatMap(({ question, at }, n) => {
        const path = pathOf(question, mockGot, chosen);
        if (path === undefined) return [];
        const one = handled(question, path, n, at, limiter);
        const { status } = one.response;
        // Only the form of the first 429 is compared.
        if (status !== 429 || isRead) return [{ status, headers: {}, body: undefined }];
        isRead = true;
        return [read(one)];
      });
    };
    return {
      settings: plain,
      of: (group) => factsOf(group).value as ReadonlySet<string>,
      readFor: (group) => factsOf(group).reads,
      with: create,
      sent: () => count,
    };
  };
  return create(initial);
};
