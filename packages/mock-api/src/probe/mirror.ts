import { createInnerMock } from '../mock.ts';
import type { Stored } from '../orders/contents.ts';
import type { SettingInput } from '../settings/profiles.ts';
import { type Answer, dataOf, isOverLimit, ordersOf, parseBody, pathsOf } from './answer.ts';
import { filters, headersFor, type Question } from './questions.ts';

/**
 * Creates a mock whose account is like that of the API: it has orders of the same statuses, and a company or VAT ID.
 * @param secure whether the API's address begins with `https:`
 * @returns a function that puts the questions of some responses to the mock. If `isTimed`, the mock gets the requests
 * at the same times; otherwise a day apart, so that they stay below the limit.
 */
export const createMirror = (answers: readonly Answer[], secure: boolean) => {
  const seen = answers.flatMap((answer) => ordersOf(answer) ?? []).map(({ status }) => status);
  const mock = createInnerMock({ frozenAt: 0, orders: 40 });
  // Five hundred license codes show no more than a few do, but take most of the time.
  const isUnused = ({ id, status }: Stored) => id === mock.samples.manyCodes.id || !seen.includes(status);
  const unused = mock.state.contents.list('business').filter(isUnused);
  const me = answers.find(({ question }) => question.name === 'me');
  const { company, vat_id } = (me && dataOf(me)) ?? {};
  const ask = (question: Question, path: string): Answer => {
    const rawHeaders = Object.entries(headersFor(question, mock.keys.business)).flat();
    // The order of another account may have the ID of one of the mock's.
    const target = `/api/v1${question.name === 'other' ? '/orders/1' : path}`;
    const { response } = mock.answer({ method: 'GET', target, rawHeaders, secure });
    const { compress } = mock.settings();
    return {
      question,
      at: mock.clock.now(),
      status: response.status,
      headers: { ...response.headers, ...(compress !== 'off' && { 'content-encoding': compress }) },
      ...parseBody(String(response.body)),
    };
  };
  return (asked: readonly Answer[], set: SettingInput, isTimed: boolean): Answer[] => {
    mock.reset();
    mock.setProfile('strict', set);
    for (const { id } of unused) mock.state.removeOrder(id);
    if (!company !== !vat_id)
      mock.state.setBusiness('business', { company: company ? 'A' : '', vat_id: vat_id ? 'B' : '' });
    if (isTimed)
      return asked.map(({ question, at }) => {
        mock.clock.freeze(at);
        return ask(question, '/me');
      });
    const questions = new Set(asked.map(({ question }) => question));
    const readsOrders = asked.some(({ question }) => question.path.includes('{id}'));
    const found: Answer[] = [];
    for (const question of new Set([...(readsOrders ? filters : []), ...questions]))
      for (const path of pathsOf(question, found)) {
        mock.clock.advance(86_400_000);
        found.push(ask(question, path));
      }
    const rejected = asked.find(isOverLimit);
    if (rejected) {
      mock.faults.add('429');
      found.push(ask(rejected.question, '/me'));
    }
    return found.filter(({ question }) => questions.has(question));
  };
};
