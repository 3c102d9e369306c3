import { statuses } from '../data/order.ts';
import { type Got, pagingOf } from './reply.ts';

/** `reads` are always asked, the others on request. */
export type Group = 'reads' | 'malformed' | 'rateLimit';

/** What else is asked. */
export interface Wishes {
  withMalformed: boolean;
  withRateLimit: boolean;
  /** ID of an order of another account. */
  otherOrder?: string | undefined;
}

/** One request. */
export interface Question {
  name: string;
  group: Group;
  /** Without IDs and keys, for the report. */
  label: string;
  /**
   * Relative to the base URL. `undefined` if there is nothing to ask.
   * @param got the responses of the service so far @param idOf the ID of a listed order, as a path takes it
   */
  path: string | ((got: Got, idOf: (n: number) => string | undefined) => string | undefined);
  /** Which of the chosen orders it reads. */
  order?: number;
  /** How the key is sent. Default: as the API docs say. */
  as?: 'lowerCase' | 'noKey' | 'wrongKey';
  accept?: string;
  /** How often it is asked. Default: 1. */
  max?: number;
}

/** How many orders are read. */
export const maxOrders = 14;

/** An ID that fits into 31 bits and that no order should have. */
const nobodyPath = '/orders/2147483646';

const me = (name: string, how: string, more: Partial<Question> = {}): Question => {
  return { name, group: 'malformed', label: `GET /me${how}`, path: '/me', ...more };
};

const list = (group: Group, name: string, query: string): Question => {
  return { name, group, label: `GET /orders${query}`, path: `/orders${query}` };
};

const order = (group: Group, name: string, what: string, path: Question['path'], n?: number): Question => {
  return { name, group, label: `GET /orders/{id}${what}`, path, ...(n === undefined ? {} : { order: n }) };
};

const beyond = (got: Got): string =>
  `/orders?page=${Math.max(pagingOf(got('page1'), 'pages') ?? 9, 1) + 1}&per_page=50`;

/** All questions but those that exceed the limit, in the order in which they are asked. */
export const questionsFor = ({ withMalformed, otherOrder }: Wishes): readonly Question[] => {
  const questions: Question[] = [
    me('me', '', { group: 'reads' }),
    list('reads', 'list', ''),
    list('reads', 'one', '?per_page=1'),
    list('reads', 'page1', '?page=1&per_page=50'),
    list('reads', 'page2', '?page=2&per_page=50'),
    list('reads', 'again', '?page=1&per_page=50'),
    { ...list('reads', 'beyond', ', a page after the last'), path: beyond },
    ...statuses.map((status) => list('reads', status, `?status=${status}&per_page=50`)),
    order('reads', 'nobody', ', an ID that no order should have', nobodyPath),
    order('reads', 'other', ', an order of another account', () => otherOrder && `/orders/${otherOrder}`),
    ...Array.from({ length: maxOrders }, (_, n) =>
      order(
        'reads',
        `order${n}`,
        ', listed orders of every status',
        (_got, idOf) => idOf(n) && `/orders/${idOf(n)}`,
        n,
      ),
    ),
    list('malformed', 'pageZero', '?page=0'),
    list('malformed', 'perPageZero', '?per_page=0'),
    list('malformed', 'perPageAbove', '?per_page=51'),
    list('malformed', 'pageWord', '?page=abc'),
    list('malformed', 'pageEmpty', '?page='),
    list('malformed', 'statusUnknown', '?status=order-license-probe'),
    list('malformed', 'statusEmpty', '?status='),
    order('malformed', 'idWord', ', abc as ID', '/orders/abc'),
    order('malformed', 'idTail', ', abc after the ID', (_, idOf) => idOf(0) && `/orders/${idOf(0)}abc`),
    order('malformed', 'idLong', ', an ID of 30 digits', `/orders/${'9'.repeat(30)}`),
    { name: 'path', group: 'malformed', label: 'GET /order-license-probe', path: '/order-license-probe' },
    me('accept', ' with Accept: text/html', { accept: 'text/html' }),
    me('scheme', ' with "bearer" in lower case', { as: 'lowerCase' }),
    me('noKey', ' without a key', { as: 'noKey' }),
    me('wrongKey', ' with a key that does not exist', { as: 'wrongKey' }),
  ];
  return questions.filter(
    ({ group, name }) => (group === 'reads' || withMalformed) && (name !== 'other' || otherOrder !== undefined),
  );
};

/** The questions that exceed the limit, and those that ask when requests pass again. */
export const limitQuestions = {
  first: { ...order('rateLimit', 'first', ', at the same pace', nobodyPath), max: 3 },
  burst: me('burst', ', five a second, until ten get 429', { group: 'rateLimit', max: 109 }),
  afterwards: me('afterwards', ', to see when requests pass again', { group: 'rateLimit', max: 20 }),
};

/** What is asked, at most, a row for each kind of question. */
export const planFor = (wishes: Wishes): { label: string; max: number }[] => {
  const again = { label: 'any of these again, after a 429 and a wait', max: 3 };
  const exceeding = wishes.withRateLimit ? Object.values(limitQuestions) : [];
  const counts = new Map<string, number>();
  for (const { label, max = 1 } of [...questionsFor(wishes), again, ...exceeding])
    counts.set(label, (counts.get(label) ?? 0) + max);
  return [...counts].map(([label, max]) => ({ label, max }));
};

/** The path of a question. @param idOf as for `Question.path` */
export const pathOf = ({ path }: Question, got: Got, idOf: (n: number) => string | undefined): string | undefined =>
  typeof path === 'string' ? path : path(got, idOf);

/** The headers of a request. */
export const headersFor = ({ as, accept = 'application/json' }: Question, apiKey: string): Record<string, string> => {
  const key = as === 'wrongKey' ? 'order-license-probe-no-such-key' : apiKey;
  return {
    accept,
    'accept-encoding': 'br, gzip',
    'user-agent': 'order-license-mock probe',
    ...(as === 'noKey' ? {} : { authorization: `${as === 'lowerCase' ? 'bearer' : 'Bearer'} ${key}` }),
  };
};
