import { isBodiless } from '../api/responses.ts';
import { type Answer, isOverLimit, parseBody, pathsOf } from './answer.ts';
import { headersFor, limitQuestion, type Question } from './questions.ts';

export interface ProbeClock {
  /** ms since 1970. */
  now(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface AskOptions {
  /** The address that `readAddress` returned. */
  baseUrl: string;
  /** The API key that `readApiKey` returned. */
  apiKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: ProbeClock;
  /** Ends the probe with a partial report. */
  signal?: AbortSignal | undefined;
  /** Timeout for one response with its body, ms. Default: 15000. */
  timeoutMs?: number;
  onAnswer?: ((answer: Answer, count: number) => void) | undefined;
  /** Called before each wait of more than 5 s. */
  onWait?: ((ms: number) => void) | undefined;
}

/** Thrown to end the probe early; the message says why. */
class Stopped extends Error {}

const paceMs = 1_000;
const maxRejections = 3;
const maxFailures = 3;
/** The longest wait that the probe accepts from Retry-After, since nobody waits an hour for a report. */
const maxWaitMs = 120_000;

const keyProblems: Readonly<Record<number, string>> = {
  401: 'GET /me returned 401: the API rejects the key. Check ORDER_LICENSE_API_KEY.',
  403: 'GET /me returned 403: only accounts with a company or VAT ID can use the API. Enter a company or a VAT ID in the customer account.',
};

/**
 * Sends the questions one per second. After a 429, waits and sends the question again, at most three times in all.
 * @returns the responses, and why it ended early
 */
export const askAll = async (
  options: AskOptions,
  questions: readonly Question[],
): Promise<{ answers: Answer[]; stopped?: string }> => {
  const { clock, signal, onAnswer, onWait } = options;
  const answers: Answer[] = [];
  let rejections = 0;
  const askAfter = async (ms: number, question: Question, path = question.path): Promise<Answer> => {
    if (ms > 5_000) onWait?.(ms);
    if (ms > 0) await clock.sleep(ms, signal);
    const answer = await send(options, question, path);
    signal?.throwIfAborted();
    answers.push(answer);
    onAnswer?.(answer, answers.length);
    if (answers.length >= maxFailures && answers.slice(-maxFailures).every(failureOf))
      throw new Stopped(`${maxFailures} requests in a row got no usable response. ${adviceFor(answer)}`);
    const why = question.name === 'me' && keyProblems[answer.status];
    if (why) throw new Stopped(why);
    return answer;
  };
  const askPaced = async (question: Question, path: string): Promise<void> => {
    const last = answers.at(-1);
    const dueAt = last ? last.at + paceMs : 0;
    let answer = await askAfter(dueAt - clock.now(), question, path);
    while (answer.status === 429) {
      if (++rejections > maxRejections)
        throw new Stopped(
          'The API keeps returning 429: other programs are using the key, or the limit is below one request per second. Stop the other programs, or create a separate key, then run the probe again.',
        );
      answer = await askAfter(waitAfter(answer), question, path);
    }
  };
  /** Each kind of window accepts requests again at a different time; three requests 10 s ahead tell these apart. */
  const exceedLimit = async (): Promise<void> => {
    const counts = { passed: 0, rejected: 0 };
    while (counts.passed < 115 && counts.rejected < 10) {
      const waitMs = { 0: 62_000, 3: 10_000 }[counts.passed + counts.rejected] ?? 200;
      counts[isOverLimit(await askAfter(waitMs, limitQuestion)) ? 'rejected' : 'passed']++;
    }
    for (let n = 0; n < 15 && counts.rejected > 0; n++) await askAfter(5_000, limitQuestion);
  };
  try {
    for (const question of questions) {
      if (question === limitQuestion) await exceedLimit();
      else for (const path of pathsOf(question, answers)) await askPaced(question, path);
    }
    return { answers };
  } catch (error) {
    if (signal?.aborted) return { answers, stopped: 'The probe was interrupted.' };
    if (error instanceof Stopped) return { answers, stopped: error.message };
    throw error;
  }
};

/** Returns the wait after a 429, ms: Retry-After if it is a number of seconds, otherwise the 60 s in the API docs. */
const waitAfter = ({ headers }: Answer): number => {
  const seconds = Number(headers['retry-after']);
  return seconds >= 1 ? Math.min(maxWaitMs, seconds * 1000 + 1000) : 61_000;
};

/** Says why a response is unusable; `undefined` if it is usable. Any response to a malformed request is usable. */
export const failureOf = (answer: Answer): string | undefined => {
  const { question, status, problem } = answer;
  if (status === 0) return problem;
  if (question.isMalformed || isOverLimit(answer)) return undefined;
  if (status >= 300 && status < 400) return `returned ${status}, a redirect, which the probe does not follow`;
  if (problem) return `returned ${status}, ${problem}`;
  // Every valid key can send these requests, so any 4xx other than 401 and 403 means that the address is wrong.
  const isBasic = ['me', 'list', 'one'].includes(question.name) && status !== 401 && status !== 403;
  return status >= (isBasic ? 400 : 500) ? `returned ${status}` : undefined;
};

/** Returns advice on what to do if no response is usable. */
const adviceFor = ({ problem = '', status }: Answer): string => {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(problem))
    return 'Check the certificate. If a private certificate authority issued it, set NODE_USE_SYSTEM_CA=1 if this machine trusts the authority, otherwise NODE_EXTRA_CA_CERTS to the file with its certificate.';
  const isAddress = status >= 400 && status < 500;
  return `Check the base URL${isAddress ? ': nothing at this address responds to GET /me and GET /orders' : ''}.`;
};

/** Sends a question. Never rejects: `problem` says why there is no response, or why its body can't be read. */
const send = async (options: AskOptions, question: Question, path: string): Promise<Answer> => {
  const { baseUrl, apiKey, clock, fetch, timeoutMs = 15_000, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  let answer: Answer = { question, at: clock.now(), status: 0, headers: {} };
  try {
    const response = await fetch(baseUrl + path, {
      headers: headersFor(question, apiKey),
      redirect: 'manual',
      signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]),
    });
    const { status } = response;
    answer = { ...answer, status, headers: Object.fromEntries(response.headers) };
    return isBodiless(status) ? answer : { ...answer, ...parseBody(await response.text()) };
  } catch (error) {
    if (timeout.aborted) return { ...answer, problem: 'no response in time' };
    if (answer.status > 0) return { ...answer, problem: 'body cut off' };
    // A transport error's code is safe to show, but its message can quote what was sent.
    const code = String((error as { cause?: { code?: unknown } } | null)?.cause?.code);
    return { ...answer, problem: /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? `no connection, ${code}` : 'no connection' };
  }
};
