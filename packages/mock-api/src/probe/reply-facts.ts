import { fieldPaths } from '../settings/field-paths.ts';
import { formOf } from './form.ts';
import type { Got } from './questions.ts';
import { dataOf, type Fields, fieldsIn, isFields, ordersOf, pagingOf, type Reply } from './reply.ts';

const shownHeaders = /^(content-type|location|retry-after|(x-)?ratelimit.*)$/;
const contentTypes = ['application/json', 'application/json;charset=utf-8', 'text/html', 'text/html;charset=utf-8'];

/** The shape of a response: facts of the form "what: how", without the data of the account. */
export const factsOfReply = (reply: Reply | undefined): string[] => {
  if (!reply) return ['it: not asked'];
  const { status, headers, body, problem } = reply;
  if (status === 0) return [`it: ${problem}`];
  const facts = [`status: ${status}`, `body: ${problem ?? (body === undefined ? 'none' : formOf(body))}`];
  const shown = Object.entries(headers).filter(([name]) => shownHeaders.test(name));
  facts.push(`headers: ${shown.map(([name]) => name).sort()}`);
  for (const [name, value] of shown) facts.push(...factsOfHeader(name, value));
  if (!isFields(body)) return facts;
  const member = status === 200 ? 'data' : 'error';
  facts.push(`status in the body: ${body.status === status ? 'as in HTTP' : formOf(body.status)}`);
  facts.push(`${member}: ${formOf(body[member])}`);
  if (Object.keys(body).some((name) => name !== 'status' && name !== member)) facts.push('envelope: further fields');
  return facts;
};

const factsOfHeader = (name: string, value: string): string[] => {
  // Other headers count down.
  const numbers = /-limit$|policy$/.test(name) ? (value.match(/\b\d{1,6}\b/g) ?? []) : [];
  if (numbers.length === 0) return [`header ${name}: ${headerForm(name, value)}`];
  return numbers.map((number, n) => `header ${name}, number ${n + 1}: ${number}`);
};

const headerForm = (name: string, value: string): string => {
  if (name === 'content-type') {
    const type = value.toLowerCase().replace(/\s/g, '');
    return contentTypes.includes(type) ? type : 'another type';
  }
  if (name === 'location') return /^https:/.test(value) ? 'an https: URL' : 'another URL';
  if (/^\d+$/.test(value)) return 'a number';
  return Number.isNaN(Date.parse(value)) || !/GMT$/.test(value) ? 'a text' : 'a date';
};

/** The pagination of a list against the request and the whole list (§2.3). */
export const factsOfPaging = (reply: Reply | undefined, path: string, got: Got): string[] => {
  const orders = ordersOf(reply);
  if (!orders) return [];
  const [page, perPage, total, pages] = (['page', 'per_page', 'total', 'pages'] as const).map((field) =>
    pagingOf(reply, field),
  );
  const pagination = dataOf(reply)?.pagination;
  const facts = factsOfFields('pagination', isFields(pagination) ? [pagination] : []);
  const asked = new URLSearchParams(path.split('?')[1]).get('page') ?? '1';
  if (page !== undefined) {
    const form = page <= 1 ? String(page) : page === pages ? 'the last' : 'another';
    facts.push(`page: ${String(page) === asked ? 'as asked' : form}`);
  }
  if (perPage !== undefined) facts.push(`per_page: ${perPage <= 1000 ? perPage : 'above 1000'}`);
  if (total !== undefined) {
    const whole = total === pagingOf(got('list'), 'total');
    facts.push(`total: ${total === 0 ? '0' : whole ? 'that of the whole list' : 'another'}`);
  }
  if (perPage && total !== undefined && pages !== undefined) {
    const right = pages === Math.ceil(total / perPage) ? 'total divided by per_page' : 'another number';
    facts.push(`pages: ${total === 0 ? `${pages <= 1 ? pages : 'more'} of none` : right}`);
  }
  const expected = expectedCount(page, perPage, total);
  if (expected === undefined) return [...facts, `orders: ${orders.length === 0 ? 'none' : 'some'}`];
  const difference = orders.length - expected;
  const compared = difference === 0 ? 'as many as the pagination says' : difference < 0 ? 'fewer' : 'more';
  return [...facts, `orders: ${orders.length === 0 ? 'none' : compared}`];
};

/** How many orders a page should have. */
export const expectedCount = (
  page: number | undefined,
  perPage: number | undefined,
  total: number | undefined,
): number | undefined => {
  if (page === undefined || perPage === undefined || total === undefined) return undefined;
  return Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
};

/** The documented fields of each object. */
const documented = new Map<string, string[]>();
for (const path of fieldPaths) {
  const cut = path.lastIndexOf('.');
  const owner = path.slice(0, cut);
  documented.set(owner, [...(documented.get(owner) ?? []), path.slice(cut + 1)]);
}
const anywhere = new Set([...documented.values()].flat());

/** The forms of the fields of these objects. @param owner as in the paths of the setting `missing` */
export const factsOfFields = (owner: string, objects: readonly Fields[]): string[] => {
  const fields = documented.get(owner) ?? [];
  const others = objects.map((object) => otherFields(Object.keys(object).filter((name) => !fields.includes(name))));
  return [
    ...fields.flatMap((field) =>
      once(
        objects.map((object) => formOf(object[field], field)),
        `${owner}.${field}`,
      ),
    ),
    ...once(others, `${owner} also has`),
  ];
};

const once = (forms: readonly string[], what: string): string[] =>
  [...new Set(forms)].map((form) => `${what}: ${form}`);

const otherFields = (names: readonly string[]): string => {
  const known = names.filter((name) => anywhere.has(name)).sort();
  return [...known, ...(known.length < names.length ? ['further fields'] : [])].join(', ') || 'nothing';
};

/** The forms of orders with their items and license codes. */
export const factsOfOrders = (orders: readonly Fields[]): string[] => {
  const items = orders.flatMap((order) => fieldsIn(order.items));
  const codes = items.flatMap(({ license_codes }) => fieldsIn(license_codes));
  return [
    ...factsOfFields('order', orders),
    ...factsOfFields('items[]', items),
    ...factsOfFields('license_codes[]', codes),
  ];
};
