import type { MockResponse } from '../api/responses.ts';
import { type Given, isObject, matching, optional, type Reader, readFields, shown, whole } from '../settings/check.ts';

/** The options of faults that send a response, and of those that replace it. */
const sent = ['retryAfter', 'headers'] as const;
const error = ['status', ...sent] as const;

/** The fault kinds, and the options that each uses. Wire faults need the HTTP server; the others work with every adapter. */
export const faultKinds = {
  status: { wire: false, uses: error, about: "An error response in the API's JSON format (status=500)." },
  html: { wire: false, uses: error, about: 'An HTML error page, as from a gateway (status=502).' },
  cutJson: { wire: false, uses: sent, about: 'Only the first half of the JSON, with a matching Content-Length.' },
  delay: {
    wire: false,
    uses: ['ms'],
    about: 'The usual response after a delay (ms=1000), which can be a range: ms=50..300.',
  },
  response: {
    wire: false,
    uses: ['response', ...sent],
    about: 'The usual response with a different status, headers, body or delayMs: {"response": {"body": ""}}.',
  },
  resetBefore: { wire: true, uses: [], about: 'The connection is reset before the response.' },
  resetAfter: { wire: true, uses: sent, about: 'The connection is reset after the headers and half of the body.' },
  emptyReply: { wire: true, uses: [], about: 'The connection is closed without a response.' },
  truncate: {
    wire: true,
    uses: sent,
    about: 'Half of the body, then the connection is closed; Content-Length gives the full length.',
  },
  badChunk: { wire: true, uses: sent, about: 'A chunked body with a broken chunk.' },
  garbage: { wire: true, uses: [], about: 'Bytes that are not HTTP.' },
  drip: { wire: true, uses: ['ms', ...sent], about: 'The body in up to 20 pieces, with a pause before each (ms=100).' },
  hang: { wire: true, uses: [], about: 'No response, and the connection stays open.' },
  idleReset: {
    wire: true,
    uses: sent,
    about: 'The usual response; the connection is reset when it receives another request.',
  },
} as const satisfies Record<string, { wire: boolean; uses: readonly (keyof typeof faultOptions)[]; about: string }>;

export type FaultKind = keyof typeof faultKinds;

/** Faults that send no HTTP status. */
export const silentFaults: readonly FaultKind[] = ['resetBefore', 'emptyReply', 'garbage', 'hang'];

/** Faults that send no response or only part of it. */
export const cuttingFaults: readonly FaultKind[] = [...silentFaults, 'resetAfter', 'truncate', 'badChunk'];

/** A text or bytes, sent as they are, or any other value, sent as JSON. */
export type FaultBody = string | Uint8Array | object | number | boolean | null | undefined;

/** The longest delay, a day: longer delays are probably mistakes. */
const maxDelayMs = 86_400_000;

/**
 * Parses the `ms` of a fault and draws a delay, ms.
 * @param fraction a uniform random number in [0, 1)
 * @throws Error that lists the valid forms of `what`
 */
export const drawMs = (ms: number | string, fraction: number, what = 'ms of a fault'): number => {
  const [, from, to = from] = /^(\d+)(?:\.\.(\d+))?$/.exec(String(ms)) ?? [];
  const [low, high] = [Number(from), Number(to)];
  if (low <= high && high <= maxDelayMs) return low + Math.floor(fraction * (high - low + 1));
  throw new Error(
    `${what} must be a number such as 1000, or a range such as 50..300, of at most ${maxDelayMs} ms (one day), not "${ms}"`,
  );
};

/** Reads an `ms` or a latency. @throws Error that lists the valid forms */
export const readDelay: Reader<number | string> = (name, value) => {
  drawMs(value as number | string, 0, name);
  return value as number | string;
};

/** Headers that determine how a response is sent. Only faults such as `truncate` and `badChunk` change them. */
const framing = ['content-length', 'transfer-encoding', 'connection'];
const headers: Reader<Readonly<Record<string, string>>> = (what, given) => {
  if (!isObject(given)) throw new Error(`${what} must be an object such as { "x-request-id": "42" }`);
  const read: Record<string, string> = {};
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new Error(`${what}: ${shown(written)} is not a header name`);
    if (framing.includes(name))
      throw new Error(`${what}: ${name} determines how the response is sent, so a fault cannot set it`);
    if (Object.hasOwn(read, name)) throw new Error(`${what}: ${name} is given twice`);
    read[name] = matching(/^[\t\x20-\x7e]*$/, 'a string of printable ASCII')(`${what}: ${name}`, value);
  }
  return read;
};

const responseReaders = {
  /** HTTP status, 200 to 599. */
  status: optional(whole(200, 599)),
  /** Headers that replace those with the same name. */
  headers: optional(headers),
  /** The body, or a function of the usual text that returns it. */
  body: optional((_, body) => body as ((usual: string) => FaultBody) | FaultBody),
  /** Delay in ms, at most a day: a number, or a range as a string such as `50..300`. */
  delayMs: optional(readDelay),
};
/** What a fault changes in the usual response. */
export type ResponseChange = Given<typeof responseReaders>;

/** The options of faults. Each kind uses some of them. */
export const faultOptions = {
  response: optional<ResponseChange>((name, value) => readFields(name, value, responseReaders, ` of ${name}`)),
  /** HTTP status: 400 to 599, default 500; for a page of HTML 200 to 599, default 502. */
  status: optional(whole(200, 599)),
  /**
   * Delay of a response (default: 1000), or pause before each piece of a `drip` (default: 100), ms, at most a day: a
   * number, or a range as a string such as `50..300`.
   */
  ms: optional(readDelay),
  /** Value of the Retry-After header, in seconds. */
  retryAfter: optional(whole(0, 1e9)),
  /** Additional headers; they replace headers of the same name. */
  headers: optional(headers),
};

/** A fault with its details. */
export interface Fault extends Given<typeof faultOptions> {
  kind: FaultKind;
}

/** The response that an adapter must send, and how to send it. */
export interface Outcome {
  response: MockResponse;
  /** Wait on the mock's clock before the response, ms. */
  delayMs: number;
  /** The connection fault; only the HTTP server can cause one. */
  wire?: Fault;
  /** Returns the pause before the nth piece of a dripping response, ms. */
  pauseMs?(piece: number): number;
}
