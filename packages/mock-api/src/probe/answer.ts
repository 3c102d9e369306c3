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
  /** The JSON object in the body. */
  envelope?: Json | undefined;
  /** The `data` of a 200. */
  data?: Json | undefined;
  /** The orders of a list. */
  orders?: Json[] | undefined;
  /** Why the response is missing or its body unreadable. */
  problem?: string;
}

/** Reads a body, with all digits of large integers. Never throws. */
export const readBody = (status: number, text: string): Partial<Answer> => {
  if (text.trim() === '') return { problem: 'no body' };
  try {
    // The exact parser is slower, and is needed only for IDs that a double would round.
    const [envelope] = objectsIn(/\d{16}/.test(text) ? parseExact(text) : JSON.parse(text));
    const [data] = status === 200 ? objectsIn(envelope?.data) : [];
    return { envelope, data, orders: Array.isArray(data?.orders) ? objectsIn(data.orders) : undefined };
  } catch {
    return { problem: /^\s*</.test(text) ? 'HTML' : 'no JSON' };
  }
};

/** Returns the objects in a list, or the value itself if it is an object. */
export const objectsIn = (value: unknown): Json[] =>
  [value].flat().filter((one) => isObject(one) && !isRawJSON(one)) as Json[];

/** Returns a text, or a number with its digits; an empty text for anything else. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : (numberText(value) ?? ''));

/** How many orders of each list are read: only a few unpaid ones, since these have no codes. */
const wanted: Readonly<Record<string, number>> = { bezahlt: 5, abgeschlossen: 5, ausstehend: 2, storniert: 2 };

/** Returns the paths of a question: for `{id}`, one for each order that is read. */
export const pathsOf = ({ path, max }: Question, answers: readonly Answer[]): string[] => {
  if (!path.includes('{id}')) return [path];
  const ids = answers.flatMap(({ question, orders = [] }) => {
    const listed = orders.map(({ id }) => textIn(id)).filter((id) => /^-?\d{1,30}$/.test(id));
    return listed.slice(0, wanted[question.name] ?? 0);
  });
  return [...new Set(ids)].slice(0, max).map((id) => path.replace('{id}', id));
};
