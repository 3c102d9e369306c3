import { codeTypes, isEligible, type Status, statuses } from '../orders/statuses.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { type Json, numberText } from '../settings/json.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { type Answer, dataOf, isOverLimit, objectsIn, ordersOf, textIn } from './answer.ts';
import { limitQuestion, type Question } from './questions.ts';

/** The words of the mock, and of headers. No other text of a response is shown. */
const words: readonly unknown[] = [
  ...['application/json', 'application/json;charset=utf-8', 'text/html;charset=utf-8', 'gzip', 'br'],
  ...statuses,
  ...codeTypes,
  ...settingDefinitions.zahlungsstatus.default,
  ...settingDefinitions.lieferstatus.default,
];

/** The forms of texts; the first that matches counts. */
const textForms: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty text'],
  [/^0000-00-00 /, 'zero date'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'date'],
  [/^\d{4}-\d\d-\d\dT/, 'ISO 8601'],
  [/^-?\d+$/, 'digits as text'],
  [/^https?:.*\?/, 'URL with a query'],
  [/^https:/, 'https URL'],
  [/^http:/, 'http URL'],
];

const typeOf = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  const number = numberText(value);
  if (number !== undefined) return /^-?\d+$/.test(number) ? 'integer' : 'fraction';
  return Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
};

/** Describes a value by its type and its form. */
const formOf = (value: unknown): string => {
  const type = typeOf(value);
  if (type === 'text') return textForm(value as string);
  if (type === 'integer') {
    const number = Number(numberText(value));
    return number < 0 ? 'negative integer' : Number.isSafeInteger(number) ? type : 'integer above 2^53';
  }
  return ['list', 'object'].includes(type) && Object.keys(value as object).length === 0 ? `empty ${type}` : type;
};

const textForm = (text: string): string => {
  if (words.includes(text)) return text;
  // An amount is described by its punctuation, such as 9.99 for every amount with two fraction digits.
  const digits = text.replace(/\d/g, '9').replace(/^(-?)9+/, '$19');
  if (/^-?9([.,]9+)+$/.test(digits)) return digits.replace(/([.,]999)+(?=[.,])/, '.999');
  return textForms.find(([form]) => form.test(text))?.[1] ?? 'text';
};

/** The documented fields of an object and of the objects in its lists, by their paths such as `items[].menge`. */
const fieldsOf = (owner: string, value: unknown): [path: string, value: unknown][] =>
  objectsIn(value).flatMap((object) =>
    (documentedFields[owner] ?? []).flatMap((name): [string, unknown][] => [
      [`${owner}.${name}`, object[name]],
      ...(Array.isArray(object[name]) ? fieldsOf(`${name}[]`, object[name]) : []),
    ]),
  );

/** Describes what a list shows besides its fields. */
const listForms = ({ name, label, path }: Question, orders: readonly Json[], pagination: Json): string[] => {
  const [page, size, total, pages] = ['page', 'per_page', 'total', 'pages'].map((name) => textIn(pagination[name]));
  const asked = new URLSearchParams(path.split('?')[1]).get('page') ?? '1';
  const dates = orders.map(({ created_at }) => textIn(created_at)).filter((date) => /^[1-9]\d{3}-/.test(date));
  const isSorted = dates.join() === dates.toSorted().reverse().join();
  const ties = orders.slice(1).flatMap((order, n) => {
    const before = orders[n] as Json;
    const isTie = isSorted && textIn(order.created_at) === textIn(before.created_at);
    return isTie ? `same date: ${idOf(before) > idOf(order) ? 'higher' : 'lower'} ID first` : [];
  });
  const shownSize = /^([1-9]|[1-4]\d|50)$/.exec(size ?? '')?.[0] ?? 'out of range';
  const isOther = ({ status }: Json) => status !== name && statuses.includes(status as Status);
  return [
    ...ties,
    `${label}: ${orders.length > 0 ? 'orders' : 'no orders'}, ${page === asked ? 'the page asked for' : 'another page'}, per_page ${shownSize}`,
    `per_page: ${shownSize}`,
    `filter: ${orders.some(isOther) ? 'other statuses' : 'one status'}`,
    ...(new Set(dates).size > 1 ? [`sequence: ${isSorted ? 'newest first' : 'another'}`] : []),
    ...(total === '0' ? [`empty list: pages ${pages === '0' ? 0 : 'above 0'}`] : []),
    ...(orders.length < Number(size) ? [`total: ${Number(total) > orders.length ? 'more' : 'these'} orders`] : []),
  ];
};

const idOf = ({ id }: Json): bigint => BigInt(/^-?\d{1,40}$/.exec(textIn(id))?.[0] ?? 0);

/** Describes what an order shows besides its fields. */
const orderForms = (order: Json): string[] => {
  const more = Object.keys(order).filter((name) => !documentedFields.order?.includes(name));
  const names = more.map((name) => (documentedFields['orders[]']?.includes(name) ? name : 'undocumented fields'));
  const isUnpaid = statuses.some((one) => one === order.status && !isEligible(one));
  const items = isUnpaid ? objectsIn(order.items) : [];
  return [
    ...(names.length > 0 ? names : ['none']).map((name) => `more fields: ${name}`),
    ...items.map(({ license_codes }) => `unpaid order: license_codes ${formOf(license_codes)}`),
  ];
};

const headerForms = (answer: Answer): string[] => {
  const { headers } = answer;
  const isOver = isOverLimit(answer);
  // Other responses, such as a 503, may have a Retry-After for other reasons.
  const names = [...(isOver ? ['retry-after'] : []), 'ratelimit', 'x-ratelimit-limit'].filter(
    (name) => headers[name] !== undefined,
  );
  const wait = Number(headers['retry-after']) >= 0 ? ' in seconds' : ' as a date';
  const policy = `q=${headers['x-ratelimit-limit']};${headers['ratelimit-policy']}`;
  const stated = (form: RegExp): string[] => form.exec(policy)?.slice(1) ?? [];
  return [
    `content coding: ${formOf(headers['content-encoding'])}`,
    `rate-limit headers: ${isOver ? '429 has ' : ''}${names.join(', ').replace(/^retry-after/, `$&${wait}`) || 'none'}`,
    ...stated(/\bq=([1-9]\d{0,5})\b/).map((limit) => `stated limit: ${limit}`),
    ...stated(/\bw=([1-9]\d{0,4})\b/).map((seconds) => `stated window: ${seconds}000`),
  ];
};

/** Describes a response without data of the account, by texts such as `orders[].created_at: date`. */
const formsOf = (answer: Answer): string[] => {
  const { question, status, headers, body, problem } = answer;
  const { label, path } = question;
  const data = dataOf(answer);
  const orders = ordersOf(answer);
  const isOrder = path.startsWith('/orders/');
  const [envelope] = objectsIn(body);
  const fields = orders
    ? [...fieldsOf('orders[]', orders), ...fieldsOf('pagination', data?.pagination)]
    : fieldsOf(isOrder ? 'order' : 'me', data);
  const type = headers['content-type']?.toLowerCase().replace(/\s/g, '');
  return [
    `${label}: ${Math.floor(status / 100)}xx`,
    ...(orders ? [] : [`${label}: status ${status}`]),
    `${label}: body ${problem ?? 'JSON'}, ${status}`,
    ...(orders ? listForms(question, orders, objectsIn(data?.pagination)[0] ?? {}) : []),
    ...(isOrder && data ? orderForms(data) : []),
    ...headerForms(answer),
    ...(status < 400 ? [] : [`error: ${problem ?? typeOf(envelope?.error)}`]),
    ...(envelope ? [`content type: ${formOf(type)}`, `status in the body: ${typeOf(envelope.status)}`] : []),
    ...fields.flatMap(([path, value]) => [`${path}: ${formOf(value)}`, `type of ${path}: ${typeOf(value)}`]),
  ];
};

/** Describes which requests the limit accepted, if it rejected any or if the probe tried to exceed it. */
const limitForms = (answers: readonly Answer[]): string[] => {
  const first = answers.findIndex(isOverLimit);
  if (first < 0) return answers.some(({ question }) => question === limitQuestion) ? ['accepted: all'] : [];
  const at = answers[first]?.at ?? 0;
  const before = answers.slice(0, first).filter((answer) => answer.at > at - 60_000);
  const signs = answers.map((answer) => (isOverLimit(answer) ? '-' : '+')).join('');
  const runs = signs.match(/\++|-+/g)?.map((run) => `${run.length} ${run.startsWith('+') ? 'accepted' : 'rejected'}`);
  return [`accepted in the minute before a 429: ${before.length}`, `window: ${runs?.join(', ')}`];
};

/** The forms of each response, since every line of the report looks at the same ones. */
const known = new WeakMap<Answer, readonly string[]>();

/** Describes responses; each form is listed once. */
export const shapeOf = (answers: readonly Answer[]): string[] => {
  for (const answer of answers) if (!known.has(answer)) known.set(answer, [...new Set(formsOf(answer))]);
  return [...new Set([...answers.flatMap((answer) => known.get(answer) ?? []), ...limitForms(answers)])];
};
