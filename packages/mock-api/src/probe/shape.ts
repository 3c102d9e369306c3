import { documentedFields } from '../settings/field-paths.ts';
import { amountForm, formOf } from './form.ts';
import type { Question } from './questions.ts';
import { dataOf, type Fields, fieldsIn, ordersOf, pagingOf, type Reply } from './reply.ts';
import type { ShowWord } from './shown-words.ts';

/**
 * What shows in responses, without the data of the account: how something looks, by where and what it is. `where` is a
 * request or a kind of object; `what` is a field as in the setting `missing`, or something else.
 */
export type Shape = ReadonlyMap<string, { where: string; what: string; forms: ReadonlySet<string> }>;

type Say = (where: string, what: string, forms: Iterable<string>) => void;

/** Collects what `tell` says. */
export const shapeFrom = (tell: (say: Say) => void): Shape => {
  const shape = new Map<string, { where: string; what: string; forms: Set<string> }>();
  tell((where, what, forms) => {
    const key = `${where}: ${what}`;
    shape.set(key, { where, what, forms: new Set([...(shape.get(key)?.forms ?? []), ...forms]) });
  });
  return shape;
};

export const mergeShapes = (shapes: readonly Shape[]): Shape => {
  const merged = new Map<string, { where: string; what: string; forms: ReadonlySet<string> }>();
  for (const [key, one] of shapes.flatMap((shape) => [...shape])) {
    const known = merged.get(key);
    merged.set(key, known ? { ...one, forms: new Set([...known.forms, ...one.forms]) } : one);
  }
  return merged;
};

/** A response, and what was asked. */
export interface Exchange extends Reply {
  question: Question;
  /** Relative to the base URL. */
  path: string;
}

/**
 * Returns the shape of one response: its status, headers and envelope, its pagination, and the forms of its fields.
 * @param paid whether an order is paid or completed, by the list
 */
export const shapeOf = (exchange: Exchange, paid: boolean | undefined, show: ShowWord): Shape =>
  shapeFrom((say) => {
    const { question, path, status, headers, body, problem } = exchange;
    const { label, name } = question;
    say(label, 'status', [String(status || problem)]);
    if (status === 0) return;
    say(label, 'body', [problem ?? (body === undefined ? 'none' : formOf(body, '', show))]);
    for (const header of headersShown) say(label, header, formsOfHeader(header, headers[header]));
    // Compression shows in one response as well as in all.
    if (name === 'me') say(label, 'compression', formsOfHeader('content-encoding', headers['content-encoding']));
    sayFields(say, show, label, 'body', body, ['status', status === 200 ? 'data' : 'error']);
    const data = dataOf(exchange);
    if (!data) return;
    if (path === '/me') sayFields(say, show, label, 'me', data);
    if (paid !== undefined) {
      const where = paid ? 'paid orders' : 'unpaid orders';
      const items = fieldsIn(data.items);
      sayFields(say, show, where, 'order', data);
      sayFields(say, show, where, 'items[]', items);
      for (const { license_codes } of items) sayFields(say, show, where, 'license_codes[]', license_codes);
    }
    const orders = ordersOf(exchange);
    if (!orders) return;
    sayFields(say, show, 'entries of the lists', 'orders[]', orders);
    sayFields(say, show, label, 'pagination', data.pagination);
    for (const [what, form] of Object.entries(formsOfPage(exchange, orders))) say(label, what, [form]);
  });

/** Says how the fields of objects look. @param fields that are expected. Default: those that the API docs name */
const sayFields = (
  say: Say,
  show: ShowWord,
  where: string,
  owner: string,
  objects: unknown,
  fields: readonly string[] = documentedFields[owner as keyof typeof documentedFields],
): void => {
  const some = fieldsIn(objects);
  if (some.length === 0) return;
  for (const field of fields) {
    const values = some.map((object) => object[field]);
    say(
      where,
      `${owner}.${field}`,
      values.map((value) => formOf(value, field, show)),
    );
    // Some orders have only small amounts.
    const amounts = values.flatMap((value) => amountForm(field, value) ?? []);
    if (amounts.length > 0) say('all orders', 'amounts', amounts);
  }
  const others = some.map((object) =>
    Object.keys(object)
      .filter((other) => !fields.includes(other))
      .sort(),
  );
  const further = (names: string[]) =>
    names.every((name) => anywhere.has(name)) ? names.join(', ') : 'further fields';
  say(
    where,
    `${owner} also has`,
    others.map((names) => further(names) || 'nothing'),
  );
};

const anywhere = new Set<string>(Object.values(documentedFields).flat());

const headersShown = ['content-type', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-ratelimit-limit'];
const headersAsWritten = new Set(
  ['application/json', 'text/html', 'gzip', 'br'].flatMap((type) => [type, `${type};charset=utf-8`]),
);

const formsOfHeader = (name: string, value: string | undefined): string[] => {
  if (value === undefined) return ['absent'];
  const written = value.toLowerCase().replace(/\s/g, '');
  if (headersAsWritten.has(written)) return [written];
  // The others count down. A key can hide in more digits.
  const numbers = /-(limit|policy)$/.test(name) && value.match(/\b(\w=)?\d{1,5}\b/g);
  if (numbers) return numbers;
  if (/^\d+$/.test(value)) return ['a number'];
  return [value.endsWith('GMT') ? 'a date' : 'a text'];
};

/** How the pagination of a list responds to its path, and whether its numbers fit. Absent ones show among the fields. */
const formsOfPage = (list: Exchange, orders: readonly Fields[]): Record<string, string> => {
  const [page = Number.NaN, perPage = Number.NaN, total = Number.NaN, pages = Number.NaN] = (
    ['page', 'per_page', 'total', 'pages'] as const
  ).map((field) => pagingOf(list, field));
  const asked = new URLSearchParams(list.path.split('?')[1]).get('page') ?? '1';
  const isLast = page > 1 && page === pages;
  const expected = Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
  const isFitting = pages === Math.ceil(total / perPage);
  return {
    page: String(page) === asked ? 'as asked' : isLast ? 'the last' : page === 1 ? '1' : 'another',
    per_page: perPage <= 1000 ? String(perPage) : 'another',
    total: total === 0 ? '0' : 'more than 0',
    pages: total === 0 && pages < 2 ? String(pages) : isFitting ? 'total divided by per_page, rounded up' : 'another',
    orders:
      orders.length === 0 ? 'none' : orders.length === expected ? 'as many as the pagination says' : 'another number',
  };
};
