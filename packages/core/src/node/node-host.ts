import type { Dispatcher } from 'undici';
import { codeOf } from '../base/checks.ts';
import { isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { Host, HttpRequest, HttpResponse } from '../base/host.ts';
import { bodyTooLargeError, connectionError, timeoutError } from '../base/host-errors.ts';
import { clearTimeout, now, setTimeout, sleep } from '../pace/real-time.ts';
import { warn } from '../pace/warn.ts';
import { routeTo } from './agents.ts';
import { checkDispatcher, type UndiciDispatcher } from './check-dispatcher.ts';
import { decodeBody } from './decode-body.ts';
import { tunnelError } from './tunnel-error.ts';

/** Creates a host's `send` on undici, which does not follow redirects by default. */
const createSend =
  (own?: Dispatcher): Host['send'] =>
  async (request) => {
    const response = await exchange(own, request);
    const coding = response.headers['content-encoding'];
    if (coding === undefined) return response;
    return { ...response, body: await decodeBody(response.body, String(coding), request.maxBytes) };
  };

/**
 * Sends one request. Uses undici's handlers, because `request` of undici creates a stream per response, and notices an
 * abort only once a connection exists. The body still has its content coding.
 */
const exchange = (own: Dispatcher | undefined, request: HttpRequest): Promise<HttpResponse & { body: Buffer }> =>
  new Promise((resolve, reject) => {
    const { url, apiKey, headers, signal, timeoutMs, maxBytes } = request;
    const { origin, pathname, search } = new URL(url);
    const { agent, variable } = own ? { agent: own, variable: undefined } : routeTo(origin);
    const chunks: Buffer[] = [];
    let length = 0;
    let sent = false;
    let received: Omit<HttpResponse, 'body'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let hasEnded = false;

    const end = (): void => {
      hasEnded = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown): void => {
      if (hasEnded) return;
      end();
      controller?.abort(error as Error);
      // An error status decides the outcome by itself, even if the body cannot be read (§7).
      if (received && received.status !== 200 && !signal?.aborted) resolve({ ...received, body: Buffer.alloc(0) });
      else reject(readFailure(error, sent, variable));
    };
    const onAbort = () => fail(new Error('aborted'));
    const timer = setTimeout(() => fail(timeoutError(timeoutMs, { sent })), timeoutMs);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(current) {
        if (hasEnded) return current.abort(new Error('aborted'));
        // A connection exists, and the request is about to be written to it.
        sent = true;
        controller = current;
      },
      onResponseStart(_, status, headers) {
        if (status >= 200) received = { status, headers };
      },
      onResponseData(_, chunk) {
        length += chunk.length;
        if (length <= maxBytes) chunks.push(chunk);
        else fail(bodyTooLargeError(maxBytes));
      },
      onResponseEnd() {
        if (hasEnded || !received) return;
        end();
        resolve({ ...received, body: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => fail(error),
    };
    try {
      const sentHeaders = { ...headers, authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip, br' };
      const path = pathname + search;
      agent.dispatch({ origin, path, method: 'GET', headers: sentHeaders }, handler);
    } catch (error) {
      fail(error);
    }
  });

/** Returns an error with the failure's code but never its message, which could quote a header. */
const readFailure = (error: unknown, sent: boolean, proxyVariable: string | undefined): OrderLicenseError => {
  if (isOrderLicenseError(error)) return error;
  const ofTunnel = proxyVariable && !sent ? tunnelError(proxyVariable, error) : undefined;
  return ofTunnel ?? connectionError(codeOf(error), { sent });
};

/**
 * Creates a host for Node: undici, Node's timers and the process's monotonic clock.
 * @param dispatcher sends the requests instead of the process's shared connections
 * @throws `configuration` if `dispatcher` is not from undici 7 or newer
 */
export const createNodeHost = (dispatcher?: UndiciDispatcher | null): Host => {
  if (dispatcher != null) checkDispatcher(dispatcher);
  return {
    send: createSend((dispatcher ?? undefined) as Dispatcher | undefined),
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
    now,
    warn,
  };
};
