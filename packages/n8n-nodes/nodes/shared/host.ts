import {
  bodyTooLargeError,
  connectionError,
  type Host,
  isOrderLicenseError,
  type OrderLicenseError,
  timeoutError,
} from '@order-license/core/portable';
import type {
  IAllExecuteFunctions,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IPollFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** The contexts in which this package runs: a workflow step, a list in the editor, a poll. */
export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A monotonic clock that all clients in the process share, ms. */
const now = (): number => performance.now();

/**
 * Creates a host that runs on n8n. Requests go through n8n, so its proxy and TLS settings apply, and the credential
 * adds the one Authorization header (§5.1). Waits use n8n's own sleep.
 */
export const createHost = (context: NodeContext): Host => ({
  now,
  sleep: (ms, signal) => abortable(sleepInSlices(ms, signal), signal),
  async send({ url, headers, signal, timeoutMs, maxBytes }) {
    // The signal is needed because n8n's own timeout restarts with every byte received.
    const timedOut = AbortSignal.timeout(Math.ceil(timeoutMs));
    const abortSignal = signal ? AbortSignal.any([signal, timedOut]) : timedOut;
    try {
      const response: IN8nHttpFullResponse = await context.helpers.httpRequestWithAuthentication.call(
        context as IAllExecuteFunctions,
        'orderLicenseApi',
        {
          method: 'GET',
          url,
          headers,
          encoding: 'stream',
          returnFullResponse: true,
          ignoreHttpStatusErrors: true,
          disableFollowRedirect: true,
          sendCredentialsOnCrossOriginRedirect: false,
          get abortSignal() {
            return abortSignal;
          },
          // In a run, n8n sets the signal of the run, which has no timeout: a stalled response would stay open.
          set abortSignal(_) {},
        },
      );
      const { statusCode: status, headers: received } = response;
      const body = await readBody(response.body as unknown as BodyStream, maxBytes, abortSignal).catch(
        (error: unknown) => {
          // An error's status decides the outcome, even if the body is unusable (§7).
          if (status === 200 || signal?.aborted) throw error;
          return new Uint8Array();
        },
      );
      return { status, headers: received as Record<string, string>, body };
    } catch (error) {
      throw timedOut.aborted ? timeoutError(timeoutMs) : unreached(error);
    }
  },
});

/** A Node stream. */
interface BodyStream extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

/**
 * Reads a body, which n8n decompresses. n8n itself would keep a body of any length in memory.
 * @throws `invalid_response` as soon as the body exceeds `maxBytes`
 */
const readBody = async (stream: BodyStream, maxBytes: number, abortSignal: AbortSignal): Promise<Uint8Array> => {
  const stop = () => stream.destroy();
  if (abortSignal.aborted) stop();
  abortSignal.addEventListener('abort', stop, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw bodyTooLargeError(maxBytes);
      chunks.push(chunk);
    }
  } finally {
    abortSignal.removeEventListener('abort', stop);
  }
  const body = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    body.set(chunk, end);
    end += chunk.length;
  }
  return body;
};

/** Keeps only the code of n8n's error, because its message, request and stack can contain the API key. */
const unreached = (thrown: unknown): OrderLicenseError => {
  if (isOrderLicenseError(thrown)) return thrown;
  const { code, cause, httpCode } = thrown as { code?: unknown; cause?: { code?: unknown }; httpCode?: unknown };
  const found = [code, cause?.code, httpCode].find(
    (value) => typeof value === 'string' && /^[A-Z][A-Z0-9_]{2,39}$/.test(value),
  );
  const sent = !unsent.has(found);
  return connectionError(found as string | undefined, { sent });
};

/**
 * Error codes of requests that failed before a connection existed. These requests do not count toward the rate limit.
 */
const unsent: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

const maxSliceMs = 1_000;

/** Sleeps in slices, because n8n's sleep cannot be ended early: after an abort, at most one slice remains. */
const sleepInSlices = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  const until = now() + ms;
  for (let left = ms; left > 0 && !signal?.aborted; left = until - now()) await sleep(Math.min(left, maxSliceMs));
};

const abortable = (work: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort));
  });
