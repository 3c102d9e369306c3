import type { Dispatcher } from 'undici';
import { codeOf } from '../base/checks.ts';
import { isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { bodyTooLargeError, connectionError, timeoutError } from '../base/host-errors.ts';
import { unlessAborted } from '../call/stops.ts';
import { clearTimeout, now, setTimeout, sleep } from '../pace/real-time.ts';
import { warn } from '../pace/warn.ts';
import { agentFor } from './agents.ts';
import { checkDispatcher, type UndiciDispatcher } from './check-dispatcher.ts';
import { decodeBody } from './decode-body.ts';
import { TunnelFailure } from './tunnel-failure.ts';

/** Creates a host's `send` on undici, which does not follow redirects by default. */
const createSend =
  (own?: Dispatcher): Host['send'] =>
  async ({ url, apiKey, headers, signal, timeoutMs, maxBytes }) => {
    const { origin, pathname, search } = new URL(url);
    const abort = new AbortController();
    const onAbort = () => abort.abort();
    if (signal?.aborted) onAbort();
    let sent = false;
    const onStart = () => {
      sent = true;
    };
    const timer = setTimeout(() => abort.abort(timeoutError(timeoutMs, { sent })), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const dispatcher = (own ?? agentFor(origin)).compose(reportStart(onStart));
      // undici notices an abort only once a connection exists.
      const requesting = dispatcher.request({
        origin,
        path: pathname + search,
        method: 'GET',
        headers: { ...headers, authorization: `Bearer ${apiKey}`, 'accept-encoding': 'gzip, br' },
        signal: abort.signal,
      });
      const response = await unlessAborted(requesting, abort.signal, () => abort.signal.reason);
      const { statusCode: status, headers: received } = response;
      const body = await readBody(response.body, maxBytes)
        .then((raw) => decodeBody(raw, String(received['content-encoding'] ?? ''), maxBytes))
        .catch((error: unknown) => {
          // An error status decides the outcome by itself, even if the body cannot be read (§7).
          if (status === 200 || signal?.aborted) throw error;
          return Buffer.alloc(0);
        });
      return { status, headers: received, body };
    } catch (error) {
      throw readFailure(error, abort.signal, sent);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };

const readBody = (body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else body.destroy(bodyTooLargeError(maxBytes));
    });
    body.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)));
    body.on('error', reject);
  });

/**
 * Returns the error passed to `abort`, or one with the failure's code but never its message, which could quote a
 * header.
 */
const readFailure = (error: unknown, aborted: AbortSignal, sent: boolean): OrderLicenseError => {
  if (isOrderLicenseError(aborted.reason)) return aborted.reason;
  if (isOrderLicenseError(error)) return error;
  return error instanceof TunnelFailure ? error.explain() : connectionError(codeOf(error), { sent });
};

/** Calls `onStart` when a connection exists and the request is about to be written to it. */
const reportStart =
  (onStart: () => void): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const { onRequestStart } = handler;
    handler.onRequestStart = (...context) => {
      onStart();
      onRequestStart?.apply(handler, context);
    };
    return dispatch(options, handler);
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
