import { statuses } from '../orders/statuses.ts';

/** The requests to send in addition to the usual ones. */
export interface Wishes {
  withMalformed: boolean;
  withRateLimit: boolean;
  /** ID of an order that belongs to a different account. */
  otherOrder?: string | undefined;
}

/** A request that the probe sends. */
export interface Question {
  name: string;
  /** `reads` are always sent, the other groups only if a flag asks for them. */
  group: 'reads' | 'malformed' | 'rateLimit';
  /** The request as the report shows it, without IDs and keys. */
  label: string;
  /** The path relative to the base URL. `{id}` stands for the ID of an order. */
  path: string;
  /** Index of the chosen order that the request reads. */
  order?: number;
  /** The Authorization header, with KEY in place of the key. Default: as in the API docs. */
  authorization?: string;
  accept?: string;
  /** Maximum number of times the request is sent. */
  max: number;
}

/** Maximum number of orders that the probe reads. */
export const maxOrders = 14;

/** @param more `name` defaults to the label, and the label to the path */
const ask = (path: string, more: Partial<Question> = {}): Question => {
  const label = more.label ?? `GET ${path}`;
  return { name: label, group: 'reads', label, path, max: 1, ...more };
};

const reads: readonly Question[] = [
  ask('/me', { name: 'me' }),
  ask('/orders', { name: 'list' }),
  ask('/orders?per_page=1', { name: 'one' }),
  ask('/orders?page=1&per_page=50', { name: 'page1' }),
  ask('/orders?page=2&per_page=50', { name: 'page2' }),
  ask('/orders?page=1&per_page=50', { name: 'again' }),
  ask('/orders?page=1000&per_page=50'),
  ...statuses.map((name) => ask(`/orders?status=${name}&per_page=50`, { name })),
  // The ID fits into 31 bits, so that an API that stores IDs as 32-bit integers accepts it.
  ask('/orders/2147483646', { name: 'nobody', label: 'GET /orders/{id}, an ID that no order should have' }),
  ...Array.from({ length: maxOrders }, (_, order) =>
    ask('/orders/{id}', { name: `order${order}`, label: 'GET /orders/{id}, listed orders of every status', order }),
  ),
];

const malformed: readonly Question[] = [
  ask('/orders?page=0'),
  ask('/orders?per_page=0'),
  ask('/orders?per_page=51'),
  ask('/orders?page=abc'),
  ask('/orders?page='),
  ask('/orders?status=order-license-probe'),
  ask('/orders?status='),
  ask('/orders/abc'),
  ask('/orders/{id}abc', { order: 0 }),
  ask(`/orders/${'9'.repeat(30)}`, { label: 'GET /orders/999…, 30 digits' }),
  ask('/order-license-probe'),
  ask('/me', { label: 'GET /me with Accept: text/html', accept: 'text/html' }),
  ask('/me', { label: 'GET /me with "bearer" in lower case', authorization: 'bearer KEY' }),
  ask('/me', { label: 'GET /me without a key', authorization: '' }),
  ask('/me', {
    label: 'GET /me with a key that does not exist',
    authorization: 'Bearer order-license-probe-no-such-key',
  }),
].map((question) => ({ ...question, group: 'malformed' }));

/** The question that exceeds the limit, and shows when requests are accepted again. */
export const limitQuestion = ask('/me', {
  ...{ name: 'limit', group: 'rateLimit', max: 145 },
  label: 'GET /me, five per second until ten get 429 or 503, then one every five seconds until one is accepted',
});

/** Returns all questions in the order in which they are sent. */
export const questionsFor = ({ withMalformed, withRateLimit, otherOrder }: Wishes): readonly Question[] => [
  ...reads,
  ...(otherOrder
    ? [ask(`/orders/${otherOrder}`, { name: 'other', label: 'GET /orders/{id}, an order of a different account' })]
    : []),
  ...(withMalformed ? malformed : []),
  ...(withRateLimit ? [limitQuestion] : []),
];

/** Returns the maximum number of questions of each kind. */
export const planFor = (wishes: Wishes): { label: string; max: number }[] => {
  const again = ask('', { label: 'repeats of these requests, each after a 429 and a wait', max: 3 });
  const counts = new Map<string, number>();
  for (const { label, max } of [...questionsFor(wishes), again]) counts.set(label, (counts.get(label) ?? 0) + max);
  return [...counts].map(([label, max]) => ({ label, max }));
};

/** Returns the maximum number of questions. */
export const countFor = (wishes: Wishes): number => planFor(wishes).reduce((sum, { max }) => sum + max, 0);

/** Returns the headers for a question. */
export const headersFor = (question: Question, apiKey: string): Record<string, string> => {
  const authorization = (question.authorization ?? 'Bearer KEY').replace('KEY', () => apiKey);
  return {
    accept: question.accept ?? 'application/json',
    'accept-encoding': 'br, gzip',
    'user-agent': 'order-license-mock probe',
    ...(authorization && { authorization }),
  };
};
