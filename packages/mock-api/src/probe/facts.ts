import { isEligible, statuses } from '../orders/statuses.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { dataOf, type Exchange, gotFrom, objectsIn, ordersOf, pagingOf } from './exchange.ts';
import { formOf } from './forms.ts';
import type { Counted } from './limit.ts';
import type { ShowWord } from './shown-words.ts';
import { checkStatements } from './statements.ts';

/** What responses show, without the account's data: the forms at each place, such as `404` at `GET /orders/1: status`. */
export type Facts = ReadonlyMap<string, ReadonlySet<string>>;

/** The prefix of a place that helps to compare, but is not worth a line: another place shows the same difference. */
export const hint = 'hint: ';
export const firstRejected = 'requests accepted before the first 429';

const fieldsOf: Readonly<Record<string, readonly string[]>> = { ...documentedFields, list: ['orders', 'pagination'] };
const documented = new Set(Object.values(fieldsOf).flat());
const innerOf: Readonly<Record<string, string>> = {
  orders: 'orders[]',
  pagination: 'pagination',
  items: 'items[]',
  license_codes: 'license_codes[]',
};
const limitHeaders = ['retry-after', 'ratelimit', 'x-ratelimit-limit'];

/** The limit and the length of its window, if headers state them. */
export interface Stated {
  limit?: number | 'off';
  windowMs?: number;
}

export const statedIn = (exchanges: readonly Exchange[]): Stated => {
  const all = exchanges.map(
    ({ headers }) => `q=${headers['x-ratelimit-limit'] ?? ''};${headers['ratelimit-policy'] ?? ''}`,
  );
  const [limit, seconds] = [/\bq=([1-9]\d{0,5})\b/, /\bw=([1-9]\d{0,4})\b/].map(
    (part) => all.flatMap((one) => part.exec(one)?.[1] ?? [])[0],
  );
  return { ...(limit && { limit: Number(limit) }), ...(seconds && { windowMs: Number(seconds) * 1000 }) };
};

/**
 * @param counted the requests that count toward the limit, as the API or a limiter of the mock treated them
 * @param stated what headers say about the limit
 */
export const factsOf = (
  exchanges: readonly Exchange[],
  counted: readonly Counted[],
  stated: Stated,
  show: ShowWord,
): Facts => {
  const facts = new Map<string, Set<string>>();
  const say = (place: string, form: unknown): void => {
    facts.set(place, (facts.get(place) ?? new Set()).add(String(form)));
  };
  const sayFields = (owner: string, value: unknown, which = ''): void => {
    const fields = fieldsOf[owner] ?? [];
    for (const object of objectsIn(value)) {
      for (const field of fields) {
        say(`${owner}.${field}${which}`, formOf(object[field], field, show));
        const inner = innerOf[field];
        // An object in place of a list has keys, not fields.
        if (inner && (Array.isArray(object[field]) || field === 'pagination')) sayFields(inner, object[field], which);
        if (owner === 'orders[]' && field.endsWith('status'))
          say(
            `${hint}${field} if ${statuses.find((one) => one === object.status)}`,
            formOf(object[field], field, show),
          );
      }
      const others = Object.keys(object).filter((name) => !fields.includes(name));
      const known = others.filter((name) => documented.has(name)).sort();
      say(
        `further fields of ${owner}`,
        [...known, ...(others.length > known.length ? ['others'] : [])].join(', ') || 'none',
      );
    }
  };
  for (const { question, status, headers, body, problem } of exchanges) {
    const { label, path, name } = question;
    say(`${label}: status`, status || problem);
    say(`${hint}${label}: kind of status`, `${Math.floor(status / 100)}xx`);
    if (status === 0) continue;
    say(`${label}: body`, problem ?? (body === undefined ? 'none' : formOf(body, '', show)));
    const over = status === 429 ? ' of a 429' : '';
    say(
      `rate-limit headers${over}`,
      limitHeaders.filter((header) => headers[header] !== undefined).join(', ') || 'none',
    );
    if (over)
      say(
        'Retry-After',
        /^\d+$/.test(headers['retry-after'] ?? '') ? 'seconds' : formOf(headers['retry-after'], '', show),
      );
    if (name === 'page1') say('content-encoding', /^(gzip|br)$/.exec(headers['content-encoding'] ?? '')?.[0] ?? 'none');
    if (body === undefined) continue;
    const type = (headers['content-type'] ?? '').toLowerCase().replace(/\s/g, '');
    say('content-type of JSON', /^(application\/json|text\/html)(;charset=utf-8)?$/.test(type) ? type : 'another');
    say('status in the body', formOf(objectsIn(body)[0]?.status, '', show));
    const data = dataOf({ status, body });
    const owner = path.startsWith('/orders/') ? 'order' : path.startsWith('/orders') ? 'list' : 'me';
    const isPaid = statuses.some((one) => one === data?.status && isEligible(one));
    sayFields(owner, data, owner === 'order' && !isPaid ? ' of an unpaid order' : '');
    if (ordersOf({ status, body } as Exchange)) sayPage(say, { question, status, body } as Exchange);
  }
  for (const { id, text, holds } of checkStatements(gotFrom(exchanges)))
    say(id ? `${id} ${text}` : text, holds ? 'yes' : 'no');
  for (const [name, value] of Object.entries(stated)) say(`${name} in headers`, value);
  if (counted.length > 0) {
    const first = counted.findIndex(({ rejected }) => rejected);
    say(firstRejected, first < 0 ? 'all' : first);
    say(`${hint}429s`, counted.map(({ rejected }) => Number(rejected)).join(''));
  }
  return facts;
};

/** Says how a list's pagination follows from the request, and whether its numbers agree. */
const sayPage = (say: (place: string, form: unknown) => void, list: Exchange): void => {
  const { label, path } = list.question;
  const [page, perPage, total, pages] = ['page', 'per_page', 'total', 'pages'].map((field) => pagingOf(list, field));
  const [of, size, all] = [page, perPage, total] as [number, number, number];
  const asked = new URLSearchParams(path.split('?')[1]).get('page') ?? '1';
  const rows = ordersOf(list)?.length ?? 0;
  say(
    `${label}: page`,
    String(page) === asked ? 'as requested' : page === 1 ? '1' : page === pages ? 'the last' : 'another',
  );
  say(`${label}: per_page`, size <= 1000 ? size : 'another');
  say(
    `${label}: rows`,
    rows === 0
      ? 'none'
      : rows === Math.max(0, Math.min(size, all - (of - 1) * size))
        ? 'as the pagination says'
        : 'another number',
  );
  if (all === 0) say('pages of an empty list', pages === 0 || pages === 1 ? pages : 'another');
  else say('pages', pages === Math.ceil(all / size) ? 'total divided by per_page' : 'another');
};
