import { handle } from '../api/handle.ts';
import { isBodiless, type MockRequest } from '../api/http.ts';
import { writeId } from '../api/order-id.ts';
import { addResponseHeaders } from '../api/response-headers.ts';
import { basePath } from '../api/router.ts';
import { createMock, engineOf } from '../engine.ts';
import { createLimiter, type Limiter } from '../limit/limiter.ts';
import { wireForm } from '../server/serve-api.ts';
import type { SettingName, Settings } from '../settings/settings.ts';
import { dataOf, type Exchange, fieldsIn, gotFrom, isPaid, type Listed, pagingOf } from './exchange.ts';
import { allFacts, compressible, type Facts, factsOf } from './facts.ts';
import { replay, type Timed } from './limit.ts';
import { headersFor, limitQuestion, type Question } from './questions.ts';
import { parseJson } from './read-body.ts';
import type { ShowWord } from './shown-words.ts';

/** The requests that the API received, and what its responses showed. */
export interface Seen {
  /** One exchange for each question. */
  exchanges: readonly Exchange[];
  listed: readonly Listed[];
  chosen: readonly Listed[];
  /** The requests that show the rate limit, as returned by `timesOf`. */
  timed: readonly Timed[];
  /** Whether the API's address begins with `https:`. */
  secure: boolean;
  show: ShowWord;
}

/** Stands for the first request over the limit, which is compared separately. */
export const over429: Question = { ...limitQuestion, name: '429', label: 'the first request over the limit' };

/** Returns the name of the mock key whose account is most like the probed one: with a company, a VAT ID or both. */
export const keyLike = (exchanges: readonly Exchange[]): 'business' | 'otherAccount' | 'companyOnly' => {
  const { company, vat_id } = dataOf(gotFrom(exchanges)('me')) ?? {};
  if (!company === !vat_id) return 'business';
  return company ? 'companyOnly' : 'otherAccount';
};

/**
 * Maximum number of orders in the mirrored account: as many as the probe's lists can show. The real account may have
 * more.
 */
const maxMirrored = 300;

/**
 * Creates a mock whose account has as many orders as the probed account, with the same statuses. An order that shows
 * license codes has some in the mock, too.
 */
const mirrorOf = ({ exchanges, listed, chosen }: Seen) => {
  const total = Math.max(pagingOf(gotFrom(exchanges)('list'), 'total') || 0, listed.length);
  const { state, keys } = engineOf(createMock({ orders: Math.min(total, maxMirrored) }));
  const ids = state
    .orders('business')
    .page(0, maxMirrored)
    .map(({ id }) => id);
  for (const [n, id] of ids.entries()) {
    const { status } = listed[n % listed.length] ?? {};
    if (status) state.setStatus(id, status);
  }
  for (const [n, order] of chosen.entries()) {
    const id = ids[listed.indexOf(order)];
    const items = fieldsIn(dataOf(gotFrom(exchanges)(`order${n}`))?.items);
    const hasCodes = items.some(({ license_codes }) => fieldsIn(license_codes).length > 0);
    if (id !== undefined && isPaid(order) && hasCodes && state.order(id).delivered === 0) state.deliverCodes(id);
  }
  const key = keyLike(exchanges);
  if (key === 'otherAccount') state.setBusiness('business', { company: '' });
  if (key === 'companyOnly') state.setBusiness('business', { vat_id: '' });
  return { state, ids, apiKey: keys.business };
};

/** A limiter that rejects every request. */
const full: Limiter = {
  ...createLimiter(),
  take: (_key, _now, { limit }) => ({ allowed: false, limit: Number(limit), remaining: 0, resetMs: 1000 }),
};

/**
 * Prepares to send the requests of a probe to mocks in this process. The mocks share one account and differ in their
 * settings.
 * @returns a function that returns all facts about a mock with the given settings
 */
export const askMocks = (seen: Seen): ((settings: Settings) => Facts) => {
  const { exchanges, listed, chosen, timed, secure, show } = seen;
  const { state, ids, apiKey } = mirrorOf(seen);

  const ask = (question: Question, settings: Settings, serial: number): Exchange => {
    const id = ids[listed.indexOf(chosen[question.order ?? 0] as Listed)] ?? 0;
    const written = JSON.stringify(writeId(id, settings.ids)).replaceAll('"', '');
    const request: MockRequest = {
      method: 'GET',
      target: basePath + question.path.replace('{id}', written),
      rawHeaders: ['host', 'localhost', ...Object.entries(headersFor(question, apiKey)).flat()],
      secure,
    };
    const limiter = question === over429 ? full : createLimiter();
    const { response, verdict } = handle({ state, limiter, settings, now: 0, serial }, request);
    addResponseHeaders(response, verdict, settings, 0);
    const { status } = response;
    // A short body takes less time to compress.
    const short = { ...response, body: response.body.length > 0 ? '{}' : '' };
    const isCompressible = compressible.includes(question.name);
    const sent = isCompressible ? wireForm({ settings: () => settings }, request, { response: short }) : response;
    const body = isBodiless(status) ? {} : parseJson(String(response.body));
    return { question, at: 0, status, headers: sent.headers as Record<string, string>, ...body };
  };

  const asks = exchanges.map(({ question }, n) =>
    remembering((settings) => {
      const exchange = ask(question, settings, n + 1);
      return { exchange, facts: factsOf(exchange, chosen, show) };
    }),
  );
  return (settings) =>
    allFacts(
      asks.map((ask) => ask(settings)),
      replay(settings, timed),
    );
};

/** Caches the results of `make` by the values of the settings that `make` uses. */
const remembering = <Value>(make: (settings: Settings) => Value): ((settings: Settings) => Value) => {
  const used = new Set<SettingName>();
  const made = new Map<string, Value>();
  const keyOf = (settings: Settings): string => JSON.stringify([...used].map((name) => settings[name]));
  const get = (settings: Settings, name: SettingName): unknown => {
    used.add(name);
    return settings[name];
  };
  return (settings) => {
    const known = made.get(keyOf(settings));
    if (known) return known;
    const value = make(new Proxy(settings, { get: get as never }));
    made.set(keyOf(settings), value);
    return value;
  };
};
