/** The groups of questions: `reads` are always asked, the others on request. */
export const groups = ['reads', 'malformed', 'rateLimit'] as const;
export type Group = (typeof groups)[number];

const kinds = {
  me: ['reads', 1, 'GET /me'],
  meOrigin: ['reads', 1, 'GET /me with an Origin header, as a web page sends it'],
  meUnchanged: ['reads', 1, 'GET /me with If-None-Match, if answers carry an ETag'],
  list: ['reads', 1, 'GET /orders'],
  listOne: ['reads', 1, 'GET /orders?per_page=1'],
  listPages: ['reads', 4, 'GET /orders?per_page=50, pages 1 to 4'],
  listAgain: ['reads', 2, 'GET /orders?per_page=50, page 1 again'],
  listSecond: ['reads', 1, 'GET /orders?page=2&per_page=20'],
  beyond: ['reads', 1, 'GET /orders, a page after the last'],
  filter: ['reads', 4, 'GET /orders?status=… for each of the four statuses'],
  filterSecond: ['reads', 1, 'GET /orders?status=…&page=2&per_page=5'],
  nobody: ['reads', 1, 'GET /orders/{id} with an ID that no order should have'],
  order: ['reads', 20, 'GET /orders/{id}, listed orders of every status'],
  retry: ['reads', 6, 'any of these again, after a 429 and a wait'],
  pageZero: ['malformed', 1, 'GET /orders?page=0'],
  perPageZero: ['malformed', 1, 'GET /orders?per_page=0'],
  perPageAbove: ['malformed', 1, 'GET /orders?per_page=51'],
  pageWord: ['malformed', 1, 'GET /orders?page=abc'],
  pageEmpty: ['malformed', 1, 'GET /orders?page='],
  statusUnknown: ['malformed', 1, 'GET /orders?status=order-license-probe'],
  statusEmpty: ['malformed', 1, 'GET /orders?status='],
  duplicate: ['malformed', 1, 'GET /orders?per_page=1&per_page=2'],
  parameter: ['malformed', 1, 'GET /orders?order_license_probe=1'],
  idWord: ['malformed', 1, 'GET /orders/abc'],
  idTail: ['malformed', 1, 'GET /orders/{id}abc, with the ID of an order'],
  idLong: ['malformed', 1, 'GET /orders/ followed by thirty digits'],
  slashEnd: ['malformed', 1, 'GET /me/'],
  slashTwice: ['malformed', 1, 'GET //me'],
  path: ['malformed', 1, 'GET /order-license-probe'],
  head: ['malformed', 1, 'HEAD /me'],
  headWrong: ['malformed', 1, 'HEAD for a path that GET answers with 400'],
  options: ['malformed', 1, 'OPTIONS /me, the preflight request of a web page'],
  accept: ['malformed', 1, 'GET /me with Accept: text/html'],
  scheme: ['malformed', 1, 'GET /me with "bearer" in lower case'],
  noKey: ['malformed', 1, 'GET /me without a key'],
  wrongKey: ['malformed', 1, 'GET /me with a key that does not exist'],
  pathNoKey: ['malformed', 1, 'GET /order-license-probe without a key'],
  wrongNoKey: ['malformed', 1, 'GET for a path that gets 400, without a key'],
  burst: ['rateLimit', 109, 'GET /me, five a second, until ten get 429 (at most 100 pass)'],
  burstNobody: ['rateLimit', 7, 'GET /orders/{id} with an ID that no order should have, at the same pace'],
  limitPath: ['rateLimit', 1, 'GET /order-license-probe over the limit, with --with-malformed'],
  limitWrong: ['rateLimit', 1, 'GET over the limit for a path that gets 400, with --with-malformed'],
  afterwards: ['rateLimit', 10, 'GET /me, to see when requests pass again'],
} as const satisfies Record<string, readonly [Group, number, string]>;

export type QuestionName = keyof typeof kinds;

/** One request; its path is relative to the base URL. */
export interface Question {
  name: QuestionName;
  path: string;
  method?: 'GET' | 'HEAD' | 'OPTIONS';
  headers?: Record<string, string>;
  /** How the key is sent. Default: as the API docs say. */
  as?: 'lowerCase' | 'noKey' | 'wrongKey';
  /** The status in the filter, or the one that the list shows for the order. */
  orderStatus?: string | undefined;
}

const entries = Object.entries(kinds) as [QuestionName, readonly [Group, number, string]][];

/** Returns the groups to ask. */
export const groupsOf = (withMalformed: boolean, withRateLimit: boolean): ReadonlySet<Group> =>
  new Set<Group>([
    'reads',
    ...(withMalformed ? ['malformed' as const] : []),
    ...(withRateLimit ? ['rateLimit' as const] : []),
  ]);

/** Returns the maximum number of requests. */
export const maxQuestions = (asked: ReadonlySet<Group>): number =>
  entries.reduce((sum, [, [group, count]]) => sum + (asked.has(group) ? count : 0), 0);

/** Returns a line for each kind of question, with its maximum number. */
export const planLines = (asked: ReadonlySet<Group>): string[] =>
  entries
    .filter(([, [group]]) => asked.has(group))
    .map(([, [, count, label]]) => `  ${String(count).padStart(3)}  ${label}`);

/** Returns the label of a question, without IDs and keys. */
export const labelOf = (name: QuestionName): string => kinds[name][2].split(',')[0] as string;

/** Whether the API docs describe this question. */
export const isRead = (name: QuestionName): boolean => kinds[name][0] === 'reads';
