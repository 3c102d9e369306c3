import { readBody, requestFailure } from '@order-license/core/host';
import { type Host, OrderLicenseError, timeoutError } from '@order-license/core/portable';
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

/** Uses n8n's own sleep. Refers to no context, because the pacer of a key keeps this function. */
const sleepOrAbort: Host['sleep'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    sleep(Math.ceil(ms)).then(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
  });

/**
 * Creates a host that runs on n8n. Requests go through n8n, so its proxy and TLS settings apply, and the credential
 * adds the one Authorization header (§5.1). Waits use n8n's own sleep.
 */
export const createHost = (context: NodeContext): Host => ({
  now,
  sleep: sleepOrAbort,
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
          // Ignores the signal that n8n sets in a run. It has no timeout, so a stalled response would stay open.
          set abortSignal(_) {},
        },
      );
      const { statusCode: status, headers: received } = response;
      const stream = response.body as unknown as BodyStream;
      const stop = () => stream.destroy();
      abortSignal.addEventListener('abort', stop);
      if (abortSignal.aborted) stop();
      const reading = readBody(stream, { status, maxBytes, signal });
      const body = await reading.finally(() => abortSignal.removeEventListener('abort', stop));
      return { status, headers: received as Record<string, string>, body };
    } catch (error) {
      throw timedOut.aborted ? timeoutError(timeoutMs) : failureOf(error);
    }
  },
});

/** Returns the error of a failed request. n8n can be set to block private addresses, to protect them against SSRF. */
const failureOf = (thrown: unknown): OrderLicenseError => {
  const { cause } = Object(thrown) as { cause?: unknown };
  if (!String((cause as Error | undefined)?.name).startsWith('SsrfBlocked')) return requestFailure(thrown);
  return new OrderLicenseError('configuration', {
    detail: "n8n blocked the request, because its SSRF protection does not allow the API's address",
    advice:
      'Ask the administrator of n8n to allow it: its host name in N8N_SSRF_ALLOWED_HOSTNAMES, or its IP address in N8N_SSRF_ALLOWED_IP_RANGES.',
    sent: false,
  });
};

/** A Node stream. n8n decompresses the body, but would itself keep a body of any length in memory. */
interface BodyStream extends AsyncIterable<Uint8Array> {
  destroy(): void;
}
