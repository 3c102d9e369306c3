import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Maximum wait for a client that sends nothing, ms. */
const maxWaitMs = 10_000;

/**
 * Answers an MCP client's requests with an error until it sends `initialize` or ends: clients show that error, but keep
 * stderr in a log that few people find.
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
