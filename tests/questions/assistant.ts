import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createClient, type Host } from '@order-license/core/portable';
import type { Mock } from '@order-license/mock-api';
import { askMock } from '@order-license/testing/in-process-host';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { callLimits } from '../../packages/mcp-server/src/client/call-limits.ts';
import { connectInProcess } from '../servers/mcp-in-process.ts';
import type { Json } from '../servers/mcp-rows.ts';
import type { ModelTool } from './model.ts';

/** The cost of an answer. */
export interface Cost {
  /** The number of tool calls. */
  calls: number;
  /** The number of requests to the API. */
  requests: number;
  /** Number of tokens in arguments and results, counted with o200k. */
  tokens: number;
}

/** Thrown when a tool returns an error result. */
export class ToolError extends Error {
  readonly code: string;
  constructor(text: string, code: string) {
    super(text);
    this.code = code;
  }
}

/** Calls the tools of the MCP server, as an assistant does. */
export interface Assistant {
  /** Calls a tool, and returns its structured result. @throws ToolError */
  call(tool: string, args: Json): Promise<Json>;
  /** Returns the cost since the last call of `spent`. */
  spent(): Cost;
  /** What a model receives: the tools, and instructions on how to use them. */
  describe(): Promise<{ tools: ModelTool[]; instructions: string }>;
  /** Reads a file that the server has exported. */
  read(name: unknown): string;
  close(): Promise<void>;
}

let opened = 0;

/** Duration of a request, ms. */
const tripMs = 200;

/**
 * Starts an assistant with an MCP server in this process, in virtual time. Each question begins in a new minute.
 * @param requests per minute; by default, the limit is never reached
 */
export const openAssistant = async (mock: Mock, requests = 1_000_000): Promise<Assistant> => {
  let cost = { calls: 0, requests: 0 };
  /** The texts since the last call of `spent`. Counting tokens takes longer than a call, so only `spent` counts them. */
  let texts: string[] = [];
  let clock = 0;
  const host: Host = {
    now: () => clock,
    async sleep(ms) {
      const until = clock + ms;
      await setImmediate(); // lets concurrent calls start their waits first, so that the shortest wait ends first
      clock = Math.max(clock, until);
    },
    async send(request) {
      cost.requests += 1;
      const until = clock + tripMs;
      const response = await askMock(mock, mock.keys.business, request);
      clock = Math.max(clock, until);
      return response;
    },
  };
  const apiKey = mock.keys.business;
  const baseUrl = `https://questions-${++opened}.example/api/v1`;
  const client = createClient({ host, baseUrl, apiKey, rateLimit: { requests }, ...callLimits });
  const folder = mkdtempSync(join(tmpdir(), 'order-license-questions-'));
  const mcp = await connectInProcess(async () => client, false, folder);
  return {
    async call(name, args) {
      const { text, structured, error } = await mcp.call(name, args);
      cost.calls += 1;
      texts.push(JSON.stringify(args), text);
      if (error) throw new ToolError(text, error.code);
      return structured as Json;
    },
    spent() {
      const spent = { ...cost, tokens: texts.reduce((tokens, text) => tokens + encode(text).length, 0) };
      cost = { calls: 0, requests: 0 };
      texts = [];
      clock += 61_000;
      return spent;
    },
    describe: mcp.describe,
    read: (name) => readFileSync(join(folder, String(name)), 'utf8'),
    async close() {
      await mcp.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Calls a tool, and repeats the call with the arguments in `continue` until the end. */
export const callToEnd = async (assistant: Assistant, tool: string, args: Json): Promise<Json[]> => {
  const answers: Json[] = [];
  for (let next: Json | undefined = args; next; ) {
    const answer: Json = await assistant.call(tool, next);
    answers.push(answer);
    next = answer.continue as Json | undefined;
  }
  return answers;
};
