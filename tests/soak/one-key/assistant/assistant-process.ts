import { createClient, type Host } from '@order-license/core/portable';
import { callLimits } from '../../../../packages/mcp-server/src/client/call-limits.ts';
import { connectInProcess } from '../../../servers/mcp-in-process.ts';
import type { Json } from '../../../servers/mcp-rows.ts';
import { type Network, untilAborted } from '../network.ts';
import { sleep } from '../virtual-day.ts';

/** An assistant with its own MCP server, which counts its own requests. */
export interface AssistantProcess {
  /**
   * Returns every part of a result. Repeats the call with the arguments in `continue`, and retries later after
   * `rate_limited`.
   * @throws for any other error
   */
  ask(tool: string, args: Json): Promise<Json[]>;
  close(): Promise<void>;
}

/** Maximum number of tries for one part of a result. */
const maxTries = 10;
let started = 0;

export const startAssistant = async (
  network: Network,
  requestsPerMinute: number,
  callMs: number[],
): Promise<AssistantProcess> => {
  const host: Host = {
    now: () => performance.now(),
    sleep: (ms, signal) => untilAborted(sleep(ms), signal),
    async send({ url, headers, signal }) {
      const request = { url, headers, ...(signal && { abortSignal: signal }) };
      const { statusCode, headers: received, body } = await network.send(request);
      return { status: statusCode, headers: received, body: new Uint8Array(body) };
    },
  };
  started += 1;
  // A real assistant runs in its own process and counts its own requests. In one process, clients with the same address
  // and key share one count, so this client gets a different address.
  const baseUrl = `https://shop-${started}.example/api/v1`;
  const rateLimit = { requests: requestsPerMinute };
  const mcp = await connectInProcess(async (onEvent) =>
    createClient({ baseUrl, apiKey: 'simulated-key', host, rateLimit, onEvent, ...callLimits }),
  );

  const callOnce = async (tool: string, args: Json) => {
    const from = Date.now();
    try {
      const answer = await mcp.call(tool, args);
      callMs.push(Date.now() - from);
      return answer;
    } catch (error) {
      callMs.push(Number.POSITIVE_INFINITY);
      throw error;
    }
  };
  const callUntilAnswered = async (tool: string, args: Json): Promise<Json> => {
    for (let tries = 1; ; tries++) {
      const { text, structured, error } = await callOnce(tool, args);
      if (!error) return structured as Json;
      if (error.code !== 'rate_limited') throw new Error(text);
      if (tries === maxTries) throw new Error(`${tool} ${JSON.stringify(args)} was held back ${tries} times: ${text}`);
      await sleep(error.retryAfterMs ?? 0);
    }
  };
  return {
    async ask(tool, args) {
      const parts: Json[] = [];
      for (let next: Json | undefined = args; next; ) {
        const part: Json = await callUntilAnswered(tool, next);
        parts.push(part);
        next = part.continue as Json | undefined;
        if (next) await sleep(1_000 * Number(part.retry_after_seconds ?? 0));
      }
      return parts;
    },
    close: mcp.close,
  };
};
