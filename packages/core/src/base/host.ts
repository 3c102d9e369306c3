import type { Signal } from './signal.ts';

/** One GET request, complete except for the Authorization header, which the host adds (§5). */
export interface HttpRequest {
  url: string;
  /**
   * The API key for the Authorization header, validated. A host that takes the key from a credential store ignores it.
   */
  apiKey: string;
  headers: Record<string, string>;
  signal: Signal | undefined;
  /** Milliseconds from the start of the request to the last byte of the response. */
  timeoutMs: number;
  /** Maximum size of a decoded body, bytes. */
  maxBytes: number;
}

/** The response, of any status. Header names in lower case; the body decoded from gzip or br. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

/** The environment of a client: HTTP, timers and a clock. */
export interface Host {
  /**
   * Sends one request: exactly one `Authorization: Bearer` header, no body, no retry, no redirect followed. Rejects
   * with `connectionError`, `timeoutError` or `bodyTooLargeError`. Any other rejection counts as a connection error,
   * and its message is dropped, since it could contain the key. Set `sent: false` on the error only if it is certain:
   * the attempt then does not count toward the rate limit. A promise that is still pending one second after `timeoutMs`
   * counts as timed out.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves after `ms` milliseconds; rejects, with any value, as soon as `signal` aborts. */
  sleep(ms: number, signal?: Signal): Promise<void>;
  /**
   * Reports a problem that no `onEvent` receives: an `onEvent` that threw, or a store that failed without one.
   * @param detail what was thrown, for debugging
   */
  warn?(message: string, detail?: unknown): void;
  /** Milliseconds on a monotonic clock, the same for all clients of the process. */
  now(): number;
}
