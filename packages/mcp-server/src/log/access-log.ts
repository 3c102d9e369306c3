import { createHash } from 'node:crypto';
import { escapeText } from './quote.ts';

/** A log entry for one tool call or reveal: who read what and how the call ended, never the contents. */
export interface CallRecord {
  /** `reveal` means that license codes were read for the order card, with a ticket. */
  event: 'tool_call' | 'reveal';
  /** Name of the tool; undefined for a reveal. */
  tool?: string;
  /** `ok`, or the code of an error; `expired` or `rejected` for an invalid ticket. */
  outcome: string;
  /** IDs of the orders in the result, or in a file that the call wrote. */
  orderIds: readonly (number | string)[];
  /** Number of license codes in the result or the file, masked or not. */
  codes: number;
  /** How long the call took, ms. */
  ms: number;
  /** Requests sent to the API, including retries. */
  requests: number;
  /** The name that the caller's program gives itself. */
  client: { name?: unknown; version?: unknown } | undefined;
  /** The caller's trace, if it sends one. */
  traceparent?: string | undefined;
}

export type OnCall = (call: CallRecord) => void;

/** The caller: its subject at the issuer, or a short hash of its token or key. */
export type AccessCaller = { subject: string } | { token: string } | { key: string };

/**
 * Returns eight hexadecimal digits of a hash: enough to tell callers apart, but too few to recover a key or token by
 * guessing.
 */
export const shortHash = (secret: string): string =>
  createHash('sha256').update(`order-license-mcp caller\n${secret}`).digest('hex').slice(0, 8);

/** Characters that end a line or control a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Creates a log that writes one line of JSON for each call and reveal by this caller. */
export const createAccessLog =
  (caller: AccessCaller, write = writeToStderr): OnCall =>
  ({ event, tool, outcome, orderIds, codes, ms, requests, client, traceparent }) => {
    const line = JSON.stringify({
      time: new Date().toISOString(),
      event,
      caller,
      client: { name: nameOf(client?.name), version: nameOf(client?.version) },
      tool,
      order_ids: orderIds,
      codes,
      outcome,
      ms,
      requests,
      traceparent,
    });
    write(`${line.replace(unprintable, escapeText)}\n`);
  };

/**
 * Writes a line without the prefix of other lines, so that programs recognize JSON lines by their first character, `{`.
 */
const writeToStderr = (line: string): void => {
  process.stderr.write(line);
};

/** Shortens a client's name, which the client can choose freely. */
const nameOf = (text: unknown): string | null => (typeof text === 'string' ? text.slice(0, 100) : null);
