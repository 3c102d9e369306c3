import { headersFor, type Question } from './questions.ts';
import { readBody, type Unreadable } from './read-body.ts';
import type { Reply } from './reply.ts';
import { createScrub } from './scrub.ts';

/** The response to one question, or why it is missing. */
export interface Answer extends Reply {
  question: Question;
  problem?: Unreadable | 'no response in time' | 'no connection';
  /** The code of a connection error, such as ECONNREFUSED. */
  errorCode?: string;
  /** ms since 1970. */
  startedAt: number;
}

export interface ProbeClock {
  /** ms since 1970. */
  now(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface AskerOptions {
  baseUrl: string;
  apiKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: ProbeClock;
  signal?: AbortSignal | undefined;
  /** Timeout for one answer with its body, ms. */
  timeoutMs: number;
  maxQuestions: number;
  onAnswer?: ((answer: Answer, count: number) => void) | undefined;
  /** Called before each wait of more than 5 s. */
  onWait?: ((ms: number) => void) | undefined;
}

export interface Asker {
  /**
   * Asks at least 1 s after the last answer. Waits after a 429 and asks again, at most three times in a probe.
   * @returns `undefined` if the probe has stopped
   */
  ask(question: Question, path: string): Promise<Answer | undefined>;
  /** Asks `gapMs` after the start of the previous question. Returns a 429 like any other answer. */
  askFast(question: Question & { path: string }, gapMs: number): Promise<Answer | undefined>;
  /** Waits until `at`, ms since 1970. */
  waitUntil(at: number): Promise<void>;
  stop(reason: string): void;
  /** Why the probe stopped; `undefined` while it runs. */
  stopped(): string | undefined;
  answers: readonly Answer[];
  now(): number;
}

const paceMs = 1_000;
const maxRejections = 3;
const maxFailures = 3;
/** Caps Retry-After: nobody waits an hour for a report. */
const maxWaitMs = 120_000;

export const createAsker = (options: AskerOptions): Asker => {
  const { clock, signal, maxQuestions, onAnswer, onWait } = options;
  const scrub = createScrub(options.apiKey);
  const answers: Answer[] = [];
  let reason: string | undefined;
  let failures = 0;
  let rejections = 0;

  const stop = (why: string): void => {
    reason ??= why;
  };
  const sleep = async (ms: number): Promise<void> => {
    if (ms > 5_000 && reason === undefined) onWait?.(ms);
    if (ms > 0 && reason === undefined) await clock.sleep(ms, signal).catch(() => stop('It was interrupted.'));
  };
  const send = async (question: Question, path: string): Promise<Answer | undefined> => {
    if (signal?.aborted) stop('It was interrupted.');
    if (answers.length >= maxQuestions) stop('The maximum number of questions is reached.');
    if (reason !== undefined) return undefined;
    const sent = await sendOne(options, question, path);
    const answer = { ...sent, body: scrub.body(sent.body), headers: scrub.headers(sent.headers) };
    if (signal?.aborted) {
      stop('It was interrupted.');
      return undefined;
    }
    answers.push(answer);
    onAnswer?.(answer, answers.length);
    failures = isFailure(answer) ? failures + 1 : 0;
    if (failures === maxFailures)
      stop(`${maxFailures} questions in a row got no usable response. ${adviceFor(answer)}`);
    return answer;
  };

  return {
    answers,
    stop,
    stopped: () => reason,
    now: clock.now,
    waitUntil: (at) => sleep(at - clock.now()),
    async ask(question, path) {
      for (;;) {
        if (answers.length > 0) await sleep(paceMs);
        const answer = await send(question, path);
        if (answer?.status !== 429) return answer;
        if (++rejections > maxRejections) {
          stop(
            'The service keeps returning 429: other programs use the key, or the limit is below one request a second.',
          );
          return undefined;
        }
        await sleep(waitAfter(answer));
      }
    },
    async askFast(question, gapMs) {
      const last = answers.at(-1);
      if (last) await sleep(last.startedAt + gapMs - clock.now());
      return send(question, question.path);
    },
  };
};

/** The wait after a 429, ms: Retry-After in seconds, or the 60 s of the API docs. */
const waitAfter = ({ headers }: Answer): number => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return seconds >= 1 ? Math.min(maxWaitMs, seconds * 1000 + 1000) : 61_000;
};

/** Any response to a malformed question is usable. */
const isFailure = ({ status, problem, question }: Answer): boolean => {
  if (status === 0 || isWrongAddress(question, status)) return true;
  return question.group !== 'malformed' && (problem !== undefined || status >= 500 || isRedirect(status));
};

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Every valid key can read these, so a client error other than 401, 403 and 429 means a wrong address. */
export const isWrongAddress = ({ name }: Question, status: number): boolean =>
  ['me', 'list', 'one'].includes(name) && status >= 400 && status < 500 && ![401, 403, 429].includes(status);

/** What to do if no usable answer comes back. */
const adviceFor = ({ errorCode = '', status }: Answer): string => {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(errorCode))
    return 'Check the certificate. If it is your own, name its authority in NODE_EXTRA_CA_CERTS.';
  const isClientError = status >= 400 && status < 500;
  return `Check the base URL${isClientError ? `: nothing at this address responds to GET /me and GET /orders` : ''}.`;
};

const sendOne = async (options: AskerOptions, question: Question, path: string): Promise<Answer> => {
  const { baseUrl, clock, fetch, timeoutMs, signal } = options;
  const startedAt = clock.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(baseUrl + path, {
      method: 'GET',
      headers: headersFor(question, options.apiKey),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status } = response;
    const read = [204, 304].includes(status) ? { body: undefined } : await readBody(response);
    if (timeout.aborted) throw timeout.reason;
    return { question, status, headers: Object.fromEntries(response.headers), startedAt, ...read };
  } catch (error) {
    const problem = timeout.aborted ? 'no response in time' : 'no connection';
    return { question, status: 0, headers: {}, body: undefined, startedAt, problem, ...codeOf(error) };
  }
};

/** Only the code: the transport's messages can quote what was sent. */
const codeOf = (error: unknown): { errorCode?: string } => {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? { errorCode: code } : {};
};
