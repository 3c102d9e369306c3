import { createHash } from 'node:crypto';
import { onOneLine } from './quote.ts';

/** One tool call or reveal: who read what and how it ended, never the contents. */
export interface CallRecord {
  /** `reveal`: license codes were read for the order card, with a ticket. */
  event: 'tool_call' | 'reveal';
  /** Undefined for a reveal. */
  tool?: string;
  /** `ok`, the code of the error, or of a ticket `expired` or `rejected`. */
  outcome: string;
  /** IDs of the orders in the result. */
  orderIds: readonly (number | string)[];
  /** Number of license codes in the result, masked or not. */
  codes: number;
  /** How long the call took, ms. */
  ms: number;
  /** Requests sent to the API, including retries. */
  requests: number;
  /** The caller's program, as it names itself. */
  client: { name?: unknown; version?: unknown } | undefined;
  /** The caller's trace, if it sends one. */
  traceparent?: string | undefined;
}

export type OnCall = (call: CallRecord) => void;

/** The caller: its name at the issuer, or a short hash of what identifies it. */
export type AccessCaller = { subject: string } | { token: string } | { key: string };

/** Eight hexadecimal digits: enough to tell callers apart, and too few to find a key or token by trying. */
export const shortHash = (secret: string): string =>
  createHash('sha256').update(`order-license-mcp caller\n${secret}`).digest('hex').slice(0, 8);

/** Writes one line of JSON for each call and reveal of this caller. */
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
    write(`${onOneLine(line)}\n`);
  };

/** Without the prefix of other lines, so that every line that begins with `{` is JSON. */
const writeToStderr = (line: string): void => {
  process.stderr.write(line);
};

/** A client may give itself any name. */
const nameOf = (text: unknown): string | null => (typeof text === 'string' ? text.slice(0, 100) : null);
