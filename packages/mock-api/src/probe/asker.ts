import { isBodiless } from '../api/http.ts';
import { headersFor, type Question } from './questions.ts';
import { readBody, type Unreadable } from './read-body.ts';
import type { Exchange } from './shape.ts';

/** The response of the service to one question, or why it is missing. */
export interface Answer extends Exchange {
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
  /** As `readAddress` returned it. */
  baseUrl: string;
  /** As `readApiKey` returned it. */
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

export type Asker = ReturnType<typeof createAsker>;

const paceMs = 1_000;
const maxRejections = 3;
const maxFailures = 3;
/** Caps Retry-After: nobody waits an hour for a report. */
const maxWaitMs = 120_000;

export const createAsker = (options: AskerOptions) => {
  const { clock, signal, onAnswer, onWait } = options;
  const answers: Answer[] = [];
  let reason: string | undefined;
  let failures = 0;
  let rejections = 0;

  const stop = (why: string): void => {
    reason ??= why;
  };
  const interrupt = (): void => stop('It was interrupted.');
  const sleep = async (ms: number): Promise<void> => {
    if (ms > 5_000 && reason === undefined) onWait?.(ms);
    if (ms > 0 && reason === undefined) await clock.sleep(ms, signal).catch(interrupt);
  };
  const send = async (question: Question, path: string): Promise<Answer | undefined> => {
    if (signal?.aborted) interrupt();
    if (reason !== undefined) return undefined;
    const answer = await sendOne(options, question, path);
    if (signal?.aborted) {
      interrupt();
      return undefined;
    }
    answers.push(answer);
    onAnswer?.(answer, answers.length);
    failures = failureOf(answer) === undefined ? 0 : failures + 1;
    if (failures === maxFailures)
      stop(`${maxFailures} questions in a row got no usable response. ${adviceFor(answer)}`);
    return answer;
  };

  return {
    answers: answers as readonly Answer[],
    stop,
    /** Why the probe stopped; `undefined` while it runs. */
    stopped: () => reason,
    /**
     * Asks at least 1 s after the last response. Waits after a 429 and asks again, at most three times in a probe.
     * @returns `undefined` if the probe has stopped
     */
    async ask(question: Question, path: string): Promise<Answer | undefined> {
      for (;;) {
        if (answers.length > 0) await sleep(paceMs);
        const answer = await send(question, path);
        if (answer?.status !== 429) return answer;
        if (++rejections > maxRejections)
          stop('The API keeps returning 429: other programs use the key, or the limit is below one request a second.');
        await sleep(waitAfter(answer));
      }
    },
    /** Asks at `at`, ms since 1970, or at once if that has passed. Returns a 429 like any other response. */
    async askAt(at: number, question: Question): Promise<Answer | undefined> {
      await sleep(at - clock.now());
      return send(question, String(question.path));
    },
  };
};

/** The wait after a 429, ms: Retry-After in seconds, or the 60 s of the API docs. */
const waitAfter = ({ headers }: Answer): number => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return seconds >= 1 ? Math.min(maxWaitMs, seconds * 1000 + 1000) : 61_000;
};

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;
const isClientError = (status: number): boolean => status >= 400 && status < 500;

/** Every valid key can read these, so another client error than 401, 403 and 429 means a wrong address. */
const isWrongAddress = ({ name }: Question, status: number): boolean =>
  ['me', 'list', 'one'].includes(name) && isClientError(status) && ![401, 403, 429].includes(status);

/** Says why a response is unusable; `undefined` if it is usable, as any response to a malformed question. */
export const failureOf = ({ question, status, problem, errorCode }: Answer): string | undefined => {
  if (status === 0) return [problem, errorCode].filter(Boolean).join(', ');
  const isUsable = problem === undefined && status < 500 && !isRedirect(status) && !isWrongAddress(question, status);
  if (question.group === 'malformed' || isUsable) return undefined;
  const what = isRedirect(status) ? 'a redirect, which is not followed' : problem;
  return `returned ${status}${what ? `, ${what}` : ''}`;
};

/** What to do if no usable response comes back. */
const adviceFor = ({ errorCode = '', status }: Answer): string => {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(errorCode))
    return 'Check the certificate. If it is your own, name its authority in NODE_EXTRA_CA_CERTS.';
  const what = isClientError(status) ? ': nothing at this address responds to GET /me and GET /orders' : '';
  return `Check the base URL${what}.`;
};

const sendOne = async (options: AskerOptions, question: Question, path: string): Promise<Answer> => {
  const { baseUrl, apiKey, clock, fetch, timeoutMs = 15_000, signal } = options;
  const asked = { question, path, startedAt: clock.now() };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(baseUrl + path, {
      headers: headersFor(question, apiKey),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status } = response;
    const read = isBodiless(status) ? { body: undefined } : await readBody(response);
    if (timeout.aborted) throw timeout.reason;
    return { ...asked, status, headers: Object.fromEntries(response.headers), ...read };
  } catch (error) {
    const problem = timeout.aborted ? 'no response in time' : 'no connection';
    return { ...asked, status: 0, headers: {}, body: undefined, problem, ...codeOf(error) };
  }
};

/** Only the code: the transport's messages can quote what was sent. */
const codeOf = (error: unknown): { errorCode?: string } => {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? { errorCode: code } : {};
};
