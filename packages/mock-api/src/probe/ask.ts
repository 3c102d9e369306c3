import { isBodiless } from '../api/http.ts';
import { chooseOrders, type Exchange, gotFrom, isOverLimit, listedOrders } from './exchange.ts';
import { exceedLimit } from './limit.ts';
import { headersFor, limitQuestion, type Question } from './questions.ts';
import { readBody } from './read-body.ts';

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
  onAnswer?: ((exchange: Exchange, count: number) => void) | undefined;
  /** Called before each wait of more than 5 s. */
  onWait?: ((ms: number) => void) | undefined;
}

/** Thrown to end the probe early; the message says why. */
class Stopped extends Error {}

/** Sends a question at `at`, ms since 1970. */
export type AskAt = (at: number, question: Question, path?: string) => Promise<Exchange>;

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
): Promise<{ exchanges: Exchange[]; stopped: string | undefined }> => {
  const { clock, signal, onAnswer, onWait } = options;
  const exchanges: Exchange[] = [];
  let [failures, rejections, nextAt] = [0, 0, 0];
  const stopIfInterrupted = (): void => {
    if (signal?.aborted) throw new Stopped('The probe was interrupted.');
  };
  const askAt: AskAt = async (at, question, path = question.path) => {
    stopIfInterrupted();
    const ms = at - clock.now();
    if (ms > 5_000) onWait?.(ms);
    if (ms > 0) await clock.sleep(ms, signal).catch(stopIfInterrupted);
    const exchange = await send(options, question, path);
    stopIfInterrupted();
    exchanges.push(exchange);
    onAnswer?.(exchange, exchanges.length);
    failures = failureOf(exchange) === undefined ? 0 : failures + 1;
    if (failures === maxFailures)
      throw new Stopped(`${maxFailures} requests in a row got no usable response. ${adviceFor(exchange)}`);
    const why = question.name === 'me' ? keyProblems[exchange.status] : undefined;
    if (why) throw new Stopped(why);
    return exchange;
  };
  const ask = async (question: Question): Promise<void> => {
    const { id } = chooseOrders(listedOrders(gotFrom(exchanges)))[question.order ?? 0] ?? {};
    if (question.order !== undefined && id === undefined) return;
    for (;;) {
      const exchange = await askAt(nextAt, question, question.path.replace('{id}', String(id)));
      const isRejected = exchange.status === 429;
      nextAt = clock.now() + (isRejected ? waitAfter(exchange) : paceMs);
      if (!isRejected) return;
      if (++rejections > maxRejections)
        throw new Stopped(
          'The API keeps returning 429: other programs are using the key, or the limit is below one request per second. Stop the other programs, or create a separate key, then run the probe again.',
        );
    }
  };
  try {
    for (const question of questions) await (question === limitQuestion ? exceedLimit(askAt, clock) : ask(question));
    return { exchanges, stopped: undefined };
  } catch (error) {
    if (error instanceof Stopped) return { exchanges, stopped: error.message };
    throw error;
  }
};

/** Returns the wait after a 429, ms: Retry-After if it is a number of seconds, otherwise the 60 s in the API docs. */
const waitAfter = ({ headers }: Exchange): number => {
  const seconds = Number(headers['retry-after']);
  return seconds >= 1 ? Math.min(maxWaitMs, seconds * 1000 + 1000) : 61_000;
};

const isBetween = (status: number, from: number, to: number): boolean => status >= from && status < to;

/** Says why a response is unusable; `undefined` if it is usable. Any response to a malformed request is usable. */
export const failureOf = (exchange: Exchange): string | undefined => {
  const { question, status, problem } = exchange;
  if (status === 0) return problem;
  if (question.group === 'malformed' || isOverLimit(exchange)) return undefined;
  // Every valid key can send these requests, so any 4xx other than 401, 403 and 429 means that the address is wrong.
  const isBasic = ['me', 'list', 'one'].includes(question.name);
  const isWrongAddress = isBasic && isBetween(status, 400, 500) && ![401, 403].includes(status);
  const what = isBetween(status, 300, 400) ? 'a redirect, which the probe does not follow' : problem;
  if (what === undefined && status < 500 && !isWrongAddress) return undefined;
  return [`returned ${status}`, what].filter(Boolean).join(', ');
};

/** Returns advice on what to do if no response is usable. */
const adviceFor = ({ problem = '', status }: Exchange): string => {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(problem))
    return 'Check the certificate. If a private certificate authority issued it, set NODE_USE_SYSTEM_CA=1 if this machine trusts the authority, otherwise NODE_EXTRA_CA_CERTS to the file with its certificate.';
  const what = isBetween(status, 400, 500) ? ': nothing at this address responds to GET /me and GET /orders' : '';
  return `Check the base URL${what}.`;
};

export const send = async (options: AskOptions, question: Question, path: string): Promise<Exchange> => {
  const { baseUrl, apiKey, clock, fetch, timeoutMs = 15_000, signal } = options;
  const at = clock.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(baseUrl + path, {
      headers: headersFor(question, apiKey),
      redirect: 'manual',
      signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]),
    });
    const { status } = response;
    const read = isBodiless(status) ? {} : await readBody(response);
    timeout.throwIfAborted();
    return { question, at, status, headers: Object.fromEntries(response.headers), ...read };
  } catch (error) {
    // A transport error's code is safe to show, but its message can quote what was sent.
    const code = String((error as { cause?: { code?: unknown } } | null)?.cause?.code);
    const shown = /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? `no connection, ${code}` : 'no connection';
    return { question, at, status: 0, headers: {}, problem: timeout.aborted ? 'no response in time' : shown };
  }
};
