import type { Settings } from '../settings/settings.ts';
import type { Answer } from './ask/asker.ts';
import type { Group, QuestionName } from './ask/questions.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What exceeding the limit showed. */
export interface LimitFacts {
  /** Requests that passed before the first 429. */
  passed: number;
  /** Seconds that they took. */
  seconds: number;
  refused: boolean;
  window?: Settings['window'];
  /** Why `window` is absent. */
  unclear?: string;
}

/** Everything that a probe observed. */
export interface Evidence {
  baseUrl: string;
  groups: ReadonlySet<Group>;
  answers: readonly Answer[];
  /** Set by the rate-limit questions. */
  limit?: LimitFacts | undefined;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The last answer to a question; an earlier one may have been a 429. */
export const answerTo = (evidence: Evidence, name: QuestionName): Answer | undefined =>
  evidence.answers.findLast(({ question }) => question.name === name);

/** The answers to questions of these names, without 429s. */
export const answersTo = (evidence: Evidence, ...names: QuestionName[]): Answer[] =>
  evidence.answers.filter(({ question, status }) => names.includes(question.name) && status !== 429);

/** `data` of a success. */
export const dataOf = (answer: Answer | undefined): Fields | undefined => {
  if (answer?.status !== 200 || !isFields(answer.body)) return undefined;
  const { data } = answer.body;
  return isFields(data) ? data : undefined;
};

/** The user in each answer. */
export const usersOf = (evidence: Evidence): Fields[] =>
  answersTo(evidence, 'me', 'meOrigin')
    .map(dataOf)
    .filter((user) => user !== undefined);

const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** `orders` of a list; `undefined` if there is none. */
export const ordersOf = (answer: Answer | undefined): Fields[] | undefined => {
  const orders = dataOf(answer)?.orders;
  return Array.isArray(orders) ? fieldsIn(orders) : undefined;
};

/** A number of the pagination object; `undefined` if there is none. */
export const pagingOf = (answer: Answer | undefined, field: 'page' | 'per_page' | 'total' | 'pages') => {
  const pagination = dataOf(answer)?.pagination;
  const value = isFields(pagination) ? pagination[field] : undefined;
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
};

export const itemsOf = (order: Fields): Fields[] => fieldsIn(order.items);
export const codesOf = (item: Fields): Fields[] => fieldsIn(item.license_codes);

/** The order details that were read, with the status that the list showed for each. */
export const detailsOf = (evidence: Evidence): { order: Fields; status: string | undefined }[] =>
  answersTo(evidence, 'order').flatMap((answer) => {
    const order = dataOf(answer);
    return order ? [{ order, status: answer.question.orderStatus }] : [];
  });

export const isUnpaid = (status: unknown): boolean => status === 'ausstehend' || status === 'storniert';
export const isPaid = (status: unknown): boolean => status === 'bezahlt' || status === 'abgeschlossen';

const lists: QuestionName[] = ['list', 'listOne', 'listPages', 'listAgain', 'listSecond', 'filter', 'filterSecond'];

/** The answers to all well-formed questions about lists. */
export const listAnswers = (evidence: Evidence): Answer[] => answersTo(evidence, ...lists);

/** All list entries that were read. */
export const entriesOf = (evidence: Evidence): Fields[] =>
  listAnswers(evidence).flatMap((answer) => ordersOf(answer) ?? []);

/** The entries read from the unfiltered list, newest first. */
export const headOfList = (evidence: Evidence): Fields[] =>
  answersTo(evidence, 'listPages').flatMap((answer) => ordersOf(answer) ?? []);

/** The texts of the errors with an envelope. */
export const errorTexts = (evidence: Evidence): { status: number; text: string }[] =>
  evidence.answers.flatMap(({ status, body }) =>
    status >= 400 && isFields(body) && typeof body.error === 'string' ? [{ status, text: body.error }] : [],
  );
