/** One GET request, whole but for the Authorization header, which the host adds (§5). */
export interface HttpRequest {
  url: string;
  /** The API key for the Authorization header, checked. A host that adds one from a credential store ignores it. */
  apiKey: string;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
  /** Milliseconds from the start of the exchange to the last byte of the answer. */
  timeoutMs: number;
  /** Most bytes of a decoded body. */
  maxBytes: number;
}

/** Whatever came back, of any status. Header names in lower case; the body decoded from gzip or br. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

/** All that a client needs of the world. */
export interface Host {
  /**
   * One exchange: exactly one `Authorization: Bearer` header, no body, no retry, no redirect followed.
   * Rejects with `connectionError`, `timeoutError` or `bodyTooLargeError`; anything else counts as a
   * connection error, and its message is dropped, since it could hold the key. `sent: false` on the error, if it is
   * certain, keeps the attempt from counting toward the rate limit. A promise that is still pending one second after
   * `timeoutMs` is given up as timed out.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves after `ms` milliseconds; rejects, with anything, as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Where to report a problem that no `onEvent` takes: one that itself threw, or a store that failed without one.
   * @param detail what was thrown, for people who look for the cause
   */
  warn?(message: string, detail?: unknown): void;
  /** Milliseconds on a monotonic clock, the same for all clients of the process. */
  now(): number;
}
