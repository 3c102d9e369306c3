import { statuses } from '../data/order.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { dataOf, type Exchange, fieldsIn, gotFrom, isPaid, type Listed, ordersOf, pagingOf } from './exchange.ts';
import { amountForm, formOf, hasWords, zoneOf } from './form.ts';
import type { Timed } from './limit.ts';
import type { ShowWord } from './shown-words.ts';
import { checkStatements } from './statements.ts';

/**
 * The facts that responses show, without the account's data. Each fact is a text of three lines: its subject, such as a
 * field, written as in the setting `missing`; its place, which is a request or a kind of object; and the form that the
 * subject has there.
 */
export type Facts = ReadonlySet<string>;

/** Returns the first two lines of a fact: its subject and its place. */
export const placeOf = (fact: string): string => fact.slice(0, fact.lastIndexOf('\n'));

/** Returns the forms of one subject at one place: the last lines of its facts. */
export const formsAt = (facts: Facts, place: string): string[] =>
  [...facts]
    .filter((fact) => placeOf(fact) === place)
    .map((fact) => fact.slice(place.length + 1))
    .sort();

const factOf = (what: string, where: string, form: string): string => [what, where, form].join('\n');

/** Returns all facts: those that each response shows, those that several show together, and which requests got 429. */
export const allFacts = (single: readonly { exchange: Exchange; facts: Facts }[], timed: readonly Timed[]): Facts =>
  new Set([
    ...single.flatMap(({ facts }) => [...facts]),
    ...checkStatements(gotFrom(single.map(({ exchange }) => exchange))).flatMap(({ text, held, broken }) => [
      ...(held > 0 ? [factOf(text, 'several responses', 'yes')] : []),
      ...(broken > 0 ? [factOf(text, 'several responses', 'no')] : []),
    ]),
    ...timed.map(({ at, rejected }, n) => {
      const seconds = Math.round((at - (timed[0]?.at ?? 0)) / 1000);
      return factOf(`request ${n + 1}, after ${seconds} s`, 'over the limit', rejected ? '429' : 'no 429');
    }),
  ]);

/**
 * The prefix of a fact's place if the fact only helps to choose settings. The report omits such a fact: either another
 * fact reports the same difference, or there need not be a difference, because an API's words may depend on something
 * other than the order's status.
 */
export const hint = 'hint: ';

/**
 * The names of the requests whose responses show compression. Servers often compress only long responses, such as a
 * list, and an account without orders has no long list.
 */
export const compressible: readonly string[] = ['me', 'page1'];

const fieldsOf: Readonly<Record<string, readonly string[]>> = { ...documentedFields, list: ['orders', 'pagination'] };
const documented = new Set(Object.values(fieldsOf).flat());

/** The names of the objects in a field, as in the setting `missing`. */
const objectsIn: Readonly<Record<string, string>> = {
  orders: 'orders[]',
  pagination: 'pagination',
  items: 'items[]',
  license_codes: 'license_codes[]',
};

/** Returns the facts about one response: its status, headers, envelope and pagination, and the forms of its fields. */
export const factsOf = (exchange: Exchange, chosen: readonly Listed[], show: ShowWord): Facts => {
  const { question, status, headers, body, problem } = exchange;
  const { name, group, path, label, order } = question;
  const read = group === 'reads' ? chosen[order ?? -1] : undefined;
  const request = read ? (isPaid(read) ? 'paid orders' : 'unpaid orders') : label;
  const facts = new Set<string>();
  const say = (what: string, form: string, where = request) => facts.add(factOf(what, where, form));
  const sayFields = (owner: string, objects: unknown, fields = fieldsOf[owner] ?? []): void => {
    const where = owner === 'orders[]' ? 'list entries' : request;
    for (const object of fieldsIn(objects)) {
      for (const field of fields) {
        const form = formOf(object[field], field, show);
        say(`${owner}.${field}`, form, where);
        const status = statuses.find((one) => one === object.status);
        if (status && hasWords(field)) say(`${owner}.${field}`, form, hint + status);
        const zone = zoneOf(field, object[field]);
        if (zone) say('time zone in ISO 8601 dates', zone, 'all orders');
        // Amounts are compared across all orders, since some orders have only small ones.
        const amount = amountForm(field, object[field]);
        if (amount) say('amounts', amount, 'all orders');
        const inner = objectsIn[field];
        // An object in place of a list is a difference of its own. Its fields are keys, not those of a list's objects.
        if (inner && (Array.isArray(object[field]) || !inner.endsWith('[]'))) sayFields(inner, object[field]);
      }
      const others = Object.keys(object).filter((other) => !fields.includes(other));
      const known = others.filter((other) => documented.has(other)).sort();
      if (known.length > 0 || others.length === 0) say(`${owner} also has`, known.join(', ') || 'nothing', where);
      if (others.length > known.length) say(`${owner} also has`, 'undocumented fields', where);
    }
  };

  say('status', String(status || problem));
  // An API that rejects a request with 422 resembles a mock that rejects it with 400, whatever their bodies are.
  say('kind of status', `${Math.floor(status / 100)}xx`, hint + request);
  if (status === 0) return facts;
  say('body', problem ?? (body === undefined ? 'none' : formOf(body, '', show)));
  for (const header of [...headersShown, ...(compressible.includes(name) ? ['content-encoding'] : [])])
    for (const form of formsOfHeader(header, headers[header])) say(header, form);
  sayFields('body', body, ['status', status === 200 ? 'data' : 'error']);
  sayFields(path.startsWith('/orders/') ? 'order' : path.startsWith('/orders') ? 'list' : 'me', dataOf(exchange));
  if (ordersOf(exchange)) for (const [what, form] of Object.entries(formsOfPage(exchange))) say(what, form);
  return facts;
};

const headersShown = [
  ...['content-type', 'retry-after', 'ratelimit', 'ratelimit-policy'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining'],
];
const headersAsWritten = /^(application\/json|text\/html)(;charset=utf-8)?$|^(gzip|br)$/;

/** Maximum number of numbers to consider; an API usually shows fewer than ten. */
export const maxNumbers = 20;

const formsOfHeader = (name: string, value: string | undefined): string[] => {
  if (value === undefined) return ['absent'];
  const written = value.toLowerCase().replace(/\s/g, '');
  if (headersAsWritten.test(written)) return [written];
  // The numbers in all other headers count down, so they cannot be compared. Numbers of more than five digits could be
  // part of a key.
  const numbers = /-(limit|policy)$/.test(name) && value.match(/\b(\w=)?\d{1,5}\b/g);
  if (numbers) return numbers.slice(0, maxNumbers);
  return [/^\d+$/.test(value) ? 'a number' : value.endsWith('GMT') ? 'a date' : 'a text'];
};

/**
 * Describes how a list's pagination follows from the request, and whether its numbers are consistent. `factsOf` reports
 * absent numbers with the other absent fields.
 */
const formsOfPage = (list: Exchange): Record<string, string> => {
  const [page, perPage, total, pages] = ['page', 'per_page', 'total', 'pages'].map((field) =>
    pagingOf(list, field),
  ) as [...[number, number, number, number]];
  const asked = new URLSearchParams(list.question.path.split('?')[1]).get('page') ?? '1';
  const isLast = page > 1 && page === pages;
  const shown = ordersOf(list)?.length;
  const isExpected = shown === Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
  const isFitting = pages === Math.ceil(total / perPage);
  return {
    page: String(page) === asked ? 'as requested' : isLast ? 'the last page' : page === 1 ? '1' : 'a different value',
    per_page: perPage <= 1000 ? String(perPage) : 'a different value',
    total: total === 0 ? '0' : 'more than 0',
    pages:
      total === 0 && pages < 2
        ? String(pages)
        : isFitting
          ? 'total divided by per_page, rounded up'
          : 'a different value',
    orders: shown === 0 ? 'none' : isExpected ? 'as many as the pagination says' : 'a different number',
  };
};
