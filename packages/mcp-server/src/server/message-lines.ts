import { Transform, type Writable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';

const newline = 0x0a;

/**
 * Passes on the lines that are JSON-RPC messages, which the SDK then reads, and answers every other line with an error:
 * the SDK skips it in silence. A byte order mark, as PowerShell sends it, is dropped.
 * @param maxBytes a longer message is passed on unread, for the SDK to reject
 */
export const messageLines = (stdout: Writable, maxBytes: number): Transform => {
  let parts: Buffer[] = [];
  let length = 0;
  const end = (): string => {
    const line = Buffer.concat(parts)
      .toString()
      .replace(/^\ufeff/, '')
      .trim();
    parts = [];
    length = 0;
    const problem = line === '' ? undefined : findProblem(line);
    if (problem) stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: problem.id ?? null, error: problem.error })}\n`);
    return line === '' || problem ? '' : `${line}\n`;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        parts.push(chunk.subarray(from, at));
        this.push(end());
        from = at + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > maxBytes) this.push(Buffer.concat(parts.splice(0)));
      done();
    },
  });
};

interface Problem {
  /** Of the message, if it has a valid one. */
  id?: string | number;
  error: { code: number; message: string };
}

/** @returns undefined for a request, a notification or a response */
const findProblem = (line: string): Problem | undefined => {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { error: { code: -32_700, message: 'The line is not JSON; send one message per line.' } };
  }
  if (Array.isArray(message)) return invalid('Batches are not supported; send each message on its own line.');
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) return undefined;
  const { id, method } = (message ?? {}) as Record<string, unknown>;
  const isKnown = typeof id === 'string' || Number.isSafeInteger(id);
  if (id !== undefined && !isKnown && method !== undefined) {
    return invalid('The ID of a request must be a string or a whole number.');
  }
  return { ...invalid('The line is not a message of JSON-RPC 2.0.'), ...(isKnown && { id: id as string | number }) };
};

const invalid = (message: string): Problem => ({ error: { code: -32_600, message } });
