import { utcText } from '../limit/utc-time.ts';
import { createMock, type Mock } from '../mock.ts';
import { createSettings, type SettingInput } from '../settings/profiles.ts';
import type { Settings } from '../settings/settings.ts';
import { type AskOptions, askAll, send } from './ask.ts';
import { dataOf, type Exchange, gotFrom, listedOrders, pagingOf } from './exchange.ts';
import { limitQuestion, type Question } from './questions.ts';

/** Stands for the first request over the limit. */
export const over429: Question = { ...limitQuestion, label: 'the first request over the limit' };

/** Two pages of the probe's lists. */
const maxMirrored = 60;
/** Enough orders of the mock to read: they differ less than the API's. */
const maxRead = 6;
/** Different enough that every setting shows. */
const prices = ['1234.50', '0.99', '12.00'];

/** Creates a mock with as many orders as the API has, with the same statuses. */
const mirrorOf = (exchanges: readonly Exchange[]): Mock => {
  const got = gotFrom(exchanges);
  const listed = listedOrders(got);
  const count = Math.min(maxMirrored, Math.max(listed.length, pagingOf(got('list'), 'total') || 0));
  const orders = Array.from({ length: count }, (_, n) => ({
    id: 3 * (count - n),
    status: listed[n % Math.max(listed.length, 1)]?.status,
    created_at: utcText(Date.UTC(2026, 5, 30) - Math.floor(n / 2) * 3_600_000),
    delivered: n % 5 === 4 ? 1 : undefined,
    items: [
      { menge: 4, downloads: 'all' as const, einzelpreis_brutto: prices[n % 3] },
      { code_typ: 'abo', einzelpreis_brutto: '49.99' },
    ],
  }));
  const mock = createMock({ frozenAt: 0, orders });
  const { company, vat_id } = dataOf(got('me')) ?? {};
  if (company && !vat_id) mock.state.setBusiness('business', { vat_id: '' });
  if (vat_id && !company) mock.state.setBusiness('business', { company: '' });
  return mock;
};

/**
 * Prepares to put the API's questions to a mock.
 * @param secure whether the API's address begins with `https:`
 * @returns a function that returns the responses of the mock under settings
 */
export const createAskMock = (exchanges: readonly Exchange[], secure: boolean) => {
  const mock = mirrorOf(exchanges);
  const questions = [...new Set(exchanges.map(({ question }) => question))].filter(
    ({ group, order = 0 }) => group !== 'rateLimit' && order < maxRead,
  );
  const isLimited = exchanges.some(({ question }) => question === over429);
  // A day between two requests, so that none of these is over the limit.
  const clock = { now: mock.clock.now, sleep: async () => mock.clock.advance(86_400_000) };
  const optionsFor = ({ compress }: Settings): AskOptions => ({
    baseUrl: `http${secure ? 's' : ''}://localhost/api/v1`,
    apiKey: mock.keys.business,
    clock,
    async fetch(url, init) {
      const response = await mock.fetch(url, init);
      if (compress !== 'off') response.headers.set('content-encoding', compress);
      return response;
    },
  });
  return async (set: SettingInput): Promise<Exchange[]> => {
    mock.clock.freeze(0);
    mock.setProfile('strict', set);
    const options = optionsFor(createSettings('strict', set));
    const { exchanges } = await askAll(options, questions);
    if (!isLimited) return exchanges;
    mock.clock.advance(86_400_000);
    mock.set({ limit: 1 });
    await send(options, over429, '/me');
    return [...exchanges, await send(options, over429, '/me')];
  };
};
