import type { Signal } from './signal.ts';

/** Maximum delay of a host's timer, ms: about 24 days. */
export const maxTimerMs = 2 ** 31 - 1;

/** One GET request, complete except for the Authorization header, which the host adds (§5). */
export interface HttpRequest {
  url: string;
  /**
   * The validated API key for the Authorization header. Ignored by a host that takes its key from a credential store.
   */
  apiKey: string;
  /** The other headers, with names in lower case. */
  headers: Record<string, string>;
  /** Aborts the request. */
  signal: Signal | undefined;
  /** Time limit from the start of the request to the last byte of the response, ms. */
  timeoutMs: number;
  /** Maximum size of the decoded body, bytes. */
  maxBytes: number;
}

/**
 * The response, whatever its status. Header names are in lower case. The host has undone the content coding of the
 * body; if it can't, it passes on the body as received, or an empty one.
 */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

/** The environment of a client: HTTP, timers and a clock. The client calls `sleep` and `now` without `this`. */
export interface Host {
  /**
   * Sends one request, with exactly one `Authorization: Bearer` header and no body. Neither retries the request nor
   * follows redirects. Rejects with `connectionError`, `timeoutError` or `bodyTooLargeError`. Any other rejection
   * counts as a connection error, and its message is dropped, since it could contain the key. Set `sent: false` on the
   * error only if it is certain that nothing was sent: the attempt then does not count toward the rate limit. A promise
   * that is still pending one second after `timeoutMs` counts as timed out.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves after `ms` milliseconds; rejects, with any value, as soon as `signal` aborts. */
  sleep(ms: number, signal?: Signal): Promise<void>;
  /**
   * Reports a problem that cannot be reported as an event: `onEvent` threw; or there is no `onEvent`, and a store
   * failed or the API key is sent over plain HTTP.
   * @param detail what was thrown, for debugging
   */
  warn?(message: string, detail?: unknown): void;
  /** Milliseconds on a monotonic clock, the same for all clients of the process. */
  now(): number;
}
