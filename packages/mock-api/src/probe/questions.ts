import { isEligible, statuses } from '../orders/statuses.ts';

/** The requests to send in addition to the usual ones. */
export interface Wishes {
  withMalformed: boolean;
  /** ID of an order that belongs to a different account. */
  otherOrder?: string | undefined;
}

/** A request that the probe sends. */
export interface Question {
  name: string;
  /** The request as the report shows it, without IDs and keys. */
  label: string;
  /** The path relative to the base URL. `{id}` stands for the ID of a listed order. */
  path: string;
  /** Whether the request is malformed, so that any response to it is usable. */
  isMalformed?: boolean;
  /** The Authorization header, with KEY in place of the key. Default: as in the API docs. */
  authorization?: string;
  accept?: string;
  /** Maximum number of times the request is sent. */
  max: number;
  /** How many of the listed orders are read. */
  reads?: number;
}

/** @param more `name` and `label` default to the request */
const ask = (path: string, more: Partial<Question> = {}): Question => {
  const label = more.label ?? `GET ${path}`;
  return { name: label, label, path, max: 1, ...more };
};

const reads: readonly Question[] = [
  ask('/me', { name: 'me' }),
  ask('/orders', { name: 'list' }),
  ask('/orders?page=1&per_page=50', { name: 'page1' }),
  ask('/orders?page=2&per_page=50', { name: 'page2' }),
  ask('/orders?page=1&per_page=50', { name: 'again' }),
  ask('/orders?page=1000&per_page=50', { name: 'pageBeyondLast' }),
  // Only a few unpaid orders are read, since these have no codes.
  ...statuses.map((name) => ask(`/orders?status=${name}&per_page=50`, { name, reads: isEligible(name) ? 5 : 2 })),
  // The ID fits into 31 bits, so that an API that stores IDs as 32-bit integers accepts it.
  ask('/orders/2147483646', { name: 'nobody', label: 'GET /orders/{id}, an ID that no order should have' }),
  ask('/orders/{id}', { name: 'order', label: 'GET /orders/{id}, listed orders of every status', max: 14 }),
];

/** Each has the name of the setting that it asks about. */
const malformed: readonly Question[] = [
  ...['page=0', 'per_page=0', 'per_page=51', 'page=abc', 'page='].map((query) =>
    ask(`/orders?${query}`, { name: 'params' }),
  ),
  ...['order-license-probe', ''].map((status) => ask(`/orders?status=${status}`, { name: 'unknownStatus' })),
  ask('/orders/abc', { name: 'invalidId' }),
  ask('/orders/{id}abc', { name: 'invalidId' }),
  ask(`/orders/${'9'.repeat(30)}`, { name: 'invalidId', label: 'GET /orders/999…, 30 digits' }),
  ask('/order-license-probe', { name: 'unknownPath' }),
  ask('/me', { name: 'accept', label: 'GET /me with Accept: text/html', accept: 'text/html' }),
  ask('/me', { name: 'authScheme', label: 'GET /me with "bearer" in lower case', authorization: 'bearer KEY' }),
  ask('/me', { label: 'GET /me without a key', authorization: '' }),
  ask('/me', {
    label: 'GET /me with a key that does not exist',
    authorization: 'Bearer order-license-probe-no-such-key',
  }),
].map((question) => ({ ...question, isMalformed: true }));

/** Returns all questions in the order in which they are sent. */
export const questionsFor = ({ withMalformed, otherOrder }: Wishes): readonly Question[] => [
  ...reads,
  ...(otherOrder
    ? [ask(`/orders/${otherOrder}`, { name: 'other', label: 'GET /orders/{id}, an order of a different account' })]
    : []),
  ...(withMalformed ? malformed : []),
];

/** How many requests are repeated after a 429. */
export const maxRepeats = 3;

/** Returns the requests that are sent at most. */
export const planFor = (wishes: Wishes): Pick<Question, 'label' | 'max'>[] => [
  ...questionsFor(wishes),
  { label: 'repeats of these requests, each after a 429 and a wait', max: maxRepeats },
];

/** Returns the maximum number of requests. */
export const countFor = (wishes: Wishes): number => planFor(wishes).reduce((sum, { max }) => sum + max, 0);

/** Returns the headers for a question. */
export const headersFor = ({ authorization = 'Bearer KEY', accept }: Question, apiKey: string) => ({
  accept: accept ?? 'application/json',
  'accept-encoding': 'br, gzip',
  'user-agent': 'order-license-mock probe',
  ...(authorization && { authorization: authorization.replace('KEY', () => apiKey) }),
});
