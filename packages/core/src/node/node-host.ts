import type { Dispatcher } from 'undici';
import type { Host, HttpResponse } from '../base/host.ts';
import { bodyTooLargeError, requestFailure, timeoutError } from '../base/host-errors.ts';
import { clearTimeout, now, setTimeout, sleep } from '../pace/real-time.ts';
import { warn } from '../pace/warn.ts';
import { routeTo } from './agents.ts';
import { checkDispatcher, type UndiciDispatcher } from './check-dispatcher.ts';
import { decodeBody } from './decode-body.ts';
import { tunnelError } from './tunnel-error.ts';

/**
 * Creates a host's `send` on undici, which does not follow redirects by default. Uses undici's handlers, because
 * `request` of undici creates a stream per response, and notices an abort only once a connection exists.
 */
const createSend =
  (own: Dispatcher | null | undefined): Host['send'] =>
  async ({ url, apiKey, headers, signal, timeoutMs, maxBytes }) => {
    const { origin, pathname, search } = new URL(url);
    const { agent, variable } = own ? { agent: own, variable: undefined } : routeTo(origin);
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    // Until a response arrives, a failure is handled like one while a 200 is read.
    const response: HttpResponse = { status: 200, headers: {}, body: Buffer.alloc(0) };
    const chunks: Buffer[] = [];
    let length = 0;
    /** Set once a connection exists, just before the request is written to it. */
    let controller: Dispatcher.DispatchController | undefined;
    let failure: Error | undefined;

    const fail = (error: Error): void => {
      failure = error;
      reject(error);
      controller?.abort(error);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(current) {
        controller = current;
        if (failure) controller.abort(failure);
      },
      onResponseStart(_, status, received) {
        if (status >= 200) Object.assign(response, { status, headers: received });
      },
      onResponseData(_, chunk) {
        length += chunk.length;
        if (length <= maxBytes) chunks.push(chunk);
        else fail(bodyTooLargeError(maxBytes));
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => fail(error),
    };
    const onAbort = () => fail(new Error('aborted'));
    const timer = setTimeout(() => fail(timeoutError(timeoutMs, { sent: controller !== undefined })), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      const sentHeaders = { ...headers, authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip, br' };
      agent.dispatch({ origin, path: pathname + search, method: 'GET', headers: sentHeaders }, handler);
      await ended;
      const coding = response.headers['content-encoding'];
      const body = Buffer.concat(chunks);
      return { ...response, body: coding === undefined ? body : decodeBody(body, String(coding), maxBytes) };
    } catch (error) {
      // An error status decides the outcome by itself, even if the body cannot be read (§7).
      if (response.status !== 200) return response;
      const sent = controller !== undefined;
      throw (variable && !sent && tunnelError(variable, error)) || requestFailure(error, sent);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };

/**
 * Creates a host for Node: undici, Node's timers and the process's monotonic clock.
 * @param dispatcher sends the requests instead of the process's shared connections
 * @throws `configuration` if `dispatcher` is not from undici 7 or newer
 */
export const createNodeHost = (dispatcher?: UndiciDispatcher | null): Host => {
  if (dispatcher != null) checkDispatcher(dispatcher);
  return {
    send: createSend(dispatcher as Dispatcher | null | undefined),
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
    now,
    warn,
  };
};
