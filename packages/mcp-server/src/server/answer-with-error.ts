import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A client that sends nothing is not waited for longer than this, ms. */
const maxWaitMs = 10_000;

/**
 * Answers the requests of an MCP client with an error until it has asked for `initialize` or ended: clients show that
 * error, and keep stderr in a log that few people find.
 */
export const answerWithError = async (message: string, stdin: Readable, stdout: Writable): Promise<void> => {
  const timer = setTimeout(() => stdin.destroy(), maxWaitMs);
  stdout.on('error', () => stdin.destroy());
  for await (const line of createInterface({ input: stdin })) {
    const { id, method } = parse(line);
    if (id === undefined || method === undefined) continue;
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message } })}\n`);
    if (method === 'initialize') break;
  }
  clearTimeout(timer);
  stdin.destroy();
};

const parse = (line: string): { id?: unknown; method?: unknown } => {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
};
