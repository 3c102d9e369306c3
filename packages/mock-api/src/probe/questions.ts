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

/** @param label Default: the path */
const ask = (name: string, path: Question['path'], label = `GET ${path}`, more: Partial<Question> = {}): Question => ({
  ...{ name, group: 'reads', label, path },
  ...more,
});

const beyond = (got: Got): string =>
  `/orders?page=${Math.max(pagingOf(got('page1'), 'pages') ?? 9, 1) + 1}&per_page=50`;

const orderPath =
  (n: number, tail: string): Question['path'] =>
  (_got, idOf) =>
    idOf(n) && `/orders/${idOf(n)}${tail}`;

const reads: readonly Question[] = [
  ask('me', '/me'),
  ask('list', '/orders'),
  ask('one', '/orders?per_page=1'),
  ask('page1', '/orders?page=1&per_page=50'),
  ask('page2', '/orders?page=2&per_page=50'),
  ask('again', '/orders?page=1&per_page=50'),
  ask('beyond', beyond, 'GET /orders, a page after the last'),
  ...statuses.map((status) => ask(status, `/orders?status=${status}&per_page=50`)),
  ask('nobody', nobodyPath, 'GET /orders/{id}, an ID that no order should have'),
  ...Array.from({ length: maxOrders }, (_, n) =>
    ask(`order${n}`, orderPath(n, ''), 'GET /orders/{id}, listed orders of every status', { order: n }),
  ),
];

const malformed: readonly Question[] = [
  ask('pageZero', '/orders?page=0'),
  ask('perPageZero', '/orders?per_page=0'),
  ask('perPageAbove', '/orders?per_page=51'),
  ask('pageWord', '/orders?page=abc'),
  ask('pageEmpty', '/orders?page='),
  ask('statusUnknown', '/orders?status=order-license-probe'),
  ask('statusEmpty', '/orders?status='),
  ask('idWord', '/orders/abc'),
  ask('idTail', orderPath(0, 'abc'), 'GET /orders/{id}abc'),
  ask('idLong', `/orders/${'9'.repeat(30)}`, 'GET /orders/999…, 30 digits'),
  ask('path', '/order-license-probe'),
  ask('accept', '/me', 'GET /me with Accept: text/html', { accept: 'text/html' }),
  ask('scheme', '/me', 'GET /me with "bearer" in lower case', { as: 'lowerCase' }),
  ask('noKey', '/me', 'GET /me without a key', { as: 'noKey' }),
  ask('wrongKey', '/me', 'GET /me with a key that does not exist', { as: 'wrongKey' }),
].map((question) => ({ ...question, group: 'malformed' }));

/** All questions but those that exceed the limit, in the order in which they are asked. */
export const questionsFor = ({ withMalformed, otherOrder }: Omit<Wishes, 'withRateLimit'>): readonly Question[] => [
  ...reads,
  ...(otherOrder ? [ask('other', `/orders/${otherOrder}`, 'GET /orders/{id}, an order of another account')] : []),
  ...(withMalformed ? malformed : []),
];

const overLimit = { group: 'rateLimit' as const };

/** The questions that exceed the limit, and those that ask when requests pass again. */
export const limitQuestions = {
  first: ask('first', nobodyPath, 'GET /orders/{id}, at the same pace', { ...overLimit, max: 3 }),
  burst: ask('burst', '/me', 'GET /me, five a second, until ten get 429', { ...overLimit, max: 109 }),
  afterwards: ask('afterwards', '/me', 'GET /me, to see when requests pass again', { ...overLimit, max: 20 }),
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
