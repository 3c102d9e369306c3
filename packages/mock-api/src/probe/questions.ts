import { statuses } from '../data/order.ts';
import { type Listed, pagingOf, type Reply } from './reply.ts';

/** `reads` are always asked, the others on request. */
export type Group = 'reads' | 'malformed' | 'rateLimit';

/** The last response to a question; `undefined` if it was not asked. */
export type Got = (name: string) => Reply | undefined;

/** One request; its path is relative to the base URL. */
export interface Question {
  name: string;
  group: Group;
  /** Without IDs and keys, for the report. */
  label: string;
  /** `undefined` if earlier responses leave nothing to ask. */
  path: string | ((got: Got, chosen: () => readonly Listed[]) => string | undefined);
  /** How the key is sent. Default: as the API docs say. */
  as?: 'lowerCase' | 'noKey' | 'wrongKey';
  accept?: string;
  /** How often it is asked. Default: 1. */
  max?: number;
}

/** An ID that fits into 31 bits and that no order should have. */
const nobodyPath = '/orders/2147483646';
/** How many orders are read. */
export const maxOrders = 14;

const order = (name: string, which: string) => ({
  name,
  group: 'reads' as const,
  label: `GET /orders/{id}, ${which}`,
});

const me = (name: string, how: string) => ({
  name,
  group: 'malformed' as const,
  label: `GET /me ${how}`,
  path: '/me',
});

const list = (group: Group, name: string, query: string): Question => {
  return { name, group, label: `GET /orders${query}`, path: `/orders${query}` };
};

const beyond = (got: Got): string =>
  `/orders?page=${Math.max(pagingOf(got('page1'), 'pages') ?? 9, 1) + 1}&per_page=50`;

/** The status with the most orders, if it has a second page of five. */
export const largestFilter = (got: Got): string | undefined => {
  const counted = statuses.map((status) => ({ status, total: pagingOf(got(status), 'total') ?? 0 }));
  const largest = counted.reduce((one, other) => (other.total > one.total ? other : one));
  return largest.total > 5 ? largest.status : undefined;
};

const second = (got: Got): string | undefined => {
  const status = largestFilter(got);
  return status && `/orders?status=${status}&page=2&per_page=5`;
};

const orderPath = (order: Listed | undefined, tail = ''): string | undefined => order && `/orders/${order.id}${tail}`;

/** @param otherOrder ID of an order of another account, if known */
export const questionsFor = (otherOrder?: string): readonly Question[] => [
  { name: 'me', group: 'reads', label: 'GET /me', path: '/me' },
  list('reads', 'list', ''),
  list('reads', 'one', '?per_page=1'),
  list('reads', 'page1', '?page=1&per_page=50'),
  list('reads', 'page2', '?page=2&per_page=50'),
  list('reads', 'again', '?page=1&per_page=50'),
  list('reads', 'second', '?page=2&per_page=20'),
  { name: 'beyond', group: 'reads', label: 'GET /orders, a page after the last', path: beyond },
  ...statuses.map((status) => list('reads', status, `?status=${status}&per_page=50`)),
  { name: 'filterSecond', group: 'reads', label: 'GET /orders?status=…&page=2&per_page=5', path: second },
  { name: 'nobody', group: 'reads', label: 'GET /orders/{id}, an ID that no order should have', path: nobodyPath },
  ...(otherOrder === undefined
    ? []
    : [{ ...order('other', 'an order of another account'), path: `/orders/${otherOrder}` }]),
  ...Array.from({ length: maxOrders }, (_, n) => ({
    ...order(`order${n}`, 'listed orders of every status'),
    path: (_: Got, chosen: () => readonly Listed[]) => orderPath(chosen()[n]),
  })),
  list('malformed', 'pageZero', '?page=0'),
  list('malformed', 'perPageZero', '?per_page=0'),
  list('malformed', 'perPageAbove', '?per_page=51'),
  list('malformed', 'pageWord', '?page=abc'),
  list('malformed', 'pageEmpty', '?page='),
  list('malformed', 'statusUnknown', '?status=order-license-probe'),
  list('malformed', 'statusEmpty', '?status='),
  { name: 'idWord', group: 'malformed', label: 'GET /orders/abc', path: '/orders/abc' },
  {
    name: 'idTail',
    group: 'malformed',
    label: 'GET /orders/{id}abc',
    path: (_, chosen) => orderPath(chosen()[0], 'abc'),
  },
  { name: 'idLong', group: 'malformed', label: 'GET /orders/999…, 30 digits', path: `/orders/${'9'.repeat(30)}` },
  { name: 'path', group: 'malformed', label: 'GET /order-license-probe', path: '/order-license-probe' },
  { ...me('accept', 'with Accept: text/html'), accept: 'text/html' },
  { ...me('scheme', 'with "bearer" in lower case'), as: 'lowerCase' },
  { ...me('noKey', 'without a key'), as: 'noKey' },
  { ...me('wrongKey', 'with a key that does not exist'), as: 'wrongKey' },
];

/** The path of a question. */
export const pathOf = ({ path }: Question, got: Got, chosen: () => readonly Listed[]): string | undefined =>
  typeof path === 'string' ? path : path(got, chosen);

const overLimit = { group: 'rateLimit' as const };
/** The questions that exceed the limit. */
export const limitQuestions = {
  burst: { ...overLimit, name: 'burst', label: 'GET /me, five a second, until ten get 429', path: '/me', max: 109 },
  nobody: { ...overLimit, name: 'burstNobody', label: 'GET /orders/{id}, at the same pace', path: nobodyPath, max: 7 },
  afterwards: {
    ...overLimit,
    name: 'afterwards',
    label: 'GET /me, to see when requests pass again',
    path: '/me',
    max: 12,
  },
} satisfies Record<string, Question>;

const retries = { group: 'reads' as const, label: 'any of these again, after a 429 and a wait', max: 3 };

/** What is asked, at most, a row for each kind of question. */
export const planFor = (
  groups: ReadonlySet<Group>,
  questions: readonly Question[],
): { label: string; max: number }[] => {
  const counts = new Map<string, number>();
  for (const { group, label, max = 1 } of [...questions, retries, ...Object.values(limitQuestions)]) {
    if (groups.has(group)) counts.set(label, (counts.get(label) ?? 0) + max);
  }
  return [...counts].map(([label, max]) => ({ label, max }));
};

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
