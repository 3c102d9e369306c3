import { isEligible, statuses } from '../orders/statuses.ts';
import { documentedFields } from '../settings/field-paths.ts';
import type { Json } from '../settings/json.ts';
import { type Answer, objectsIn, textIn } from './ask.ts';
import { addFields, addOddFields } from './fields.ts';

/**
 * What the responses show. The values of documented fields have the field's path as their name, such as
 * `items[].menge`; all other facts have the name of the setting or the ID of the statement that they are about.
 */
export type Facts = ReadonlyMap<string, readonly unknown[]>;
export type Add = (name: string, fact: unknown) => void;

/** @param baseUrl the address of the API */
export const factsIn = (answers: readonly Answer[], baseUrl: string): Facts => {
  const facts = new Map<string, unknown[]>();
  const add: Add = (name, fact) => facts.get(name)?.push(fact) ?? facts.set(name, [fact]);
  const usable = answers.filter(({ status }) => status !== 0 && status !== 429);
  const page1 = pageIn(usable.find(({ question }) => question.name === 'page1'));
  for (const answer of answers) addLimit(answer, add);
  for (const answer of usable) {
    const { question, status, headers, data, orders } = answer;
    addOutcome(answer, page1, add);
    if (question.isMalformed) continue;
    if (orders) addList(answer, orders, page1, add);
    else if (question.name === 'order' && data) addOrder(data, add);
    else if (question.name === 'me') {
      addFields('me', data, add);
      for (const text of data ? [data.company, data.vat_id] : []) if (!text) add('emptyText', text);
      if (baseUrl.startsWith('http:')) add('httpsOnly', `${status} ${headers.location?.slice(0, 6)}`);
    }
  }
  if (usable.some(({ data }) => data)) addOddFields(facts, add);
  return facts;
};

const addLimit = ({ status, headers }: Answer, add: Add): void => {
  const { 'x-ratelimit-limit': x, ratelimit: draft, 'retry-after': wait } = headers;
  const policy = `q=${x};${headers['ratelimit-policy']}`;
  for (const [, limit] of policy.matchAll(/\bq=(\d+)/g)) add('limit', Number(limit));
  for (const [, seconds] of policy.matchAll(/\bw=(\d+)/g)) add('windowMs', Number(seconds) * 1000);
  if (x) add('rateHeaders', 'x');
  if (draft) add('rateHeaders', 'draft');
  if (status === 429 && (wait || !(x || draft))) add('rateHeaders', wait ?? 'none');
};

/** Adds how the API responds to a question, as in `/orders/abc: 404 JSON` or `/orders: 200 orders, 20 per page`. */
const addOutcome = (answer: Answer, page1: Page, add: Add): void => {
  const { question, status, headers, envelope, orders, problem = 'JSON' } = answer;
  const { name, label, path, isMalformed } = question;
  const { size, total, pages } = pageIn(answer);
  // If the API has a lower maximum than 50, that maximum counts as 50.
  const perPage = size && size === page1.size ? 50 : size;
  add(name, `${path}: ${status} ${orders ? `${orders.length > 0 ? '' : 'no '}orders, ${perPage} per page` : problem}`);
  if (total === '0') add('emptyPages', pages);
  if (/^(nobody|other)$/.test(name)) add('S-08', `${label}: ${status}`);
  if (status >= 400 && name !== 'unknownPath') add('S-12', envelope ? `error: ${typeof envelope.error}` : problem);
  if (!envelope || isMalformed) return;
  add('looseStatus', envelope.status);
  add('contentType', headers['content-type']);
  add('compress', headers['content-encoding']);
};

const addList = (list: Answer, orders: readonly Json[], page1: Page, add: Add): void => {
  const { name } = list.question;
  addFields('orders[]', orders, add);
  addFields('pagination', list.data?.pagination, add);
  const isFiltered = statuses.some((status) => status === name);
  for (const order of orders) {
    const status = statusOf(order);
    if (status) add('S-19', status === order.status ? 'lower case' : 'upper-case letters');
    if (status && isFiltered) add('S-34', status === name ? 'this status' : 'other statuses');
  }
  const { size, total } = pageIn(list);
  const count = String(orders.length);
  if (isFiltered && total && orders.length < Number(size) && count !== page1.total)
    add('totalIgnoresFilter', total === count ? 'off' : total === page1.total ? 'on' : 'neither');
  if (name === 'page1' && size) add('perPageMax', Number(size));
  if (/^(page1|again)$/.test(name)) addSequence(orders, add);
};

const addSequence = (orders: readonly Json[], add: Add): void => {
  const dated = orders.filter(({ created_at }) => /^[1-9]\d{3}-/.test(textIn(created_at)));
  const dates = dated.map(({ created_at }) => textIn(created_at));
  const isSorted = dates.join() === dates.toSorted().reverse().join();
  if (new Set(dates).size > 1) add('S-45', isSorted ? 'newest first' : 'another sequence');
  if (!isSorted) return;
  // The mock sorts negative IDs as if they were positive.
  const ids = dated.map(({ id }) => BigInt(/\d{1,40}/.exec(textIn(id))?.[0] ?? 0));
  for (const [n, id] of ids.entries()) {
    const below = ids[n + 1] ?? id;
    if (dates[n] === dates[n + 1] && below !== id) add('tieBreak', id > below ? 'descending' : 'ascending');
  }
};

const addOrder = (order: Json, add: Add): void => {
  const status = statusOf(order);
  const isUnpaid = status && !isEligible(status);
  // The codes of an unpaid order are a separate open question.
  addFields('order', status && !isUnpaid ? order : { ...order, items: [] }, add);
  if (isUnpaid) for (const { license_codes } of objectsIn(order.items)) add('ineligibleCodes', license_codes);
  for (const name of Object.keys(order)) {
    const isInList = documentedFields['orders[]']?.includes(name);
    add('extraFields', documentedFields.order?.includes(name) ? 'none' : isInList ? 'summary' : 'unknown');
  }
};

/** Returns the documented status of an order, which may be in upper case. */
const statusOf = ({ status }: Json) => statuses.find((one) => one === textIn(status).toLowerCase());

/** Returns the pagination of a list, as texts. */
const pageIn = (answer: Answer | undefined) => {
  const [{ per_page, total, pages } = {} as Json] = objectsIn(answer?.data?.pagination);
  return { size: textIn(per_page), total: textIn(total), pages: textIn(pages) };
};
type Page = ReturnType<typeof pageIn>;
