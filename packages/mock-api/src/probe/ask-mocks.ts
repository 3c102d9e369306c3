import { handle } from '../api/handle.ts';
import { isBodiless, type MockRequest } from '../api/http.ts';
import { writeId } from '../api/order-id.ts';
import { addResponseHeaders } from '../api/response-headers.ts';
import { basePath } from '../api/router.ts';
import { type Status, statuses } from '../data/order.ts';
import { createMock, engineOf } from '../engine.ts';
import { createLimiter, type Limiter } from '../limit/limiter.ts';
import { wireForm } from '../server/serve-api.ts';
import type { Settings } from '../settings/settings.ts';
import { replay, type Timed } from './limit-rules.ts';
import { createMemory } from './memory.ts';
import { headersFor, limitQuestions, pathOf, type Question } from './questions.ts';
import { parseJson } from './read-body.ts';
import { relationsOf } from './relations.ts';
import { dataOf, type Got, isPaid, type Listed, ordersOf, pagingOf } from './reply.ts';
import { mergeShapes, type Shape, shapeFrom, shapeOf } from './shape.ts';
import type { ShowWord } from './shown-words.ts';

/** What the service was asked, and what it showed of its account. */
export interface Asked {
  questions: readonly Question[];
  /** The requests to compare the limit with; empty if no 429 was seen. */
  timed: readonly Timed[];
  got: Got;
  listed: readonly Listed[];
  chosen: readonly Listed[];
  /** Whether the service has an https: address. */
  secure: boolean;
}

/** Returns the shape of a mock with these settings. */
export type AskMock = (settings: Settings) => Shape;

/** The fields of a business account that the service's lacks, by the mock's key whose account lacks it, too. */
const lackedBy = { otherAccount: 'company', companyOnly: 'vat_id' } as const;

/** The name of the mock's key whose account has a company or a VAT ID like the service's. */
export const keyLike = (got: Got): 'business' | keyof typeof lackedBy => {
  const { company, vat_id } = dataOf(got('me')) ?? {};
  if (!company === !vat_id) return 'business';
  return company ? 'companyOnly' : 'otherAccount';
};

/** Whether the order that a question reads is paid or completed, by the list. */
export const paidOf = ({ order }: Question, chosen: readonly Listed[]): boolean | undefined =>
  order === undefined ? undefined : isPaid(chosen[order]?.status);

/** The shape of what several responses show together, and of the limit. */
export const shapeOfSeveral = (got: Got, timed: readonly Timed[]): Shape =>
  shapeFrom((say) => {
    for (const { text, cases } of relationsOf(got))
      say(
        'several responses',
        text,
        cases.map((holds) => (holds ? 'yes' : 'no')),
      );
    for (const [n, { at, rejected }] of timed.entries()) {
      const seconds = Math.round((at - (timed[0]?.at ?? 0)) / 1000);
      say('over the limit', `request ${n + 1}, after ${seconds} s`, [rejected ? '429' : 'no 429']);
    }
  });

/** As many as the lists of the probe can show; the service may have more. */
const maxMirrored = 300;

/** A mock whose account has as many orders as the service's, with the same statuses as far as they are known. */
const mirrorOf = ({ got, listed }: Asked) => {
  const total = Math.max(pagingOf(got('list'), 'total') ?? 0, listed.length);
  const mock = engineOf(createMock({ orders: Math.min(total, maxMirrored) }));
  const ids = mock.state
    .orders('business')
    .page(0, maxMirrored)
    .map(({ id }) => id);
  // There may be more orders of a status whose first page is full.
  const more = statuses.filter((status) => {
    const { length } = ordersOf(got(status)) ?? [];
    return length > 0 && length === pagingOf(got(status), 'per_page');
  });
  for (const [n, id] of ids.entries()) {
    const status = listed[n] ? listed[n].status : more[n % more.length];
    if (statuses.includes(status as Status)) mock.state.setStatus(id, status as Status);
  }
  const key = keyLike(got);
  if (key !== 'business') mock.state.setBusiness('business', { [lackedBy[key]]: '' });
  return { state: mock.state, ids, apiKey: mock.keys.business };
};

/** The first 429 of the service, as a response of its own. */
export const over429: Question = { ...limitQuestions.burst, name: '429', label: 'the first 429' };

/** A limiter that rejects every request. */
const full: Limiter = {
  ...createLimiter(),
  take: (_key, _now, { limit }) => ({ allowed: false, limit: Number(limit), remaining: 0, resetMs: 1000 }),
};

/** Asks mocks in this process what the service was asked. Each has other settings and the same account. */
export const askMocks = (asked: Asked, show: ShowWord): AskMock => {
  const { questions, timed, listed, chosen, secure } = asked;
  const { state, ids, apiKey } = mirrorOf(asked);
  const remember = createMemory();

  const ask = (question: Question, settings: Settings, serial: number) => {
    const idOf = (n: number): string | undefined => {
      const id = ids[listed.indexOf(chosen[n] as Listed)];
      return id === undefined ? undefined : JSON.stringify(writeId(id, settings.ids)).replaceAll('"', '');
    };
    const path = pathOf(question, asked.got, idOf) ?? '';
    const request: MockRequest = {
      method: 'GET',
      target: basePath + path,
      rawHeaders: ['host', 'localhost', ...Object.entries(headersFor(question, apiKey)).flat()],
      secure,
    };
    const limiter = question === over429 ? full : createLimiter();
    const { response, verdict } = handle({ state, limiter, settings, now: 0, serial }, request);
    addResponseHeaders(response, verdict, settings, 0);
    const { status } = response;
    const sent = question.name === 'me' ? wireForm({ settings: () => settings }, request, { response }) : response;
    const body = isBodiless(status) ? { body: undefined } : parseJson(String(response.body));
    const headers = sent.headers as Record<string, string>;
    return { question, path, status, headers, ...body };
  };

  const answer = (question: Question, settings: Settings, serial: number) =>
    remember(question.name, settings, (used) => {
      const exchange = ask(question, used, serial);
      return { exchange, shape: shapeOf(exchange, paidOf(question, chosen), show) };
    });
  const got =
    (settings: Settings): Got =>
    (name) => {
      const n = questions.findIndex((question) => question.name === name);
      const question = questions[n];
      return question && answer(question, settings, n + 1).exchange;
    };
  const shapes = new WeakMap<Settings, Shape>();
  return (settings) => {
    const known = shapes.get(settings);
    if (known) return known;
    const several = remember('several', settings, (some) => shapeOfSeveral(got(some), replay(some, timed)));
    const shape = mergeShapes([...questions.map((question, n) => answer(question, settings, n + 1).shape), several]);
    shapes.set(settings, shape);
    return shape;
  };
};
