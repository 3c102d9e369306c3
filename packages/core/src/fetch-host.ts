import { configurationError, OrderLicenseError } from './base/errors.ts';
import type { Host } from './base/host.ts';
import { requestFailure, timeoutError } from './base/host-errors.ts';
import { readBody } from './base/read-body.ts';
import type { Signal } from './base/signal.ts';

/**
 * A function like the platform's `fetch`: `fetch` itself, that of a package such as undici or node-fetch, a wrapper, or
 * a mock. It is called without `this`, once per attempt, and must send the request as given, or reject.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: 'GET';
  /** Contains the API key in `authorization`. */
  headers: Record<string, string>;
  redirect: 'manual';
  signal: Signal;
}

/** The part of a `Response` that the client uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  readonly redirected?: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Creates a host's `send` from a `fetch` function.
 * @param own used instead of the platform's `fetch`
 * @throws `configuration` if `own` is not a function
 */
export const createFetchSend = (own?: Fetch | null): Host['send'] => {
  if (own != null && typeof own !== 'function') throw configurationError('`fetch` must be a function');
  return async ({ url, apiKey, headers, signal, timeoutMs, maxBytes }) => {
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      // The platform's `fetch` is looked up for each request, because mocks replace it.
      const response: FetchResponse = await (own ?? fetch)(url, {
        method: 'GET',
        headers: { ...headers, authorization: `Bearer ${apiKey}` },
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      checkResponse(response);
      const { status, body: stream } = response;
      const chunks = isStream(stream) ? stream : [new Uint8Array(await response.arrayBuffer())];
      const body = await readBody(chunks, { status, maxBytes, signal }).catch(emptyIfUndecoded);
      const received: Record<string, string> = {};
      response.headers.forEach((value, name) => {
        received[name.toLowerCase()] = value;
      });
      return { status, headers: received, body };
    } catch (error) {
      throw timeout.aborted ? timeoutError(timeoutMs) : requestFailure(error);
    }
  };
};

/**
 * @throws `configuration` if the client cannot use what `fetch` returned; `invalid_response` if `fetch` followed a
 * redirect
 */
const checkResponse = (response: Partial<FetchResponse> | null | undefined): void => {
  if (typeof response?.headers?.forEach !== 'function' || typeof response.arrayBuffer !== 'function') {
    throw configurationError(
      '`fetch` did not return a `Response`',
      'Return what the `fetch` of the platform returns or, in a test, a new `Response`.',
    );
  }
  if (response.bodyUsed) {
    throw configurationError(
      '`fetch` returned a response whose body has already been read',
      'Return a new `Response` for each request. To read the body of one, read its `clone()`.',
    );
  }
  if (response.redirected) {
    throw new OrderLicenseError('invalid_response', {
      detail: '`fetch` followed a redirect, which can send the API key to another address',
      advice: "Pass on `redirect: 'manual'`, and set the base URL to the final address.",
      reason: 'redirect',
    });
  }
};

/** Whether a body can be read chunk by chunk. A mock's `Response` may have no stream. */
const isStream = (body: unknown): body is AsyncIterable<Uint8Array> => Symbol.asyncIterator in Object(body);

/** Returns an empty body if Node's `fetch` could not undo the content coding; such errors have zlib's codes. */
const emptyIfUndecoded = (error: unknown): Uint8Array => {
  const { cause } = error as { cause?: { code?: unknown } };
  if (/^(Z_|ZSTD_|ERR__ERROR_)/.test(String(cause?.code))) return new Uint8Array();
  throw error;
};
