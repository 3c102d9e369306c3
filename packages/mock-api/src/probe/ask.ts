import { isObject } from '../settings/check.ts';
import { isRawJSON, type Json, numberText, parseExact } from '../settings/json.ts';
import { headersFor, maxRepeats, type Question } from './questions.ts';

export interface AskOptions {
  /** The address that `readAddress` returned. */
  baseUrl: string;
  /** The API key that `readApiKey` returned. */
  apiKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Ends the probe with a partial report. */
  signal?: AbortSignal | undefined;
  /** Timeout for one response with its body, ms. Default: 15000. */
  timeoutMs?: number;
  onAnswer?: ((answer: Answer, count: number) => void) | undefined;
  /** Called before each wait for the rate limit. */
  onWait?: ((ms: number) => void) | undefined;
}

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

/** The longest wait that the probe accepts from Retry-After, ms, since nobody waits an hour for a report. */
const maxWaitMs = 120_000;

/** Why the probe stops if `GET /me` returns this status. */
const keyProblems: Readonly<Record<number, string>> = {
  401: 'GET /me returned 401: the API rejects the key. Check ORDER_LICENSE_API_KEY.',
  403: 'GET /me returned 403: only accounts with a company or VAT ID can use the API. Enter a company or a VAT ID in the customer account.',
};
const tooManyFailures =
  '3 requests in a row got no usable response. Check the base URL, and whether another program uses the key.';

/**
 * Sends the questions, one second apart. After a 429, waits, repeats the question once and goes on.
 * @returns the responses, and why it ended early; without `stopped` if it sent every question
 */
export const askAll = async (
  options: AskOptions,
  questions: readonly Question[],
): Promise<{ answers: Answer[]; stopped?: string }> => {
  const { signal, sleep, onAnswer, onWait } = options;
  const answers: Answer[] = [];
  let repeats = 0;
  const ask = async (question: Question, path: string, waitMs: number): Promise<Answer> => {
    await sleep(waitMs, signal);
    const answer = await send(options, question, path);
    signal?.throwIfAborted();
    answers.push(answer);
    onAnswer?.(answer, answers.length);
    return answer;
  };
  try {
    for (const question of questions)
      for (const path of pathsOf(question, answers)) {
        let answer = await ask(question, path, 1_000);
        if (answer.status === 429 && repeats++ < maxRepeats) {
          // Without a number of seconds in Retry-After, the 60 s in the API docs count.
          const seconds = Number(answer.headers['retry-after']) || 60;
          const waitMs = Math.min(maxWaitMs, Math.max(1, seconds) * 1_000 + 1_000);
          onWait?.(waitMs);
          answer = await ask(question, path, waitMs);
        }
        const keyProblem = question.name === 'me' && keyProblems[answer.status];
        if (keyProblem) return { answers, stopped: keyProblem };
        if (answers.length >= 3 && answers.slice(-3).every(failureOf)) return { answers, stopped: tooManyFailures };
      }
    return { answers };
  } catch (error) {
    if (signal?.aborted) return { answers, stopped: 'The probe was interrupted.' };
    throw error;
  }
};

/** Says why a response is unusable; `undefined` if it is usable. Any response to a malformed request is usable. */
export const failureOf = ({ question, status, problem }: Answer): string | undefined => {
  if (status === 0) return problem;
  if (status !== 429 && question.isMalformed) return undefined;
  // Every valid key can send these requests.
  const lowest = /^(me|list|page1)$/.test(question.name) ? 300 : 500;
  if (problem) return `returned ${status}, ${problem}`;
  return status === 429 || status >= lowest ? `returned ${status}` : undefined;
};

/** Returns the paths of a question: for `{id}`, one for each order that is read. */
const pathsOf = ({ path, max }: Question, answers: readonly Answer[]): string[] => {
  if (!path.includes('{id}')) return [path];
  const ids = answers.flatMap(({ question, orders = [] }) => {
    const listed = orders.map(({ id }) => textIn(id)).filter((id) => /^-?\d{1,30}$/.test(id));
    return listed.slice(0, question.reads ?? 0);
  });
  return [...new Set(ids)].slice(0, max).map((id) => path.replace('{id}', id));
};

/** Sends a question. Never rejects: `problem` says why there is no response, or why its body can't be read. */
const send = async (options: AskOptions, question: Question, path: string): Promise<Answer> => {
  const { baseUrl, apiKey, fetch, timeoutMs = 15_000, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const answer: Answer = { question, status: 0, headers: {} };
  try {
    const response = await fetch(baseUrl + path, {
      headers: headersFor(question, apiKey),
      redirect: 'manual',
      signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]),
    });
    answer.status = response.status;
    answer.headers = Object.fromEntries(response.headers);
    return { ...answer, ...readBody(response.status, await response.text()) };
  } catch (error) {
    // A transport error's code is safe to show, but its message can quote what was sent.
    const code = String((error as { cause?: { code?: unknown } } | null)?.cause?.code);
    const why = /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? `no connection, ${code}` : 'no connection';
    return { ...answer, problem: timeout.aborted ? 'no response in time' : answer.status > 0 ? 'body cut off' : why };
  }
};

/** Reads a body, and keeps all digits of large integers. Never throws. */
const readBody = (status: number, text: string): Partial<Answer> => {
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
