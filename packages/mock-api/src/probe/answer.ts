import { isObject } from '../settings/check.ts';
import { isRawJSON, type Json, numberText, parseExact } from '../settings/json.ts';
import type { Question } from './questions.ts';

/** A question, and the response of the API. */
export interface Answer {
  question: Question;
  /** 0 if there was no response. */
  status: number;
  /** The response headers by their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON body; `undefined` if it can't be read. */
  body?: unknown;
  /** Why the response is missing or its body unreadable. */
  problem?: string;
}

/** Parses a body, with all digits of large integers. Never throws. */
export const parseBody = (text: string): Pick<Answer, 'body' | 'problem'> => {
  if (text.trim() === '') return { problem: 'no body' };
  try {
    // The exact parser is slower, and is needed only for IDs that a double would round.
    return { body: /\d{16}/.test(text) ? parseExact(text) : JSON.parse(text) };
  } catch {
    return { problem: /^\s*</.test(text) ? 'HTML' : 'no JSON' };
  }
};

/** Returns the objects in a list, or the value itself if it is an object. */
export const objectsIn = (value: unknown): Json[] =>
  [value].flat().filter((one) => isObject(one) && !isRawJSON(one)) as Json[];

/** Returns the `data` of a 200; `undefined` if it is not an object. */
export const dataOf = ({ status, body }: Answer): Json | undefined =>
  status === 200 ? objectsIn(objectsIn(body)[0]?.data)[0] : undefined;

/** Returns the orders of a list response; `undefined` if it has none. */
export const ordersOf = (answer: Answer): Json[] | undefined => {
  const orders = dataOf(answer)?.orders;
  return Array.isArray(orders) ? objectsIn(orders) : undefined;
};

/** Returns a text, or a number with its digits; an empty text for anything else. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : (numberText(value) ?? ''));

/** How many orders of each list are read: only a few unpaid ones, since these have no codes. */
const wanted: Readonly<Record<string, number>> = { bezahlt: 5, abgeschlossen: 5, ausstehend: 2, storniert: 2 };

/** Returns the paths of a question: for `{id}`, one for each order that is read. */
export const pathsOf = ({ path, max }: Question, answers: readonly Answer[]): string[] => {
  if (!path.includes('{id}')) return [path];
  const ids = answers.flatMap((answer) => {
    const listed = (ordersOf(answer) ?? []).map(({ id }) => textIn(id)).filter((id) => /^-?\d{1,30}$/.test(id));
    return listed.slice(0, wanted[answer.question.name] ?? 0);
  });
  return [...new Set(ids)].slice(0, max).map((id) => path.replace('{id}', id));
};
