import { isBodiless } from '../api/http.ts';
import { type Exchange, isOverLimit } from './exchange.ts';
import { headersFor, type Question } from './questions.ts';
import { readBody } from './read-body.ts';

export interface ProbeClock {
  /** ms since 1970. */
  now(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface AskerOptions {
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

export type Asker = ReturnType<typeof createAsker>;

/** Thrown to end the probe early; the message says why. */
export class Stopped extends Error {}

const paceMs = 1_000;
const maxRejections = 3;
const maxFailures = 3;
/** The longest wait that the probe accepts from Retry-After, since nobody waits an hour for a report. */
const maxWaitMs = 120_000;

const keyProblems: Readonly<Record<number, string>> = {
  401: 'GET /me returned 401: the API rejects the key. Check ORDER_LICENSE_API_KEY.',
  403: 'GET /me returned 403: only accounts with a company or VAT ID can use the API. Enter a company or a VAT ID in the customer account.',
};

export const createAsker = (options: AskerOptions) => {
  const { clock, signal, onAnswer, onWait } = options;
  const exchanges: Exchange[] = [];
  let [failures, rejections, nextAt] = [0, 0, 0];

  const stopIfInterrupted = (): void => {
    if (signal?.aborted) throw new Stopped('The probe was interrupted.');
  };
  /**
   * Sends a request at `at`, ms since 1970, or at once if that time has passed. Returns a 429 like any other response.
   * @throws Stopped if there is no point in sending more requests
   */
  const askAt = async (at: number, question: Question, path = question.path): Promise<Exchange> => {
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

  return {
    exchanges: exchanges as readonly Exchange[],
    askAt,
    /**
     * Sends a request at least 1 s after the last response. After a 429, waits and sends it again, at most three times
     * in a probe.
     */
    async ask(question: Question, path: string): Promise<void> {
      for (;;) {
        const exchange = await askAt(nextAt, question, path);
        const isRejected = exchange.status === 429;
        nextAt = clock.now() + (isRejected ? waitAfter(exchange) : paceMs);
        if (!isRejected) return;
        if (++rejections > maxRejections)
          throw new Stopped(
            'The API keeps returning 429: other programs are using the key, or the limit is below one request per second. Stop the other programs, or create a separate key, then run the probe again.',
          );
      }
    },
  };
};

/** Returns the wait after a 429, ms: Retry-After if it is a number of seconds, otherwise the 60 s in the API docs. */
const waitAfter = ({ headers }: Exchange): number => {
  const seconds = Number(headers['retry-after']);
  return seconds >= 1 ? Math.min(maxWaitMs, seconds * 1000 + 1000) : 61_000;
};

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;
const isClientError = (status: number): boolean => status >= 400 && status < 500;

/** Says why a response is unusable; `undefined` if it is usable. Any response to a malformed request is usable. */
export const failureOf = (exchange: Exchange): string | undefined => {
  const { question, status, problem } = exchange;
  if (status === 0) return problem;
  if (question.group === 'malformed' || isOverLimit(exchange)) return undefined;
  // Every valid key can send these requests, so any 4xx other than 401, 403 and 429 means that the address is wrong.
  const isBasic = ['me', 'list', 'one'].includes(question.name);
  const isWrongAddress = isBasic && isClientError(status) && ![401, 403, 429].includes(status);
  const what = isRedirect(status) ? 'a redirect, which the probe does not follow' : problem;
  if (what === undefined && status < 500 && !isWrongAddress) return undefined;
  return [`returned ${status}`, what].filter(Boolean).join(', ');
};

/** Returns advice on what to do if no response is usable. */
const adviceFor = ({ problem = '', status }: Exchange): string => {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(problem))
    return "Check the certificate. If a private certificate authority issued it, set NODE_EXTRA_CA_CERTS to the file with the authority's certificate.";
  const what = isClientError(status) ? ': nothing at this address responds to GET /me and GET /orders' : '';
  return `Check the base URL${what}.`;
};

const send = async (options: AskerOptions, question: Question, path: string): Promise<Exchange> => {
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
    const problem = timeout.aborted ? 'no response in time' : ['no connection', ...codeOf(error)].join(', ');
    return { question, at, status: 0, headers: {}, problem };
  }
};

/** Returns the code of a transport error, such as ECONNREFUSED, but not its message, which can quote what was sent. */
const codeOf = (error: unknown): string[] => {
  const code = String((error as { cause?: { code?: unknown } } | null)?.cause?.code);
  return /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? [code] : [];
};
